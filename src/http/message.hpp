#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::http {

struct Header {
    std::string name;
    std::string value;
};

// In the order they were written or received; names keep their spelling and are compared without
// case.
using Headers = std::vector<Header>;

// The first header called `name`, or null.
const std::string* find_header(const Headers& headers, std::string_view name);

bool equal_ignoring_case(std::string_view a, std::string_view b);

// A method or header name as RFC 9110 allows it: no space, separator or control character.
bool is_token(std::string_view text);
// A header value that cannot end its line: no CR, LF, NUL or other control character but tab.
bool is_field_value(std::string_view text);

// What a server received.
struct ServerRequest {
    std::string method;  // upper case as sent
    std::string target;  // path and query, as sent: "/v1/runs?limit=5"
    Headers headers;
    std::string body;
    std::string peer;  // the other side's address: "127.0.0.1"
};

// What a client received.
struct Response {
    int status = 200;
    Headers headers;
    std::string body;
    bool elsewhere = false;  // after a redirect to another origin: not by the one that was asked
};

}  // namespace pawl::http
