#pragma once

#include "engine/async/coroutine_group.hpp"
#include "sandbox/desk.hpp"
#include "sandbox/faults.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <functional>

namespace pawl::sandbox {

namespace asio = boost::asio;

// A mail server that keeps what it gets and sends nothing on: RFC 5321 without TLS, for this
// machine. A login is needed (AUTH PLAIN or LOGIN). A recipient whose name begins with "bounce"
// does not exist. One thread; the desk and the faults outlive it. Await stop() before the executor
// ends.
class SmtpSink {
public:
    SmtpSink(asio::any_io_executor executor, Desk& desk, Faults& faults);

    // Throws Failure when the port cannot be had. 0: any free one.
    void listen(const std::string& host, std::uint16_t port);
    std::uint16_t port() const;
    asio::awaitable<void> stop();

    // Called when messages were accepted.
    std::function<void()> on_accepted = [] {};

private:
    class Session;
    asio::awaitable<void> accept();
    asio::awaitable<void> serve(asio::ip::tcp::socket socket);

    asio::any_io_executor executor_;
    Desk& desk_;
    Faults& faults_;
    asio::ip::tcp::acceptor acceptor_;
    engine::CoroutineGroup tasks_;
};

}  // namespace pawl::sandbox
