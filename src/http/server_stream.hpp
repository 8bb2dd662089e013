#pragma once

#include "base/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <optional>
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
    // The peer has gone away, the server stops, or the guard has ended it: noticed also while
    // nothing is written.
    bool closed() const { return closed_ || ending_ || ended_; }

    // Asked again and again, while the stream is written or waits, whether it may go on: when to
    // ask next, or nothing to end it.
    using Guard = std::function<asio::awaitable<std::optional<Steady::time_point>>()>;
    void guard(Guard guard, Steady::time_point first);
    bool ended_by_guard() const { return ended_; }
    // One more piece after the guard has ended the stream, to say so.
    asio::awaitable<bool> write_last(std::string_view text);

    // Returns when woken, when the stream is closed, or at `until`. A wake() before is not missed.
    asio::awaitable<void> wait(Steady::time_point until = Steady::time_point::max());
    void wake();

    // For the server: marks it closed and wakes the waiting writer.
    void close();
    // For the server: the same for the writer, but the body can still be completed.
    void end();
    // For the server: says that the body is complete.
    asio::awaitable<bool> finish();

private:
    asio::awaitable<bool> write_piece(std::string_view text);
    asio::awaitable<bool> write_framed(std::string_view frame, std::string_view text);
    bool is_guard_due() const { return guard_ && !closed() && Steady::now() >= ask_at_; }
    asio::awaitable<void> ask_guard();

    Session& session_;
    asio::steady_timer gate_;
    const std::chrono::milliseconds write_timeout_;
    const bool chunked_;
    bool woken_ = false;
    bool closed_ = false;
    bool ended_ = false;
    Guard guard_;
    Steady::time_point ask_at_ = Steady::time_point::max();
    bool ending_ = false;  // the server stops
};

}  // namespace pawl::http
