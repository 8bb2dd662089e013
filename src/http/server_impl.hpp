#pragma once

#include "http/server.hpp"
#include "http/server_sessions.hpp"
#include "http/server_tls.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace pawl::http {

class RequestParser;
struct AnswerParams;

// The room for the bodies of all requests.
struct BodyRoom {
    std::size_t most = 0;
    std::size_t taken = 0;
    std::unordered_map<std::int32_t, std::size_t> taken_by = {};  // tenants
};

// What the body of one request takes of it; given back at the end.
class BodyShare {
public:
    explicit BodyShare(BodyRoom& room) : room_(room) {}
    ~BodyShare() { give_back(); }
    BodyShare(const BodyShare&) = delete;
    BodyShare& operator=(const BodyShare&) = delete;

    // Before it has grown.
    void belongs_to(std::int32_t tenant) { tenant_ = tenant; }
    // False when there is no room for a body of that size.
    bool grow_to(std::size_t size);
    void give_back();

private:
    BodyRoom& room_;
    std::int32_t tenant_ = 0;
    std::size_t held_ = 0;
};

// Coroutines are static and own what they need: the Server may go away before they end.
// server.cpp has the life of the server, server_serve.cpp that of a connection.
class Server::Impl : public std::enable_shared_from_this<Server::Impl> {
public:
    using Self = std::shared_ptr<Impl>;
    using SessionPtr = std::shared_ptr<Session>;

    Impl(asio::any_io_executor executor, ServerOptions options, Handler handler, Door door);

    void listen();
    std::uint16_t port() const { return port_; }
    std::size_t connections() const { return table_.size(); }
    std::size_t connections_max() const { return connections_max_; }
    std::size_t body_bytes() const { return bodies_.taken; }
    std::size_t answer_bytes() const { return answers_.taken; }
    static asio::awaitable<void> drain(Self self);
    static asio::awaitable<void> stop(Self self);
    // For one that is not drained: the handler is not called any more.
    void abort();

private:
    void bind();
    void close_acceptor();
    static asio::awaitable<void> accept_all(Self self);
    void take(asio::ip::tcp::socket socket);
    bool make_room();
    // For a newcomer when all are busy: a place among the few that are kept for probes. The one
    // that has had its place longest without a request makes room.
    bool make_room_for_probe();
    bool is_probe(const ServerRequest& request) const;
    // Runs `work`; the session, if there is one, is closed when nothing runs for it any more.
    void own(asio::awaitable<void> work, SessionPtr session, asio::cancellation_slot slot);
    void sweep_later();
    void sweep();
    void abandon(SessionPtr session, int status, std::string_view detail);
    static asio::awaitable<void> wait_until_drained(Self self, Steady::duration at_most);

    static asio::awaitable<void> serve(Self self, SessionPtr session);
    // False when the connection is over.
    static asio::awaitable<bool> serve_one(Self self, SessionPtr session);
    // True when the request is there; else it was refused, or its sender is gone.
    static asio::awaitable<bool> read_request(
        Self self, SessionPtr session, RequestParser& parser, BodyShare& share
    );
    // Asks the door; false: it was refused.
    static asio::awaitable<bool> let_in(
        Self self, SessionPtr session, RequestParser& parser, BodyShare& share
    );
    static asio::awaitable<ServerResponse> handle(
        Self self, SessionPtr session, ServerRequest request
    );
    static asio::awaitable<void> stream_answer(
        Self self, SessionPtr session, ServerResponse response, AnswerParams params
    );
    static asio::awaitable<void> watch(SessionPtr session);
    static asio::awaitable<void> refuse(SessionPtr session, int status, std::string_view detail);
    static asio::awaitable<void> answer_and_close(SessionPtr session, ServerResponse response);

    asio::any_io_executor executor_;
    const ServerOptions options_;
    const Handler handler_;
    const Door door_;
    std::optional<TlsContext> tls_;
    asio::ip::tcp::acceptor acceptor_;
    std::uint16_t port_ = 0;
    std::size_t connections_max_ = 0;
    bool stopping_ = false;
    bool draining_ = false;
    bool aborted_ = false;
    std::size_t running_ = 0;  // coroutines that have not ended
    BodyRoom bodies_;
    BodyRoom answers_;
    SessionTable table_;
    asio::steady_timer drained_;
    asio::steady_timer tick_;
    bool ticking_ = false;
};

}  // namespace pawl::http
