#pragma once

#include "http/server.hpp"

#include <string>
#include <string_view>

namespace pawl::http {

struct AnswerParams {
    bool keep_alive = true;
    bool head_only = false;  // the request was HEAD
    bool chunked = true;     // how a stream is framed; else it ends with the connection
};

// The status line and headers of an answer, the empty line included. The server owns the headers
// that frame a message (Content-Length, Transfer-Encoding, Connection) and Date.
std::string answer_head(const ServerResponse& response, AnswerParams params);
bool allows_body(int status);
bool has_body(const ServerResponse& response, AnswerParams params);

// Headers that cannot break out of their line.
bool is_sendable(const ServerResponse& response);

// "Not Found" for 404.
std::string_view reason_phrase(int status);

// What the server refuses by itself, as application/problem+json. `detail` is ours and needs no
// escaping.
ServerResponse problem(int status, std::string_view detail);

}  // namespace pawl::http
