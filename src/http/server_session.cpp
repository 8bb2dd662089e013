#include "http/server_session.hpp"

#include "http/server_stream.hpp"
#include "http/server_tls.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace pawl::http {

using asio::ip::tcp;
using boost::system::error_code;

namespace {

// How much to read from a peer after the last answer: closing a socket that holds unread bytes
// resets the connection, and the answer would be lost.
constexpr std::size_t linger_bytes_max = 4 << 20;
constexpr std::size_t linger_piece = 1 << 10;

auto awaited(error_code& failed) {
    return asio::redirect_error(asio::use_awaitable, failed);
}

// Takes the first `size` bytes away; false when nothing is left.
bool advance(Session::Buffers& buffers, std::size_t size) {
    bool left = false;
    for (asio::const_buffer& buffer : buffers) {
        const std::size_t taken = std::min(size, buffer.size());
        buffer += taken;
        size -= taken;
        left = left || buffer.size() > 0;
    }
    return left;
}

}  // namespace

void ReadBuffer::consume(std::size_t size) {
    begin_ += static_cast<std::uint32_t>(size);
    if (begin_ == end_) clear();
}

void ReadBuffer::clear() {
    data_.reset();
    begin_ = end_ = capacity_ = 0;
}

asio::mutable_buffer ReadBuffer::prepare(std::size_t room) {
    if (capacity_ - end_ < room / 2) {
        const std::string_view kept = text();
        const auto capacity = static_cast<std::uint32_t>(kept.size() + room);
        // Not make_unique, which would write every byte.
        std::unique_ptr<char[]> grown(new char[capacity]);
        if (!kept.empty()) std::memcpy(grown.get(), kept.data(), kept.size());
        end_ = static_cast<std::uint32_t>(kept.size());
        begin_ = 0;
        capacity_ = capacity;
        data_ = std::move(grown);
    }
    return {data_.get() + end_, capacity_ - end_};
}

void ReadBuffer::commit(std::size_t size) {
    end_ += static_cast<std::uint32_t>(size);
    if (empty()) clear();
}

Session::Session(tcp::socket accepted, std::string from, TlsContext* tls)
    : peer(std::move(from)), socket_(std::move(accepted)) {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    socket_.non_blocking(true, ignored);
    if (tls != nullptr) tls_ = std::make_unique<TlsStream>(socket_, *tls);
}

Session::~Session() = default;

void Session::enter(State next, std::chrono::milliseconds limit) {
    state = next;
    timed_out = false;
    deadline = Steady::now() + limit;
}

void Session::cancel() {
    error_code ignored;
    socket_.cancel(ignored);
}

void Session::close() {
    closed = true;
    error_code ignored;
    socket_.close(ignored);
    if (stream) stream->close();
}

void Session::shutdown_send() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<bool> Session::handshake() {
    return tls_->handshake();
}

asio::awaitable<bool> Session::fill(std::size_t room) {
    error_code failed;
    std::size_t size = 0;
    if (tls_) {
        size = co_await tls_->read_some(buffer.prepare(room), failed);
    } else {
        // The wait comes first: a connection that says nothing holds no buffer, and one that
        // says much does not keep the others from their turn.
        co_await socket_.async_wait(tcp::socket::wait_read, awaited(failed));
        if (!failed) size = socket_.read_some(buffer.prepare(room), failed);
        if (failed == asio::error::would_block) failed = {};
    }
    buffer.commit(size);
    co_return !failed && !timed_out;
}

asio::awaitable<bool> Session::write(Buffers buffers) {
    error_code failed;
    if (tls_) {
        co_await tls_->write(buffers, failed);
        co_return !failed;
    }
    const std::size_t size = socket_.write_some(buffers, failed);
    if (failed == asio::error::would_block) failed = {};
    if (failed) co_return false;
    const bool left = advance(buffers, size);
    if (left) co_await asio::async_write(socket_, buffers, awaited(failed));
    co_return !failed;
}

asio::awaitable<void> Session::linger() {
    enter(State::idle, linger_time);
    buffer.clear();
    if (tls_) {
        co_await tls_->shutdown();
        co_return;
    }
    shutdown_send();
    std::size_t total = 0;
    bool more = true;
    while (more && total < linger_bytes_max) {
        more = co_await fill(linger_piece);
        total += buffer.text().size();
        buffer.clear();
    }
}

}  // namespace pawl::http
