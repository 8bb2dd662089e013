#pragma once

#include "http/message.hpp"

#include <string>
#include <string_view>

namespace pawl::http {

struct AnswerParams {
    bool keep_alive = true;
    bool head_only = false;  // the request was HEAD
};

// The status line and headers of an answer, the empty line included. The server owns the headers
// that frame a message (Content-Length, Transfer-Encoding, Connection) and Date.
std::string answer_head(const Response& response, AnswerParams params);
bool has_body(const Response& response, AnswerParams params);

// Headers that cannot break out of their line.
bool is_sendable(const Response& response);

// {"error":{"code":...,"message":...}}; both are ours and need no escaping.
Response error_answer(int status, std::string_view code, std::string_view message);

}  // namespace pawl::http
