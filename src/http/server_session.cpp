#include "http/server_session.hpp"

#include "http/server_stream.hpp"

#include <utility>

namespace pawl::http {

namespace {

// A cancel that hits the moment between two reads is lost, so it is repeated.
constexpr std::chrono::milliseconds cancel_again = std::chrono::milliseconds(50);

}  // namespace

Session::Session(asio::ip::tcp::socket accepted)
    : socket(std::move(accepted)), timer_(socket.get_executor()) {
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    const auto endpoint = socket.remote_endpoint(ignored);
    if (!ignored) peer = endpoint.address().to_string();
}

void Session::arm(std::chrono::milliseconds limit) {
    timed_out = false;
    timer_.expires_after(limit);
    watch();
}

void Session::disarm() {
    ++round_;
    timer_.cancel();
}

void Session::close() {
    disarm();
    boost::system::error_code ignored;
    socket.close(ignored);
    if (stream) stream->close();
}

void Session::watch() {
    timer_.async_wait([self = shared_from_this(), round = ++round_](auto failed) {
        if (failed || round != self->round_) return;
        self->timed_out = true;
        boost::system::error_code ignored;
        self->socket.cancel(ignored);
        self->timer_.expires_after(cancel_again);
        self->watch();
    });
}

}  // namespace pawl::http
