#pragma once

#include "base/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <string_view>

namespace pawl::http {

namespace asio = boost::asio;

class Session;

// The body of an answer that is written piece by piece, for as long as the peer listens:
//
//     while (!stream.closed()) {
//         const bool sent = co_await stream.write(news());
//         if (!sent) break;
//         co_await stream.wait(Steady::now() + heartbeat);  // until wake(), the end, or then
//     }
//
// Nothing is buffered: a peer that does not take a piece within the server's write_timeout is
// dropped. The stream ends when the function that writes it returns.
class BodyStream {
public:
    // The session owns it.
    BodyStream(Session& session, bool chunked, std::chrono::milliseconds write_timeout);
    BodyStream(const BodyStream&) = delete;
    BodyStream& operator=(const BodyStream&) = delete;

    // False when the peer is gone or too slow, or the server stops. `text` must live until then.
    asio::awaitable<bool> write(std::string_view text);
    // The peer has gone away or the server stops: noticed also while nothing is written.
    bool closed() const { return closed_ || ending_; }

    // Returns when woken, when the stream is closed, or at `until`. A wake() before is not missed.
    asio::awaitable<void> wait(Steady::time_point until = Steady::time_point::max());
    void wake();

    // For the server: marks it closed and wakes whoever waits.
    void close();
    // For the server: the same for the writer, but the body can still be completed.
    void end();
    // For the server: says that the body is complete.
    asio::awaitable<bool> finish();

private:
    asio::awaitable<bool> write_framed(std::string_view frame, std::string_view text);

    Session& session_;
    asio::steady_timer gate_;
    const std::chrono::milliseconds write_timeout_;
    const bool chunked_;
    bool woken_ = false;
    bool closed_ = false;
    bool ending_ = false;  // the server stops
};

}  // namespace pawl::http
