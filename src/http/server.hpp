#pragma once

#include "http/host_rules.hpp"
#include "http/message.hpp"
#include "http/server_stream.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pawl::http {

namespace asio = boost::asio;

// Every time is an absolute deadline: a peer cannot stretch it byte by byte.
struct ServerOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;  // 0: any free one
    std::size_t header_bytes_max = 16 << 10;
    std::size_t body_bytes_max = 1 << 20;
    // What is read of a body before the door has let its request in.
    std::size_t free_body_bytes = 4 << 10;
    // What longer bodies of all requests take together, from the first byte until the handler has
    // answered; more are answered 503. One tenant leaves an eighth to others.
    std::size_t bodies_bytes_max = 128 << 20;
    // What the answers that are being written take together; more are answered 503. Short ones
    // always go out and do not count.
    std::size_t answers_bytes_max = 128 << 20;
    std::size_t free_answer_bytes = 16 << 10;
    // Never more than the process may open. A newcomer takes the place of the connection that has
    // waited longest without a complete request; when all are busy it is answered 503.
    std::size_t connections_max = 20000;
    // Paths that are answered even then, on a few connections that are kept for
    // them: a balancer that hears 503 there would take a busy server out.
    std::vector<std::string> probes;
    std::size_t connections_per_peer = 0;  // by address, more are answered 503; 0: no limit
    std::chrono::milliseconds header_timeout = std::chrono::seconds(10);
    std::chrono::milliseconds body_timeout = std::chrono::seconds(30);
    std::chrono::milliseconds write_timeout = std::chrono::seconds(30);  // an answer, a piece of it
    std::chrono::milliseconds handler_timeout = std::chrono::seconds(60);  // not of a stream
    std::chrono::milliseconds idle_timeout = std::chrono::seconds(60);     // between requests
    std::chrono::milliseconds stop_timeout = std::chrono::seconds(5);
    // PEM files; with both, the server speaks TLS 1.2 or later and nothing else.
    std::string tls_cert_file;
    std::string tls_key_file;
    HostRules hosts;
};

// What a server answers.
struct ServerResponse {
    int status = 200;
    Headers headers;
    std::string body;
    // Writes the body instead, after the head has been sent. Called once; runs on the server's
    // executor. A stream that throws ends without being complete, which the peer can tell.
    std::function<asio::awaitable<void>(BodyStream&)> stream = {};
    // Closes the connection without an answer, to see what a caller does then.
    bool hang_up = false;
};

// Answers one request. What it throws is logged and answered with 500. It lives as long as the
// server's last request, so a coroutine may use what it captured. One that takes longer than
// handler_timeout is answered 504 and cancelled (asio's terminal cancellation).
using Handler = std::function<asio::awaitable<ServerResponse>(ServerRequest)>;

// What the door says. What refuses a request is sent instead, and the connection is closed.
struct Entry {
    std::optional<ServerResponse> refused = std::nullopt;
    std::int32_t tenant = 0;  // whose request it is
};

// Looks at a request whose body is longer than free_body_bytes before more of it is read. The
// handler gets those that it lets in, once they are complete. Lives as long as the handler; what it
// throws is logged and answered with 500.
using Door = std::function<asio::awaitable<Entry>(ServerRequest head)>;

// A small HTTP/1.1 server: keep-alive, limits, no routes (they are the handler's business). What
// it refuses itself is answered with a problem+json: 400, 403, 408, 413, 421, 431, 500, 503, 504.
//
// Lives on one executor that is run by one thread. Await stop() before the executor ends.
class Server {
public:
    Server(asio::any_io_executor executor, ServerOptions options, Handler handler, Door door = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Binds and starts to accept; throws Failure when the address cannot be had.
    void listen();
    // The real one, once it listens.
    std::uint16_t port() const;
    std::size_t connections() const;
    // How many it takes, once it listens.
    std::size_t connections_max() const;
    // What the bodies of requests take now.
    std::size_t body_bytes() const;
    // What the long answers that are being written take now.
    std::size_t answer_bytes() const;
    // Accepts no more, asks streams to end, lets requests under way finish (their answers say
    // "Connection: close"). After stop_timeout those that are left are answered 503.
    asio::awaitable<void> drain();
    // The same, and then closes and cancels what is left; handlers that cannot be cancelled are
    // waited for.
    asio::awaitable<void> stop();
    // Closes every connection at once.
    void abort();

private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace pawl::http
