#include "http/server_stream.hpp"

#include "http/server_session.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/core.h>

#include <array>
#include <string>
#include <utility>

namespace pawl::http {

using boost::system::error_code;

BodyStream::BodyStream(Session& session, bool chunked)
    : session_(session), gate_(session.socket.get_executor()), chunked_(chunked) {}

asio::awaitable<bool> BodyStream::write(std::string_view text) {
    if (closed_) co_return false;
    if (text.empty()) co_return true;  // an empty chunk would end the body
    const std::string size = chunked_ ? fmt::format("{:x}\r\n", text.size()) : std::string();
    const std::string_view end = chunked_ ? "\r\n" : "";
    const std::array<asio::const_buffer, 3> buffers = {
        asio::buffer(size), asio::buffer(text), asio::buffer(end)};
    error_code failed;
    session_.arm(session_.write_timeout);
    co_await asio::async_write(
        session_.socket, buffers, asio::redirect_error(asio::use_awaitable, failed)
    );
    session_.disarm();
    if (failed) close();
    co_return !closed_;
}

asio::awaitable<bool> BodyStream::finish() {
    if (closed_ || !chunked_) co_return !closed_;
    error_code failed;
    session_.arm(session_.write_timeout);
    co_await asio::async_write(
        session_.socket,
        asio::buffer(std::string_view("0\r\n\r\n")),
        asio::redirect_error(asio::use_awaitable, failed)
    );
    co_return !failed;
}

asio::awaitable<void> BodyStream::wait(Steady::time_point until) {
    if (!woken_ && !closed_) {
        gate_.expires_at(until);
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

}  // namespace pawl::http
