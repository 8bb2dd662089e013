#pragma once

#include "http/message.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::http {

// Turns received bytes into one ServerRequest, with nothing in between, and refuses what two
// programs could read differently (request smuggling): a second Content-Length, both lengths,
// any other coding than "chunked", a missing or second Host.
class RequestParser : private boost::beast::http::basic_parser<true> {
public:
    RequestParser(std::size_t header_bytes_max, std::size_t body_bytes_max);

    // Takes what it can use of `text` and says how much that was; more is needed until done() or
    // refused().
    std::size_t put(std::string_view text);

    // Complete; look at refused() first.
    bool done() const { return is_done(); }
    bool head_done() const { return is_header_done(); }
    // How long the body is: what was announced, or what has come of it.
    std::size_t body_size() const {
        const auto announced = content_length();
        return announced ? static_cast<std::size_t>(*announced) : request.body.size();
    }
    bool keep_alive() const { return basic_parser::keep_alive(); }
    bool is_http_1_0() const { return version_ == 10; }
    // Its sender waits for "100 Continue" before it sends the body.
    bool awaits_continue() const { return expects_ && !done() && request.body.empty(); }
    // That was sent.
    void go_on() { expects_ = false; }

    // The status to refuse it with, or 0, and why.
    int refused() const { return refused_; }
    std::string_view reason() const { return reason_; }

    ServerRequest request;

private:
    using Text = boost::beast::string_view;
    using Code = boost::beast::error_code;
    using Size = std::uint64_t;

    void on_request_impl(
        boost::beast::http::verb, Text method, Text target, int version, Code& failed
    ) override;
    void on_response_impl(int, Text, int, Code&) override {}
    void on_field_impl(boost::beast::http::field field, Text name, Text value, Code& failed)
        override;
    void on_header_impl(Code& failed) override;
    void on_body_init_impl(const boost::optional<Size>& size, Code&) override;
    std::size_t on_body_impl(Text body, Code&) override;
    void on_chunk_header_impl(Size, Text, Code&) override {}
    std::size_t on_chunk_body_impl(Size, Text body, Code&) override;
    void on_finish_impl(Code&) override {}

    void refuse(int status, std::string_view reason, Code& failed);
    void classify(const Code& failed);
    void take_absolute_target(Code& failed);

    std::size_t header_bytes_left_;
    std::size_t body_bytes_max_;
    std::string reason_;
    int refused_ = 0;
    int version_ = 0;
    int hosts_ = 0;
    bool absolute_ = false;  // the target named the host
    bool has_length_ = false;
    bool expects_ = false;
};

}  // namespace pawl::http
