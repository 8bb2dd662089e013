#include "http/server.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "http/server_answer.hpp"
#include "http/server_impl.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace pawl::http {

namespace {

using asio::ip::tcp;
using boost::system::error_code;

// How long to wait when the process is out of file descriptors.
constexpr std::chrono::milliseconds accept_pause = std::chrono::milliseconds(100);

// Beside the connections that the server takes; the process keeps more descriptors back.
constexpr std::size_t kept_places_max = 32;

// For the answers to those that are cut off.
constexpr std::chrono::milliseconds last_words_time = std::chrono::milliseconds(300);

auto awaited(error_code& failed) {
    return asio::redirect_error(asio::use_awaitable, failed);
}

// How often deadlines are looked at: often enough for the shortest, never worth noticing.
std::chrono::milliseconds tick_length(const ServerOptions& options) {
    const auto shortest = std::min(
        {options.header_timeout,
         options.body_timeout,
         options.write_timeout,
         options.idle_timeout,
         options.handler_timeout}
    );
    return std::clamp(shortest / 4, std::chrono::milliseconds(5), std::chrono::milliseconds(250));
}

// Fits the empty send buffer of a new socket; a peer that misses it sees a closed connection.
void turn_away(tcp::socket socket) {
    const ServerResponse response = problem(503, "there are too many connections");
    AnswerParams params;
    params.keep_alive = false;
    const std::string text = answer_head(response, params) + response.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(text), ignored);
    socket.shutdown(tcp::socket::shutdown_both, ignored);
}

}  // namespace

Server::Impl::Impl(
    asio::any_io_executor executor, ServerOptions options, Handler handler, Door door
)
    : executor_(std::move(executor)),
      options_(std::move(options)),
      handler_(std::move(handler)),
      door_(std::move(door)),
      acceptor_(executor_),
      bodies_{options_.bodies_bytes_max},
      answers_{options_.answers_bytes_max},
      drained_(executor_),
      tick_(executor_) {}

void Server::Impl::listen() {
    if (!options_.tls_cert_file.empty()) {
        tls_.emplace(options_.tls_cert_file, options_.tls_key_file);
    }
    connections_max_ = fitting_connections(options_.connections_max);
    try {
        bind();
    } catch (const boost::system::system_error& failed) {
        Error error{
            Errc::unavailable,
            fmt::format(
                "cannot listen on {} port {}: {}",
                options_.host,
                options_.port,
                failed.code().message()
            ),
            {{"next", "listen elsewhere: --listen HOST:PORT"}}};
        throw Failure(std::move(error));
    }
    own(accept_all(shared_from_this()), nullptr, {});
}

void Server::Impl::bind() {
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
}

void Server::Impl::own(
    asio::awaitable<void> work, SessionPtr session, asio::cancellation_slot slot
) {
    ++running_;
    if (session) ++session->users;
    auto ended = [self = shared_from_this(), session](std::exception_ptr failed) {
        const bool cut_off = session && (session->closed || session->abandoned);
        if (session && --session->users == 0) {
            session->close();
            self->table_.remove(*session);
        }
        if (--self->running_ == 0) self->drained_.cancel();
        if (!failed || cut_off) return;
        try {
            std::rethrow_exception(failed);
        } catch (const std::exception& error) {
            log::error("an HTTP connection failed", {log::field("error", error.what())});
        }
    };
    asio::co_spawn(
        executor_, std::move(work), asio::bind_cancellation_slot(slot, std::move(ended))
    );
}

asio::awaitable<void> Server::Impl::accept_all(Self self) {
    asio::steady_timer pause(self->executor_);
    while (!self->stopping_) {
        error_code failed;
        tcp::socket socket = co_await self->acceptor_.async_accept(awaited(failed));
        if (self->stopping_) break;
        if (!failed) {
            self->take(std::move(socket));
            continue;
        }
        // Aborted by the peer, or out of descriptors: neither ends the server.
        if (failed == asio::error::no_descriptors && self->make_room()) continue;
        log::warn("cannot accept a connection", {log::field("error", failed.message())});
        pause.expires_after(accept_pause);
        co_await pause.async_wait(awaited(failed));
    }
}

void Server::Impl::take(tcp::socket socket) {
    const bool full = table_.size() - table_.kept_places() >= connections_max_ && !make_room();
    if (full && !make_room_for_probe()) {
        if (!tls_) turn_away(std::move(socket));
        return;
    }
    error_code failed;
    const tcp::endpoint endpoint = socket.remote_endpoint(failed);
    if (failed) return;  // gone already
    std::string peer = endpoint.address().to_string();
    const std::size_t peer_max = options_.connections_per_peer;
    if (peer_max > 0 && table_.of_peer(peer) >= peer_max) {
        if (!tls_) turn_away(std::move(socket));
        return;
    }
    auto session =
        std::make_shared<Session>(std::move(socket), std::move(peer), tls_ ? &*tls_ : nullptr);
    session->kept_place = full;
    table_.add(*session);
    table_.wait(*session);
    sweep_later();
    own(serve(shared_from_this(), session), session, session->stop_work.slot());
}

bool Server::Impl::make_room() {
    Session* const oldest = table_.longest_waiting();
    if (oldest == nullptr) return false;
    table_.remove(*oldest);
    oldest->close();
    return true;
}

bool Server::Impl::make_room_for_probe() {
    if (options_.probes.empty()) return false;
    if (table_.kept_places() < kept_places_max) return true;
    Session* const oldest = table_.longest_waiting_probe();
    if (oldest == nullptr) return false;
    table_.remove(*oldest);
    oldest->close();
    return true;
}

bool Server::Impl::is_probe(const ServerRequest& request) const {
    const std::string_view target = request.target;
    const std::string_view path = target.substr(0, target.find('?'));
    const bool reads = request.method == "GET" || request.method == "HEAD";
    return reads &&
           std::find(options_.probes.begin(), options_.probes.end(), path) != options_.probes.end();
}

void Server::Impl::sweep_later() {
    if (ticking_ || aborted_ || table_.size() == 0) return;
    ticking_ = true;
    tick_.expires_after(tick_length(options_));
    tick_.async_wait([weak = weak_from_this()](error_code failed) {
        const Self self = weak.lock();
        if (!self) return;
        self->ticking_ = false;
        if (failed) return;
        self->sweep();
        self->sweep_later();
    });
}

void Server::Impl::sweep() {
    for (const SessionPtr& session : table_.expired(Steady::now())) {
        if (session->state == Session::State::handling && !session->abandoned) {
            log::warn("an HTTP handler took too long", {log::field("peer", session->peer)});
            abandon(session, 504, "the request took too long; it may have been carried out");
        } else {
            session->timed_out = true;
            session->cancel();
        }
    }
}

// Its handler may be anywhere, so it cannot be waited for: it is asked to stop, and what it still
// answers is dropped.
void Server::Impl::abandon(SessionPtr session, int status, std::string_view detail) {
    session->abandoned = true;
    own(refuse(session, status, detail), session, {});
    session->stop_work.emit(asio::cancellation_type::terminal);
}

void Server::Impl::close_acceptor() {
    stopping_ = true;
    error_code ignored;
    acceptor_.close(ignored);
}

void Server::Impl::abort() {
    close_acceptor();
    aborted_ = true;
    tick_.cancel();
    for (const SessionPtr& session : table_.all()) session->close();
}

asio::awaitable<void> Server::Impl::wait_until_drained(Self self, Steady::duration at_most) {
    error_code ignored;
    self->drained_.expires_after(at_most);
    if (self->running_ > 0) co_await self->drained_.async_wait(awaited(ignored));
}

asio::awaitable<void> Server::Impl::drain(Self self) {
    if (std::exchange(self->draining_, true)) co_return;
    self->close_acceptor();
    for (const SessionPtr& session : self->table_.all()) {
        const bool idle = session->state == Session::State::idle && session->buffer.empty();
        if (idle) session->close();
        if (session->state == Session::State::streaming) session->stream->end();
    }
    co_await wait_until_drained(self, self->options_.stop_timeout);
    bool any = false;
    for (const SessionPtr& session : self->table_.all()) {
        if (session->state != Session::State::handling || session->abandoned) continue;
        any = true;
        self->abandon(
            session, 503, "the server is stopping; the request may have been carried out"
        );
    }
    if (any) co_await wait_until_drained(self, last_words_time);
}

asio::awaitable<void> Server::Impl::stop(Self self) {
    co_await drain(self);
    error_code ignored;
    for (const SessionPtr& session : self->table_.all()) {
        session->close();
        session->stop_work.emit(asio::cancellation_type::terminal);
    }
    // Again and again: a drain that is still under way sets the timer too.
    while (self->running_ > 0) {
        self->drained_.expires_at(Steady::time_point::max());
        co_await self->drained_.async_wait(awaited(ignored));
    }
    self->tick_.cancel();
}

Server::Server(asio::any_io_executor executor, ServerOptions options, Handler handler, Door door)
    : impl_(std::make_shared<Impl>(
          std::move(executor), std::move(options), std::move(handler), std::move(door)
      )) {}

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

std::size_t Server::connections_max() const {
    return impl_->connections_max();
}

std::size_t Server::body_bytes() const {
    return impl_->body_bytes();
}

std::size_t Server::answer_bytes() const {
    return impl_->answer_bytes();
}

asio::awaitable<void> Server::drain() {
    return Impl::drain(impl_);
}

asio::awaitable<void> Server::stop() {
    return Impl::stop(impl_);
}

void Server::abort() {
    impl_->abort();
}

}  // namespace pawl::http
