#pragma once

#include "base/clock.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pawl::http {

namespace asio = boost::asio;

class BodyStream;
class TlsContext;
class TlsStream;

// Bytes received and not yet used. Holds no memory while there are none.
class ReadBuffer {
public:
    std::string_view text() const { return {data_.get() + begin_, end_ - begin_}; }
    bool empty() const { return begin_ == end_; }
    void consume(std::size_t size);
    void clear();
    // Room for about `room` more bytes; commit() says how many were written there.
    asio::mutable_buffer prepare(std::size_t room);
    void commit(std::size_t size);

private:
    std::unique_ptr<char[]> data_;
    std::uint32_t begin_ = 0;
    std::uint32_t end_ = 0;
    std::uint32_t capacity_ = 0;
};

// One connection of the server: socket, perhaps TLS, deadline. The server looks at the deadlines
// of all sessions now and then; when one has passed, whatever waits on the socket is cancelled,
// again and again until the session notices.
class Session : public std::enable_shared_from_this<Session> {
public:
    enum class State : std::uint8_t {
        idle,       // between requests: nothing is lost when it is closed
        reading,    // a request has begun to arrive
        handling,   // the handler is at work
        writing,    // the answer, or the rest of a refused request
        streaming,  // the answer is a stream
    };
    // What is written at once: a head and a body, or a chunk with its frame.
    using Buffers = std::array<asio::const_buffer, 3>;

    // How long a connection is kept after its last answer, so that the peer can see it.
    static constexpr std::chrono::milliseconds linger_time = std::chrono::seconds(2);

    // `tls` may be null, for a plain connection.
    Session(asio::ip::tcp::socket socket, std::string peer, TlsContext* tls);
    ~Session();

    void enter(State state, std::chrono::milliseconds limit);
    void close();
    // Ends the pending reads and writes.
    void cancel();

    bool has_tls() const { return tls_ != nullptr; }
    asio::awaitable<bool> handshake();
    // Waits for bytes and adds them to the buffer: about `room` at most. False at the end.
    asio::awaitable<bool> fill(std::size_t room);
    // False when the peer is gone or too slow.
    asio::awaitable<bool> write(Buffers buffers);
    // Says that no more will be written and reads until the peer has closed too, for a while.
    asio::awaitable<void> linger();
    void shutdown_send();

    asio::any_io_executor executor() { return socket_.get_executor(); }

    ReadBuffer buffer;
    const std::string peer;
    std::shared_ptr<BodyStream> stream;  // while streaming
    // Stops the handler, or the function that writes a stream.
    asio::cancellation_signal stop_work;
    Steady::time_point deadline = Steady::time_point::max();
    std::uint8_t users = 0;  // coroutines that work on it; the last one closes it
    State state = State::idle;
    bool timed_out = false;
    bool closed = false;
    bool kept_place = false;  // all others are busy: only a probe is answered here
    bool abandoned = false;   // answered while its handler was still at work

    using Hook = boost::intrusive::list_member_hook<
        boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
    Hook in_all;
    Hook in_waiting;

private:
    asio::ip::tcp::socket socket_;
    std::unique_ptr<TlsStream> tls_;
};

}  // namespace pawl::http
