#pragma once

#include "connect/connector.hpp"

namespace pawl::connect {

// What rules about an answer see of it: status, headers and body, which is null unless it is JSON.
class AnswerRoots {
public:
    explicit AnswerRoots(const http::Response& answer);
    AnswerRoots(const AnswerRoots&) = delete;
    AnswerRoots& operator=(const AnswerRoots&) = delete;

    Roots& roots() { return roots_; }
    const json::value& body() const { return body_; }

private:
    json::value status_;
    json::value headers_;
    json::value body_;
    Roots roots_;
};

// Of a provider that answers in JSON: whether the answer is not its own, but that of a proxy or of
// a page to log in at, say. A refusal without a body may be its own. 413, 429 and 5xx mean the same
// of either. `body`: as AnswerRoots has it.
bool is_foreign(const http::Response& answer, const json::value& body);

// The first rule that fits; null: none does. 4xx does not stand for 408: a server that says it, or
// a proxy, has not seen the whole request, and what became of that is not known.
const AnswerRule* find_rule(const std::vector<AnswerRule>& rules, int status, const Roots& roots);

}  // namespace pawl::connect
