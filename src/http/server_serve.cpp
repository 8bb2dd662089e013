#include "base/fair_places.hpp"
#include "base/log.hpp"
#include "http/server_answer.hpp"
#include "http/server_impl.hpp"
#include "http/server_parser.hpp"

#include <exception>
#include <utility>

namespace pawl::http {

namespace {

using State = Session::State;

// Enough for the head of most requests; more comes when it is needed.
constexpr std::size_t head_piece = 1000;
constexpr std::size_t body_piece = 16 << 10;

// A peer that listens to a stream has nothing to say.
constexpr std::size_t chatter_max = 64 << 10;

void log_refused_host(const Headers& headers, const std::string& peer) {
    const std::string* host = find_header(headers, "Host");
    const std::string* origin = find_header(headers, "Origin");
    log::warn(
        "a request for another host was refused",
        {log::field("host", host == nullptr ? "" : *host),
         log::field("origin", origin == nullptr ? "" : *origin),
         log::field("peer", peer)}
    );
}

}  // namespace

asio::awaitable<void> Server::Impl::serve(Self self, SessionPtr session) {
    session->enter(State::idle, self->options_.header_timeout);
    if (session->has_tls()) {
        const bool secured = co_await session->handshake();
        if (!secured) co_return;
    }
    bool more = true;
    while (more && !self->stopping_) {
        if (session->buffer.empty()) {
            more = co_await session->fill(head_piece);
        } else {
            more = co_await serve_one(self, session);
        }
    }
}

asio::awaitable<bool> Server::Impl::serve_one(Self self, SessionPtr session) {
    RequestParser parser(self->options_.header_bytes_max, self->options_.body_bytes_max);
    BodyShare share(self->bodies_);
    const bool complete = co_await read_request(self, session, parser, share);
    if (!complete) co_return false;
    self->table_.stop_waiting(*session);
    session->enter(State::handling, self->options_.handler_timeout);
    AnswerParams params;
    params.head_only = parser.request.method == "HEAD";
    params.chunked = !parser.is_http_1_0();
    parser.request.peer = session->peer;
    ServerResponse response = co_await handle(self, session, std::move(parser.request));
    share.give_back();
    if (session->closed || session->abandoned || response.hang_up) co_return false;
    params.keep_alive = parser.keep_alive() && !self->stopping_ && !session->kept_place;
    session->enter(State::writing, self->options_.write_timeout);
    if (response.stream && !params.head_only && allows_body(response.status)) {
        co_await stream_answer(self, session, std::move(response), params);
        co_return false;
    }
    BodyShare answer(self->answers_);
    const bool is_long = response.body.size() > self->options_.free_answer_bytes;
    if (is_long && !answer.grow_to(response.body.capacity())) {
        response = problem(503, "too many long answers are under way; try again");
    }
    const std::string head = answer_head(response, params);
    Session::Buffers buffers = {asio::buffer(head)};
    if (has_body(response, params)) buffers[1] = asio::buffer(response.body);
    const bool written = co_await session->write(buffers);
    response = {};
    answer.give_back();
    if (!written) co_return false;
    if (params.keep_alive) {
        session->enter(State::idle, self->options_.idle_timeout);
        self->table_.wait(*session);
    } else {
        // It has its answer: a newcomer need not wait until it has hung up.
        self->table_.wait(*session);
        co_await session->linger();
    }
    co_return params.keep_alive;
}

asio::awaitable<bool> Server::Impl::read_request(
    Self self, SessionPtr session, RequestParser& parser, BodyShare& share
) {
    const ServerOptions& options = self->options_;
    session->enter(State::reading, options.header_timeout);
    bool in_head = true;
    bool asked = false;  // the door
    for (;;) {
        session->buffer.consume(parser.put(session->buffer.text()));
        if (parser.refused() != 0) {
            co_await refuse(session, parser.refused(), parser.reason());
            co_return false;
        }
        if (in_head && parser.head_done()) {
            in_head = false;
            if (const auto wrong = refused_by(options.hosts, parser.request.headers)) {
                log_refused_host(parser.request.headers, session->peer);
                co_await refuse(session, wrong->status, wrong->why);
                co_return false;
            }
            if (session->kept_place && !self->is_probe(parser.request)) {
                co_await refuse(session, 503, "there are too many connections");
                co_return false;
            }
            if (!parser.done()) session->enter(State::reading, options.body_timeout);
        }
        const bool is_long = !in_head && parser.body_size() > options.free_body_bytes;
        if (is_long && !asked && !parser.done()) {
            asked = true;
            const bool fine = co_await let_in(self, session, parser, share);
            if (!fine) co_return false;
        }
        if (is_long && !share.grow_to(parser.request.body.capacity())) {
            co_await refuse(session, 503, "too many long requests arrive at a time; try again");
            co_return false;
        }
        if (parser.done()) co_return true;
        // Not a header any more: the frame of a chunk, or what comes after the last one.
        if (session->buffer.text().size() > options.header_bytes_max) {
            co_await refuse(session, 431, "a chunk's header is too large");
            co_return false;
        }
        if (!in_head && parser.awaits_continue()) {
            static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
            parser.go_on();
            co_await session->write({asio::buffer(go_on)});
        }
        const bool arrived = co_await session->fill(in_head ? head_piece : body_piece);
        if (arrived) continue;
        if (session->timed_out && !session->closed) {
            co_await refuse(session, 408, "the request took too long to arrive");
        }
        co_return false;
    }
}

asio::awaitable<bool> Server::Impl::let_in(
    Self self, SessionPtr session, RequestParser& parser, BodyShare& share
) {
    if (!self->door_ || self->aborted_) co_return true;
    ServerRequest head = parser.request;
    head.body.clear();
    head.peer = session->peer;
    Entry entry;
    try {
        entry = co_await self->door_(std::move(head));
    } catch (const std::exception& failed) {
        log::error("an HTTP listener failed", {log::field("error", failed.what())});
        entry.refused = problem(500, "the server failed; its log says why");
    }
    share.belongs_to(entry.tenant);
    if (!entry.refused) co_return !session->closed;
    if (!session->closed) co_await answer_and_close(session, std::move(*entry.refused));
    co_return false;
}

asio::awaitable<ServerResponse> Server::Impl::handle(
    Self self, SessionPtr session, ServerRequest request
) {
    if (self->aborted_) co_return problem(503, "the server is stopping");
    try {
        ServerResponse response = co_await self->handler_(std::move(request));
        if (is_sendable(response)) co_return response;
        log::error(
            "an HTTP handler made an answer that cannot be sent",
            {log::field("peer", session->peer), log::field("status", response.status)}
        );
    } catch (const std::exception& failed) {
        const bool cut_off = session->closed || session->abandoned;
        if (!cut_off) {
            log::error("an HTTP handler failed", {log::field("error", failed.what())});
        }
    }
    co_return problem(500, "the server failed; its log says why");
}

asio::awaitable<void> Server::Impl::stream_answer(
    Self self, SessionPtr session, ServerResponse response, AnswerParams params
) {
    params.keep_alive = false;
    const std::string head = answer_head(response, params);
    const bool written = co_await session->write({asio::buffer(head)});
    if (!written) co_return;
    session->stream =
        std::make_shared<BodyStream>(*session, params.chunked, self->options_.write_timeout);
    session->buffer.clear();
    session->state = State::streaming;
    session->deadline = Steady::time_point::max();
    self->own(watch(session), session, {});
    if (self->stopping_) session->stream->end();
    bool finished = false;
    try {
        co_await response.stream(*session->stream);
        finished = co_await session->stream->finish();
    } catch (const std::exception& failed) {
        const bool cut_off = session->closed;
        if (!cut_off) log::error("an HTTP stream failed", {log::field("error", failed.what())});
    }
    // The watch reads what the peer still sends, until it has seen the end.
    if (finished && !session->has_tls()) {
        session->enter(State::idle, Session::linger_time);
        self->table_.wait(*session);
        session->shutdown_send();
    } else {
        session->close();
    }
}

// Reads and forgets: what counts is the end.
asio::awaitable<void> Server::Impl::watch(SessionPtr session) {
    std::size_t total = 0;
    bool more = true;
    while (more && total < chatter_max) {
        more = co_await session->fill(head_piece);
        total += session->buffer.text().size();
        session->buffer.clear();
    }
    session->stream->close();
}

asio::awaitable<void> Server::Impl::refuse(
    SessionPtr session, int status, std::string_view detail
) {
    co_await answer_and_close(session, problem(status, detail));
}

asio::awaitable<void> Server::Impl::answer_and_close(SessionPtr session, ServerResponse response) {
    session->enter(State::writing, Session::linger_time);
    AnswerParams params;
    params.keep_alive = false;
    const std::string head = answer_head(response, params);
    const bool written = co_await session->write({asio::buffer(head), asio::buffer(response.body)});
    if (written) co_await session->linger();
}

bool BodyShare::grow_to(std::size_t size) {
    if (size <= held_) return true;
    const std::size_t more = size - held_;
    std::size_t& own = room_.taken_by[tenant_];
    // One that is alone may always have what a body may be.
    const bool alone = room_.taken == held_;
    if (!alone && !may_have_more(own, room_.taken, room_.most, 8, more)) return false;
    own += more;
    room_.taken += more;
    held_ = size;
    return true;
}

void BodyShare::give_back() {
    if (held_ == 0) return;
    room_.taken -= held_;
    const auto own = room_.taken_by.find(tenant_);
    if ((own->second -= held_) == 0) room_.taken_by.erase(own);
    held_ = 0;
}

}  // namespace pawl::http
