#include "http/server_answer.hpp"

#include "base/clock.hpp"
#include "http/date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace pawl::http {

namespace {

std::string_view problem_code(int status) {
    switch (status) {
        case 400: return "bad_request";
        case 403: return "forbidden";
        case 408: return "request_timeout";
        case 413: return "body_too_large";
        case 421: return "misdirected_request";
        case 431: return "headers_too_large";
        case 503: return "unavailable";
        case 504: return "timeout";
        default: return "internal";
    }
}

// The same text for a whole second, and as many answers as that has.
std::string_view date_now() {
    thread_local std::chrono::sys_seconds second;
    thread_local std::string text;
    const auto now = std::chrono::floor<std::chrono::seconds>(wall_now());
    if (now != second || text.empty()) {
        second = now;
        text = format_date(now);
    }
    return text;
}

bool is_framing(std::string_view name) {
    return equal_ignoring_case(name, "content-length") ||
           equal_ignoring_case(name, "transfer-encoding") ||
           equal_ignoring_case(name, "connection") || equal_ignoring_case(name, "date");
}

}  // namespace

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 303: return "See Other";
        case 304: return "Not Modified";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 406: return "Not Acceptable";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        default: return "Status";  // clients go by the number
    }
}

bool allows_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

std::string answer_head(const ServerResponse& response, AnswerParams params) {
    std::string head;
    head.reserve(256);
    auto out = std::back_inserter(head);
    fmt::format_to(out, "HTTP/1.1 {} {}\r\n", response.status, reason_phrase(response.status));
    for (const Header& header : response.headers) {
        if (is_framing(header.name)) continue;
        head.append(header.name).append(": ").append(header.value).append("\r\n");
    }
    if (response.stream) {
        if (params.chunked) head += "Transfer-Encoding: chunked\r\n";
    } else if (allows_body(response.status)) {
        fmt::format_to(out, "Content-Length: {}\r\n", response.body.size());
    }
    head.append("Date: ").append(date_now());
    head +=
        params.keep_alive ? "\r\nConnection: keep-alive\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
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

ServerResponse problem(int status, std::string_view detail) {
    const std::string_view code = problem_code(status);
    ServerResponse response;
    response.status = status;
    response.headers = {{"Content-Type", "application/problem+json"}};
    if (status == 503) response.headers.push_back({"Retry-After", "1"});
    response.body = fmt::format(
        R"({{"type":"urn:pawl:problem:{}","title":"{}","status":{},"detail":"{}","code":"{}"}})",
        code,
        reason_phrase(status),
        status,
        detail,
        code
    );
    return response;
}

}  // namespace pawl::http
