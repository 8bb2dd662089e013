#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pawl::http {

namespace asio = boost::asio;
using asio::ip::tcp;

// A server that misbehaves as told: takes connections one by one, reads until the end of the
// request's headers, writes what it was given and closes, or keeps quiet.
class RawPeer {
public:
    explicit RawPeer(asio::io_context& io)
        : acceptor_(io, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)) {}

    std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

    int requests = 0;
    std::vector<tcp::socket> kept;

    // Answers one request with `answer` and closes.
    asio::awaitable<bool> answer_and_close(std::string answer) {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        co_await read_head(socket);
        boost::system::error_code failed;
        co_await asio::async_write(
            socket, asio::buffer(answer), asio::redirect_error(asio::use_awaitable, failed)
        );
        co_return !failed;
    }

    // Answers the first request of a connection, reads a second one and closes on it.
    asio::awaitable<bool> close_on_second(std::string answer) {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        co_await read_head(socket);
        co_await asio::async_write(socket, asio::buffer(answer), asio::use_awaitable);
        co_await read_head(socket);
        co_return true;
    }

    // Reads the request and never says a word; the connection stays open.
    asio::awaitable<bool> keep_silent() {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        co_await read_head(socket);
        kept.push_back(std::move(socket));
        co_return true;
    }

private:
    asio::awaitable<void> read_head(tcp::socket& socket) {
        std::string text;
        while (text.find("\r\n\r\n") == std::string::npos) {
            char piece[1024];
            const std::size_t size =
                co_await socket.async_read_some(asio::buffer(piece), asio::use_awaitable);
            text.append(piece, size);
        }
        ++requests;
    }

    tcp::acceptor acceptor_;
};

// Sends text to a server and reads until it closes; what came in.
inline asio::awaitable<std::string> exchange(std::uint16_t port, std::string text) {
    const auto executor = co_await asio::this_coro::executor;
    tcp::socket socket(executor);
    const tcp::endpoint there(asio::ip::make_address("127.0.0.1"), port);
    co_await socket.async_connect(there, asio::use_awaitable);
    boost::system::error_code failed;
    co_await asio::async_write(
        socket, asio::buffer(text), asio::redirect_error(asio::use_awaitable, failed)
    );
    std::string answer;
    co_await asio::async_read(
        socket, asio::dynamic_buffer(answer), asio::redirect_error(asio::use_awaitable, failed)
    );
    co_return answer;
}

}  // namespace pawl::http
