#include "http/server_stream.hpp"

#include "http/server_session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

namespace pawl::http {

using boost::system::error_code;

BodyStream::BodyStream(Session& session, bool chunked, std::chrono::milliseconds write_timeout)
    : session_(session),
      gate_(session.executor()),
      write_timeout_(write_timeout),
      chunked_(chunked) {}

void BodyStream::guard(Guard guard, Steady::time_point first) {
    guard_ = std::move(guard);
    ask_at_ = first;
}

asio::awaitable<void> BodyStream::ask_guard() {
    const auto next = co_await guard_();
    if (next) {
        ask_at_ = *next;
    } else {
        ended_ = true;
    }
}

asio::awaitable<bool> BodyStream::write(std::string_view text) {
    if (is_guard_due()) co_await ask_guard();
    if (closed()) co_return false;
    co_return co_await write_piece(text);
}

asio::awaitable<bool> BodyStream::write_last(std::string_view text) {
    return write_piece(text);
}

asio::awaitable<bool> BodyStream::write_piece(std::string_view text) {
    if (text.empty()) co_return !closed();  // an empty chunk would end the body
    const std::string size = chunked_ ? fmt::format("{:x}\r\n", text.size()) : std::string();
    const bool written = co_await write_framed(size, text);
    co_return written && !ending_;
}

asio::awaitable<bool> BodyStream::finish() {
    if (!chunked_) co_return !closed_;
    co_return co_await write_framed("0\r\n", "");
}

asio::awaitable<bool> BodyStream::write_framed(std::string_view frame, std::string_view text) {
    if (closed_) co_return false;
    const std::string_view end = chunked_ ? "\r\n" : "";
    session_.deadline = Steady::now() + write_timeout_;
    const bool written =
        co_await session_.write({asio::buffer(frame), asio::buffer(text), asio::buffer(end)});
    session_.deadline = Steady::time_point::max();
    if (!written) close();
    co_return !closed_;
}

asio::awaitable<void> BodyStream::wait(Steady::time_point until) {
    for (;;) {
        if (is_guard_due()) co_await ask_guard();
        if (woken_ || closed() || Steady::now() >= until) break;
        gate_.expires_at(std::min(until, ask_at_));
        error_code woken;
        co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    woken_ = false;
}

void BodyStream::wake() {
    woken_ = true;
    gate_.cancel();
}

void BodyStream::close() {
    if (std::exchange(closed_, true)) return;
    wake();
}

void BodyStream::end() {
    if (std::exchange(ending_, true)) return;
    wake();
}

}  // namespace pawl::http
