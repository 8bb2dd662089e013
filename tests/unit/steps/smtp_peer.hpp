#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;
using asio::ip::tcp;

// An SMTP server for one conversation, which answers as it is told.
class SmtpPeer {
public:
    explicit SmtpPeer(asio::io_context& io)
        : acceptor_(io, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)) {}

    std::string url() const {
        return "smtp://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
    }

    // Replies instead of the usual ones, by the first word; "." is the end of the message. An empty
    // one: the connection is closed without a word.
    std::map<std::string, std::string> replies;
    bool hangs_up = false;  // when the message begins
    std::vector<std::string> heard;
    std::string data;

    asio::awaitable<bool> serve() {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        std::string reply = "220 peer";
        std::string buffer;
        while (!reply.empty()) {
            co_await say(socket, reply);
            if (reply.starts_with("354")) {
                if (hangs_up) break;
                data = co_await read_to(socket, buffer, "\r\n.\r\n");
                reply = reply_to(".", "250 taken");
                continue;
            }
            std::string line = co_await read_to(socket, buffer, "\r\n");
            if (line.empty()) break;
            line.resize(line.size() - 2);
            heard.push_back(line);
            reply = answer(line);
        }
        co_return true;
    }

private:
    std::string reply_to(const std::string& word, std::string usual) const {
        const auto found = replies.find(word);
        return found == replies.end() ? std::move(usual) : found->second;
    }
    std::string answer(const std::string& line) const {
        const std::string word = line.substr(0, line.find(' '));
        if (word == "EHLO") return reply_to(word, "250-peer\r\n250 AUTH PLAIN");
        if (word == "AUTH") return reply_to(word, "334 ");
        if (word == "DATA") return reply_to(word, "354 go on");
        if (word == "QUIT") return reply_to(word, "221 bye");
        if (word == "MAIL" || word == "RCPT") return reply_to(word, "250 ok");
        return "235 welcome";  // to every login
    }
    static asio::awaitable<void> say(tcp::socket& socket, std::string text) {
        text += "\r\n";
        boost::system::error_code failed;
        co_await asio::async_write(
            socket, asio::buffer(text), asio::redirect_error(asio::use_awaitable, failed)
        );
    }
    static asio::awaitable<std::string> read_to(
        tcp::socket& socket, std::string& buffer, std::string end
    ) {
        boost::system::error_code failed;
        const std::size_t size = co_await asio::async_read_until(
            socket,
            asio::dynamic_buffer(buffer),
            end,
            asio::redirect_error(asio::use_awaitable, failed)
        );
        if (failed) co_return "";
        std::string text = buffer.substr(0, size);
        buffer.erase(0, size);
        co_return text;
    }

    tcp::acceptor acceptor_;
};

}  // namespace pawl::steps
