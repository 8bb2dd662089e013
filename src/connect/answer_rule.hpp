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

private:
    json::value status_;
    json::value headers_;
    json::value body_;
    Roots roots_;
};

// The first rule that fits; null: none does.
const AnswerRule* find_rule(const std::vector<AnswerRule>& rules, int status, const Roots& roots);

}  // namespace pawl::connect
