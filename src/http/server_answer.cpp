#include "http/server_answer.hpp"

#include "base/clock.hpp"
#include "http/date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pawl::http {

namespace {

std::string_view reason(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 304: return "Not Modified";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        default: return "Status";  // clients go by the number
    }
}

bool is_framing(std::string_view name) {
    return equal_ignoring_case(name, "content-length") ||
           equal_ignoring_case(name, "transfer-encoding") ||
           equal_ignoring_case(name, "connection") || equal_ignoring_case(name, "date");
}

}  // namespace

bool allows_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

std::string answer_head(const ServerResponse& response, AnswerParams params) {
    std::string head;
    auto out = std::back_inserter(head);
    fmt::format_to(out, "HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
    for (const Header& header : response.headers) {
        if (is_framing(header.name)) continue;
        fmt::format_to(out, "{}: {}\r\n", header.name, header.value);
    }
    if (response.stream) {
        if (params.chunked) head += "Transfer-Encoding: chunked\r\n";
    } else if (allows_body(response.status)) {
        fmt::format_to(out, "Content-Length: {}\r\n", response.body.size());
    }
    fmt::format_to(out, "Date: {}\r\n", format_date(wall_now()));
    fmt::format_to(out, "Connection: {}\r\n\r\n", params.keep_alive ? "keep-alive" : "close");
    return head;
}

bool has_body(const ServerResponse& response, AnswerParams params) {
    return !params.head_only && allows_body(response.status) && !response.body.empty();
}

bool is_sendable(const ServerResponse& response) {
    return response.status >= 200 && response.status <= 599 &&
           std::all_of(response.headers.begin(), response.headers.end(), [](const Header& header) {
               return is_token(header.name) && is_field_value(header.value);
           });
}

ServerResponse error_answer(int status, std::string_view code, std::string_view message) {
    ServerResponse response;
    response.status = status;
    response.headers = {{"Content-Type", "application/json"}};
    response.body = fmt::format(R"({{"error":{{"code":"{}","message":"{}"}}}})", code, message);
    return response;
}

}  // namespace pawl::http
