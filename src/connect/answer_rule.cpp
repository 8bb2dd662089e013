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

bool is_foreign(const http::Response& answer, const json::value& body) {
    const int status = answer.status;
    if ((status >= 300 && status <= 399) || status == 407) return true;
    if (status == 413 || status == 429 || status >= 500) return false;
    const bool blank = answer.body.find_first_not_of(" \t\r\n") == std::string::npos;
    return !blank && !body.is_structured();
}

const AnswerRule* find_rule(const std::vector<AnswerRule>& rules, int status, const Roots& roots) {
    const auto fits = [&](const AnswerRule& rule) {
        const auto has = [&](const auto& range) {
            const bool alone = range.first == range.second;
            return status >= range.first && status <= range.second && (alone || status != 408);
        };
        return std::any_of(rule.status.begin(), rule.status.end(), has) && rule.when.holds(roots);
    };
    const auto found = std::find_if(rules.begin(), rules.end(), fits);
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace pawl::connect
