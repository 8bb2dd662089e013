#include "http/server_parser.hpp"

#include <boost/beast/http/error.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::http {

namespace {

namespace beast_http = boost::beast::http;

// A body grows as it arrives: an announced size is only a promise.
constexpr std::uint64_t reserve_max = 4 << 10;

constexpr std::string_view headers_too_large = "the request headers are too large";

std::string_view plain(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

bool is_number(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// What a URI may consist of (RFC 3986): no space, no control character, nothing but ASCII.
bool is_uri_text(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

}  // namespace

RequestParser::RequestParser(std::size_t header_bytes_max, std::size_t body_bytes_max)
    : header_bytes_left_(header_bytes_max), body_bytes_max_(body_bytes_max) {
    eager(true);
    header_limit(static_cast<std::uint32_t>(header_bytes_max));
    body_limit(body_bytes_max);
}

std::size_t RequestParser::put(std::string_view text) {
    const bool in_head = !head_done();
    Code failed;
    const std::size_t used = basic_parser::put({text.data(), text.size()}, failed);
    if (failed && failed != beast_http::error::need_more) classify(failed);
    if (in_head && !head_done()) {
        // Headers are taken line by line, and the parser's limit is about what is left to take.
        header_bytes_left_ -= std::min(used, header_bytes_left_);
        header_limit(static_cast<std::uint32_t>(header_bytes_left_));
    }
    return used;
}

void RequestParser::refuse(int status, std::string_view reason, Code& failed) {
    refused_ = status;
    reason_ = reason;
    failed = beast_http::error::bad_field;
}

void RequestParser::classify(const Code& failed) {
    if (refused_ != 0) return;
    using Error = beast_http::error;
    refused_ = 400;
    if (failed == Error::header_limit || failed == Error::buffer_overflow) {
        refused_ = 431;
        reason_ = headers_too_large;
    } else if (failed == Error::body_limit) {
        refused_ = 413;
        reason_ = fmt::format("the request body has more than {} bytes", body_bytes_max_);
    } else if (failed == Error::bad_content_length || failed == Error::multiple_content_length) {
        reason_ = "the Content-Length is not one number, or stands beside a Transfer-Encoding";
    } else if (failed == Error::bad_transfer_encoding) {
        reason_ = "the only Transfer-Encoding is chunked, and without a Content-Length";
    } else if (failed == Error::bad_chunk || failed == Error::bad_chunk_extension) {
        reason_ = "the body is not well chunked";
    } else if (failed == Error::bad_version) {
        reason_ = "only HTTP/1.1 and HTTP/1.0 are spoken here";
    } else {
        reason_ = "the request is not valid HTTP/1.1";
    }
}

void RequestParser::on_request_impl(
    boost::beast::http::verb, Text method, Text target, int version, Code& failed
) {
    version_ = version;
    request.method = plain(method);
    request.target = plain(target);
    if (!is_uri_text(request.target)) {
        return refuse(400, "the target has bytes that must be percent-encoded", failed);
    }
    if (request.target.front() == '/') return;
    if (request.target == "*" && request.method == "OPTIONS") return;
    take_absolute_target(failed);
}

// "GET http://host/path": what clients send to proxies, and servers must understand. Its authority
// counts, not the Host header.
void RequestParser::take_absolute_target(Code& failed) {
    const std::string_view target = request.target;
    const std::size_t scheme = target.find("://");
    const bool known = scheme != std::string_view::npos &&
                       (equal_ignoring_case(target.substr(0, scheme), "http") ||
                        equal_ignoring_case(target.substr(0, scheme), "https"));
    if (!known) return refuse(400, "the target is neither a path nor an http URL", failed);
    const std::size_t begin = scheme + 3;
    const std::size_t end = std::min(target.find_first_of("/?#", begin), target.size());
    if (end == begin) return refuse(400, "the target has no host", failed);
    request.headers.push_back({"Host", std::string(target.substr(begin, end - begin))});
    absolute_ = true;
    std::string path(target.substr(end));
    if (path.empty() || path.front() != '/') path.insert(0, 1, '/');
    request.target = std::move(path);
}

void RequestParser::on_field_impl(
    boost::beast::http::field field, Text name, Text value, Code& failed
) {
    // Trailers come after the body, too late to be checked.
    if (head_done()) return;
    using Field = beast_http::field;
    if (field == Field::host) {
        if (++hosts_ > 1) return refuse(400, "there is more than one Host header", failed);
        if (absolute_) return;
    } else if (field == Field::content_length) {
        if (has_length_ || !is_number(plain(value))) {
            return refuse(400, "there is more than one Content-Length", failed);
        }
        has_length_ = true;
    } else if (field == Field::transfer_encoding) {
        if (is_http_1_0() || !equal_ignoring_case(plain(value), "chunked")) {
            return refuse(400, "the only Transfer-Encoding is chunked, in HTTP/1.1", failed);
        }
    } else if (field == Field::expect) {
        expects_ = !is_http_1_0() && equal_ignoring_case(plain(value), "100-continue");
    }
    request.headers.push_back({std::string(plain(name)), std::string(plain(value))});
}

void RequestParser::on_header_impl(Code& failed) {
    if (hosts_ == 0 && !is_http_1_0()) refuse(400, "the Host header is missing", failed);
}

void RequestParser::on_body_init_impl(const boost::optional<Size>& size, Code&) {
    if (size) request.body.reserve(std::min(*size, reserve_max));
}

std::size_t RequestParser::on_body_impl(Text body, Code&) {
    request.body.append(body.data(), body.size());
    return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(Size, Text body, Code&) {
    request.body.append(body.data(), body.size());
    return body.size();
}

}  // namespace pawl::http
