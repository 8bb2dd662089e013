#include "connect/answer_rule.hpp"

#include "base/json.hpp"

#include <algorithm>

namespace pawl::connect {

AnswerRoots::AnswerRoots(const http::Response& answer)
    : status_(answer.status), headers_(headers_root(answer.headers)) {
    if (auto parsed = parse_json(answer.body)) body_ = std::move(*parsed);
    roots_.add("status", status_);
    roots_.add("headers", headers_);
    roots_.add("body", body_);
}

const AnswerRule* find_rule(const std::vector<AnswerRule>& rules, int status, const Roots& roots) {
    const auto fits = [&](const AnswerRule& rule) {
        const auto has = [&](const auto& range) {
            return status >= range.first && status <= range.second;
        };
        return std::any_of(rule.status.begin(), rule.status.end(), has) && rule.when.holds(roots);
    };
    const auto found = std::find_if(rules.begin(), rules.end(), fits);
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace pawl::connect
