#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace pawl::http {

namespace asio = boost::asio;

class BodyStream;

// A connection of the server and its watchdog: one deadline at a time, after which whatever waits
// on the socket is cancelled, again and again until the session notices.
class Session : public std::enable_shared_from_this<Session> {
public:
    explicit Session(asio::ip::tcp::socket socket);

    void arm(std::chrono::milliseconds limit);
    void disarm();
    void close();

    asio::ip::tcp::socket socket;
    std::string peer;
    std::shared_ptr<BodyStream> stream;  // while an answer is streamed
    std::chrono::milliseconds write_timeout = std::chrono::seconds(30);
    bool timed_out = false;
    bool idle = false;  // between requests: nothing is lost when it is closed

private:
    void watch();

    asio::steady_timer timer_;
    std::uint64_t round_ = 0;
};

}  // namespace pawl::http
