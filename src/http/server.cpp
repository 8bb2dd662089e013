#include "http/server.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "http/server_answer.hpp"
#include "http/server_session.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/core.h>

#include <array>
#include <exception>
#include <optional>
#include <unordered_set>
#include <utility>

namespace pawl::http {

namespace {

namespace beast_http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Parser = beast_http::request_parser<beast_http::string_body>;

// How long and how much to read from a peer after refusing it, so that it can see the answer:
// closing a socket that holds unread bytes resets the connection.
constexpr std::chrono::milliseconds linger_time = std::chrono::seconds(2);
constexpr std::size_t linger_bytes_max = 4 << 20;

// How long to wait when the process is out of file descriptors.
constexpr std::chrono::milliseconds accept_pause = std::chrono::milliseconds(100);

auto awaited(error_code& failed) {
    return asio::redirect_error(asio::use_awaitable, failed);
}

// What to answer when reading failed; nothing when there is nobody to answer to.
std::optional<ServerResponse> refusal(error_code failed, bool timed_out) {
    if (timed_out) return error_answer(408, "timeout", "the request took too long to arrive");
    if (failed == beast_http::error::header_limit || failed == beast_http::error::buffer_overflow) {
        return error_answer(431, "too_large", "the request headers are too large");
    }
    if (failed == beast_http::error::body_limit) {
        return error_answer(413, "too_large", "the request body is too large");
    }
    if (failed == beast_http::error::end_of_stream ||
        failed == beast_http::error::partial_message) {
        return std::nullopt;
    }
    const error_code any_parse_error = beast_http::error::bad_target;
    if (failed.category() != any_parse_error.category()) return std::nullopt;
    return error_answer(400, "invalid", "the request is not valid HTTP/1.1");
}

ServerRequest plain(Parser::value_type message) {
    ServerRequest request;
    request.method = message.method_string();
    request.target = message.target();
    for (const auto& field : message) {
        request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    request.body = std::move(message.body());
    return request;
}

// False when the peer is gone or too slow.
asio::awaitable<bool> write_answer(
    std::shared_ptr<Session> session, ServerResponse response, AnswerParams params
) {
    const std::string head = answer_head(response, params);
    std::array<asio::const_buffer, 2> buffers = {asio::buffer(head), asio::const_buffer()};
    if (has_body(response, params)) buffers[1] = asio::buffer(response.body);
    error_code failed;
    co_await asio::async_write(session->socket, buffers, awaited(failed));
    co_return !failed;
}

asio::awaitable<void> linger(std::shared_ptr<Session> session) {
    error_code failed;
    session->socket.shutdown(tcp::socket::shutdown_send, failed);
    session->arm(linger_time);
    session->idle = true;
    std::array<char, 4096> scratch{};
    std::size_t total = 0;
    while (!failed && !session->timed_out && total < linger_bytes_max) {
        total += co_await session->socket.async_read_some(asio::buffer(scratch), awaited(failed));
    }
}

asio::awaitable<void> refuse(std::shared_ptr<Session> session, ServerResponse response) {
    session->arm(linger_time);
    AnswerParams params;
    params.keep_alive = false;
    const bool written = co_await write_answer(session, std::move(response), params);
    if (written) co_await linger(session);
}

}  // namespace

class Server::Impl : public std::enable_shared_from_this<Server::Impl> {
public:
    Impl(asio::any_io_executor executor, ServerOptions options, Handler handler)
        : executor_(std::move(executor)),
          options_(std::move(options)),
          handler_(std::move(handler)),
          acceptor_(executor_),
          drained_(executor_) {}

    void listen();
    std::uint16_t port() const { return port_; }
    std::size_t connections() const { return sessions_.size(); }
    static asio::awaitable<void> stop(std::shared_ptr<Impl> self);
    // For a server that is destroyed without stop(): the handler is not called any more.
    void abort();

private:
    // Coroutines are static and own what they need: the Server may go away before they end.
    static asio::awaitable<void> accept_all(std::shared_ptr<Impl> self);
    static asio::awaitable<void> watch(std::shared_ptr<Session> session);
    static asio::awaitable<void> stream_answer(
        std::shared_ptr<Impl> self,
        std::shared_ptr<Session> session,
        ServerResponse response,
        AnswerParams params
    );
    static asio::awaitable<ServerResponse> handle(
        std::shared_ptr<Impl> self, ServerRequest request
    );
    static asio::awaitable<void> serve(
        std::shared_ptr<Impl> self, std::shared_ptr<Session> session
    );
    static asio::awaitable<bool> wait_for_request(
        std::shared_ptr<Impl> self,
        std::shared_ptr<Session> session,
        boost::beast::flat_buffer& buffer,
        bool first
    );
    static asio::awaitable<error_code> read_request(
        std::shared_ptr<Impl> self,
        std::shared_ptr<Session> session,
        boost::beast::flat_buffer& buffer,
        Parser& parser
    );

    void own(asio::awaitable<void> work, std::shared_ptr<Session> session);
    void turn_away(tcp::socket socket);
    void close_acceptor();

    asio::any_io_executor executor_;
    const ServerOptions options_;
    Handler handler_;
    tcp::acceptor acceptor_;
    std::uint16_t port_ = 0;
    bool stopping_ = false;
    bool aborted_ = false;
    std::size_t running_ = 0;  // coroutines that have not ended
    std::unordered_set<std::shared_ptr<Session>> sessions_;
    asio::steady_timer drained_;
};

void Server::Impl::listen() {
    try {
        tcp::resolver resolver(executor_);
        const auto found = resolver.resolve(
            options_.host,
            std::to_string(options_.port),
            tcp::resolver::passive | tcp::resolver::numeric_service
        );
        const tcp::endpoint endpoint = *found.begin();
        acceptor_.open(endpoint.protocol());
        acceptor_.set_option(tcp::acceptor::reuse_address(true));
        acceptor_.bind(endpoint);
        acceptor_.listen();
        port_ = acceptor_.local_endpoint().port();
    } catch (const boost::system::system_error& failed) {
        Error error{
            Errc::unavailable,
            fmt::format(
                "cannot listen on {} port {}: {}",
                options_.host,
                options_.port,
                failed.code().message()
            ),
            {}};
        throw Failure(std::move(error));
    }
    own(accept_all(shared_from_this()), nullptr);
}

void Server::Impl::own(asio::awaitable<void> work, std::shared_ptr<Session> session) {
    ++running_;
    if (session) sessions_.insert(session);
    auto ended = [self = shared_from_this(), session](std::exception_ptr failed) {
        if (session) {
            session->close();
            self->sessions_.erase(session);
        }
        if (--self->running_ == 0) self->drained_.cancel();
        if (!failed) return;
        try {
            std::rethrow_exception(failed);
        } catch (const std::exception& error) {
            log::error("an HTTP connection failed", {log::field("error", error.what())});
        }
    };
    asio::co_spawn(executor_, std::move(work), std::move(ended));
}

asio::awaitable<void> Server::Impl::accept_all(std::shared_ptr<Impl> self) {
    asio::steady_timer pause(self->executor_);
    while (!self->stopping_) {
        error_code failed;
        tcp::socket socket = co_await self->acceptor_.async_accept(awaited(failed));
        if (self->stopping_) break;
        if (failed) {
            // Aborted by the peer, or out of descriptors: neither ends the server.
            log::warn("cannot accept a connection", {log::field("error", failed.message())});
            pause.expires_after(accept_pause);
            co_await pause.async_wait(awaited(failed));
            continue;
        }
        if (self->sessions_.size() >= self->options_.connections_max) {
            self->turn_away(std::move(socket));
            continue;
        }
        auto session = std::make_shared<Session>(std::move(socket));
        self->own(serve(self, session), session);
    }
}

void Server::Impl::turn_away(tcp::socket socket) {
    const ServerResponse response = error_answer(503, "unavailable", "too many connections");
    AnswerParams params;
    params.keep_alive = false;
    const std::string text = answer_head(response, params) + response.body;
    // Fits the empty send buffer of a new socket; a peer that misses it sees a closed connection.
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_both, ignored);
}

asio::awaitable<bool> Server::Impl::wait_for_request(
    std::shared_ptr<Impl> self,
    std::shared_ptr<Session> session,
    boost::beast::flat_buffer& buffer,
    bool first
) {
    if (buffer.size() > 0) co_return true;
    session->idle = true;
    session->arm(first ? self->options_.header_timeout : self->options_.idle_timeout);
    error_code failed;
    const std::size_t size =
        co_await session->socket.async_read_some(buffer.prepare(4096), awaited(failed));
    session->idle = false;
    buffer.commit(size);
    co_return !failed;
}

asio::awaitable<error_code> Server::Impl::read_request(
    std::shared_ptr<Impl> self,
    std::shared_ptr<Session> session,
    boost::beast::flat_buffer& buffer,
    Parser& parser
) {
    error_code failed;
    session->arm(self->options_.header_timeout);
    co_await beast_http::async_read_header(session->socket, buffer, parser, awaited(failed));
    if (failed) co_return failed;
    session->arm(self->options_.body_timeout);
    if (parser.get()[beast_http::field::expect] == "100-continue") {
        static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await asio::async_write(session->socket, asio::buffer(go_on), awaited(failed));
        if (failed) co_return failed;
    }
    co_await beast_http::async_read(session->socket, buffer, parser, awaited(failed));
    co_return failed;
}

asio::awaitable<void> Server::Impl::serve(
    std::shared_ptr<Impl> self, std::shared_ptr<Session> session
) {
    boost::beast::flat_buffer buffer;
    for (bool first = true; !self->stopping_; first = false) {
        const bool arrived = co_await wait_for_request(self, session, buffer, first);
        if (!arrived) co_return;
        Parser parser;
        parser.header_limit(static_cast<std::uint32_t>(self->options_.header_bytes_max));
        parser.body_limit(self->options_.body_bytes_max);
        const error_code failed = co_await read_request(self, session, buffer, parser);
        if (failed) {
            auto response = refusal(failed, session->timed_out);
            if (response) co_await refuse(session, std::move(*response));
            co_return;
        }
        AnswerParams params;
        params.keep_alive = parser.keep_alive();
        const unsigned request_version = parser.get().version();
        ServerRequest request = plain(parser.release());
        params.chunked = request_version >= 11;
        params.head_only = request.method == "HEAD";
        request.peer = session->peer;
        session->disarm();
        ServerResponse response = co_await handle(self, std::move(request));
        params.keep_alive = params.keep_alive && !self->stopping_;
        session->arm(self->options_.write_timeout);
        if (response.stream && !params.head_only && allows_body(response.status)) {
            co_await stream_answer(self, session, std::move(response), params);
            co_return;
        }
        const bool written = co_await write_answer(session, std::move(response), params);
        if (!written) co_return;
        if (!params.keep_alive) {
            co_await linger(session);
            co_return;
        }
    }
}

// Reads and forgets: what counts is the end.
asio::awaitable<void> Server::Impl::watch(std::shared_ptr<Session> session) {
    std::array<char, 64> scratch{};
    error_code failed;
    while (!failed && session->stream) {
        co_await session->socket.async_read_some(asio::buffer(scratch), awaited(failed));
    }
    if (session->stream) session->stream->close();
}

asio::awaitable<void> Server::Impl::stream_answer(
    std::shared_ptr<Impl> self,
    std::shared_ptr<Session> session,
    ServerResponse response,
    AnswerParams params
) {
    params.keep_alive = false;
    session->write_timeout = self->options_.write_timeout;
    const auto write = std::move(response.stream);
    response.stream = write;
    response.body.clear();
    const bool written = co_await write_answer(session, response, params);
    session->disarm();
    if (!written || self->stopping_) co_return;
    const auto stream = std::make_shared<BodyStream>(*session, params.chunked);
    session->stream = stream;
    self->own(watch(session), nullptr);
    std::exception_ptr failed;
    try {
        co_await write(*stream);
    } catch (...) {
        failed = std::current_exception();
    }
    session->stream = nullptr;
    if (failed) std::rethrow_exception(failed);
    co_await stream->finish();
}

asio::awaitable<ServerResponse> Server::Impl::handle(
    std::shared_ptr<Impl> self, ServerRequest request
) {
    if (self->aborted_) co_return error_answer(503, "unavailable", "the server is stopping");
    const std::string method = request.method;
    try {
        ServerResponse response = co_await self->handler_(std::move(request));
        if (is_sendable(response)) co_return response;
        log::error(
            "an HTTP handler made an answer that cannot be sent",
            {log::field("method", method), log::field("status", response.status)}
        );
    } catch (const std::exception& failed) {
        log::error(
            "an HTTP handler failed",
            {log::field("method", method), log::field("error", failed.what())}
        );
    }
    co_return error_answer(500, "internal", "the server failed; its log says why");
}

void Server::Impl::close_acceptor() {
    stopping_ = true;
    error_code ignored;
    acceptor_.close(ignored);
}

void Server::Impl::abort() {
    close_acceptor();
    aborted_ = true;
    for (const auto& session : sessions_) session->close();
}

asio::awaitable<void> Server::Impl::stop(std::shared_ptr<Impl> self) {
    self->close_acceptor();
    for (const auto& session : self->sessions_) {
        if (session->idle || session->stream) session->close();
    }
    error_code ignored;
    self->drained_.expires_after(self->options_.stop_timeout);
    if (self->running_ > 0) co_await self->drained_.async_wait(awaited(ignored));
    for (const auto& session : self->sessions_) session->close();
    self->drained_.expires_at(std::chrono::steady_clock::time_point::max());
    if (self->running_ > 0) co_await self->drained_.async_wait(awaited(ignored));
}

Server::Server(asio::any_io_executor executor, ServerOptions options, Handler handler)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(options), std::move(handler))) {}

Server::~Server() {
    impl_->abort();
}

void Server::listen() {
    impl_->listen();
}

std::uint16_t Server::port() const {
    return impl_->port();
}

std::size_t Server::connections() const {
    return impl_->connections();
}

asio::awaitable<void> Server::stop() {
    return Impl::stop(impl_);
}

}  // namespace pawl::http
