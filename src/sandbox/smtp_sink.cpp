#include "sandbox/smtp_sink.hpp"

#include "base/base64.hpp"
#include "base/utf8.hpp"
#include "sandbox/wire.hpp"

#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace pawl::sandbox {

namespace {

using asio::ip::tcp;

constexpr std::size_t message_bytes_max = 10 << 20;
constexpr std::size_t command_bytes_max = 2048;
constexpr std::size_t line_bytes_max = 64 << 10;
constexpr std::size_t sessions_max = 200;
constexpr std::size_t recipients_max = 100;
constexpr auto silence_max = std::chrono::minutes(2);
constexpr auto accept_pause = std::chrono::milliseconds(50);  // without room for more files

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return out;
}

// What stands between < and > of MAIL FROM:<...> and RCPT TO:<...>.
std::optional<std::string> path_of(std::string_view text) {
    const std::size_t open = text.find('<');
    const std::size_t close = text.find('>');
    if (open == text.npos || close == text.npos || close < open) return std::nullopt;
    return std::string(text.substr(open + 1, close - open - 1));
}

// Empty: of a bounce.
bool is_sender(const std::optional<std::string>& from) {
    return from && (from->empty() || mailbox(*from));
}

// A header of the message; folded lines are not joined.
std::string header_of(std::string_view message, std::string_view name) {
    const std::size_t end = std::min(message.find("\r\n\r\n"), message.size());
    std::string_view rest = message.substr(0, end);
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(std::min(line.size() + 2, rest.size()));
        const std::size_t colon = line.find(':');
        if (colon == line.npos || !http::equal_ignoring_case(line.substr(0, colon), name)) continue;
        const std::size_t begin = line.find_first_not_of(' ', colon + 1);
        return begin == line.npos ? "" : std::string(line.substr(begin));
    }
    return {};
}

}  // namespace

// One connection. Lives in the frame of serve().
class SmtpSink::Session {
public:
    Session(tcp::socket socket, Desk& desk, Faults& faults, const std::function<void()>& accepted)
        : line_(std::make_shared<tcp::socket>(std::move(socket))),
          socket_(*line_),
          silence_(socket_.get_executor()),
          desk_(desk),
          faults_(faults),
          on_accepted_(accepted) {}

    asio::awaitable<void> run() {
        co_await say("220 sandbox.example ESMTP Pawl sandbox");
        while (open_) {
            const std::string line = co_await read_line();
            if (!open_) break;
            if (line.size() > command_bytes_max) {
                co_await say("500 5.5.2 Line too long");
            } else {
                co_await obey(line);
            }
        }
    }

private:
    asio::awaitable<void> say(std::string text) {
        text += "\r\n";
        boost::system::error_code failed;
        co_await asio::async_write(
            socket_, asio::buffer(text), asio::redirect_error(asio::use_awaitable, failed)
        );
        if (failed) open_ = false;
    }

    // Without its end. Too slow, or far too long: the session is over.
    asio::awaitable<std::string> read_line(std::size_t most = line_bytes_max) {
        silence_.expires_after(silence_max);
        silence_.async_wait([line = line_](boost::system::error_code cancelled) {
            boost::system::error_code ignored;
            if (!cancelled) line->close(ignored);
        });
        boost::system::error_code failed;
        const std::size_t size = co_await asio::async_read_until(
            socket_,
            asio::dynamic_buffer(buffer_, most),
            "\r\n",
            asio::redirect_error(asio::use_awaitable, failed)
        );
        silence_.cancel();
        if (failed) {
            open_ = false;
            co_return std::string();
        }
        std::string line = buffer_.substr(0, size - 2);
        buffer_.erase(0, size);
        co_return line;
    }

    asio::awaitable<void> obey(std::string line) {
        const std::string word = upper(std::string_view(line).substr(0, line.find(' ')));
        if (word == "EHLO" || word == "HELO") {
            greeted_ = true;
            reset();
            co_await say(
                word == "HELO" ? "250 sandbox.example"
                               : fmt::format(
                                     "250-sandbox.example\r\n250-SIZE {}\r\n250-8BITMIME\r\n"
                                     "250-SMTPUTF8\r\n250-PIPELINING\r\n250 AUTH PLAIN LOGIN",
                                     message_bytes_max
                                 )
            );
        } else if (word == "NOOP") {
            co_await say("250 2.0.0 Ok");
        } else if (word == "RSET") {
            reset();
            co_await say("250 2.0.0 Ok");
        } else if (word == "QUIT") {
            co_await say("221 2.0.0 Bye");
            open_ = false;
        } else if (!greeted_) {
            co_await say("503 5.5.1 Say EHLO first");
        } else if (word == "AUTH") {
            co_await log_in(line);
        } else if (account_.empty()) {
            co_await say("530 5.7.0 Authentication required");
        } else if (word == "MAIL") {
            co_await begin_mail(line);
        } else if (word == "RCPT") {
            co_await add_recipient(line);
        } else if (word == "DATA") {
            co_await take_data();
        } else {
            co_await say("502 5.5.1 Command not implemented");
        }
    }

    asio::awaitable<void> log_in(std::string line) {
        const std::string rest = line.size() > 5 ? line.substr(5) : "";
        const std::string way = upper(rest.substr(0, rest.find(' ')));
        std::string given =
            rest.find(' ') == std::string::npos ? "" : rest.substr(rest.find(' ') + 1);
        std::string proof;
        if (way == "PLAIN") {
            if (given.empty()) {
                co_await say("334 ");
                given = co_await read_line();
            }
            const std::string parts = from_base64(given).value_or("");
            const std::size_t first = parts.find('\0');
            const std::size_t second = parts.find('\0', first == parts.npos ? 0 : first + 1);
            if (first != parts.npos && second != parts.npos && second > first) {
                proof =
                    parts.substr(first + 1, second - first - 1) + ":" + parts.substr(second + 1);
            }
        } else if (way == "LOGIN") {
            if (given.empty()) {
                co_await say("334 VXNlcm5hbWU6");
                given = co_await read_line();
            }
            co_await say("334 UGFzc3dvcmQ6");
            const std::string password = co_await read_line();
            proof = from_base64(given).value_or("") + ":" + from_base64(password).value_or("");
        } else {
            co_await say("504 5.5.4 Unrecognized authentication type");
            co_return;
        }
        const Account* account = desk_.holder("smtp", proof);
        if (account == nullptr) {
            co_await say("535 5.7.8 Authentication credentials invalid");
            co_return;
        }
        account_ = account->name;
        co_await say("235 2.7.0 Authentication successful");
    }

    asio::awaitable<void> begin_mail(std::string line) {
        fault_ = faults_.meet("smtp", desk_.rng());
        if (fault_ && fault_->kind == Fault::Kind::slow) {
            asio::steady_timer pause(socket_.get_executor(), fault_->delay);
            co_await pause.async_wait(asio::use_awaitable);
        }
        const auto from = path_of(line);
        if (fault_ && fault_->kind == Fault::Kind::limit) {
            co_await say("450 4.7.1 Too many messages, try again later");
        } else if (fault_ && fault_->kind == Fault::Kind::error) {
            co_await say("451 4.3.0 Local error in processing");
        } else if (!upper(line).starts_with("MAIL FROM:") || !is_sender(from)) {
            co_await say("501 5.1.7 Bad sender address syntax");
        } else {
            reset();
            from_ = *from;
            has_sender_ = true;
            co_await say("250 2.1.0 Ok");
        }
    }

    asio::awaitable<void> add_recipient(std::string line) {
        const auto to = path_of(line);
        if (!has_sender_) {
            co_await say("503 5.5.1 Need MAIL command");
        } else if (!upper(line).starts_with("RCPT TO:") || !to || !mailbox(*to)) {
            co_await say("501 5.1.3 Bad recipient address syntax");
        } else if (to->starts_with("bounce")) {
            co_await say(fmt::format("550 5.1.1 <{}>: Recipient address rejected", *to));
        } else if (to_.size() >= recipients_max) {
            co_await say("452 4.5.3 Too many recipients");
        } else {
            to_.push_back(*to);
            co_await say("250 2.1.5 Ok");
        }
    }

    asio::awaitable<void> take_data() {
        if (to_.empty()) {
            co_await say("503 5.5.1 Need RCPT command");
            co_return;
        }
        co_await say("354 End data with <CR><LF>.<CR><LF>");
        std::string text;
        bool too_large = false;
        while (open_) {
            std::string line = co_await read_line(message_bytes_max);
            if (!open_) co_return;
            if (line == ".") break;
            if (line.starts_with('.')) line.erase(0, 1);
            too_large = too_large || text.size() + line.size() > message_bytes_max;
            if (!too_large) text += line + "\r\n";
        }
        if (too_large) {
            co_await say("552 5.3.4 Message size exceeds fixed limit");
            reset();
            co_return;
        }
        const std::string id = keep(text);
        on_accepted_();
        if (fault_ && fault_->kind == Fault::Kind::drop) {
            open_ = false;
            socket_.close();
            co_return;
        }
        reset();
        co_await say("250 2.0.0 Ok: queued as " + id);
    }

    std::string keep(const std::string& text) {
        const std::string id = random_hex(desk_.rng(), 12);
        for (const std::string& to : to_) {
            Message message;
            message.at = wall_now();
            message.provider = "smtp";
            message.account = account_;
            message.id = header_of(text, "Message-ID");
            if (message.id.empty()) message.id = id;
            message.to = to;
            message.text = beginning(as_utf8(header_of(text, "Subject"), 500));
            message.request = as_utf8(text, Desk::shown_bytes_max);
            desk_.keep(std::move(message));
        }
        return id;
    }

    void reset() {
        from_.clear();
        to_.clear();
        has_sender_ = false;
    }

    std::shared_ptr<tcp::socket> line_;  // the timer may outlive the session
    tcp::socket& socket_;
    asio::steady_timer silence_;
    Desk& desk_;
    Faults& faults_;
    const std::function<void()>& on_accepted_;
    std::string buffer_;
    std::optional<Fault> fault_;
    std::string account_;
    std::string from_;
    std::vector<std::string> to_;
    bool open_ = true;
    bool greeted_ = false;
    bool has_sender_ = false;
};

SmtpSink::SmtpSink(asio::any_io_executor executor, Desk& desk, Faults& faults)
    : executor_(executor), desk_(desk), faults_(faults), acceptor_(executor), tasks_(executor) {}

void SmtpSink::listen(const std::string& host, std::uint16_t port) {
    boost::system::error_code failed;
    const tcp::endpoint endpoint(asio::ip::make_address(host, failed), port);
    if (!failed) acceptor_.open(endpoint.protocol(), failed);
    if (!failed) acceptor_.set_option(asio::socket_base::reuse_address(true), failed);
    if (!failed) acceptor_.bind(endpoint, failed);
    if (!failed) acceptor_.listen(asio::socket_base::max_listen_connections, failed);
    if (failed) {
        throw Failure(
            {Errc::unavailable,
             fmt::format("cannot take mail on {}:{}: {}", host, port, failed.message()),
             {}}
        );
    }
    tasks_.spawn(accept());
}

std::uint16_t SmtpSink::port() const {
    return acceptor_.is_open() ? acceptor_.local_endpoint().port() : std::uint16_t{0};
}

asio::awaitable<void> SmtpSink::stop() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    tasks_.cancel();
    co_await tasks_.join();
}

asio::awaitable<void> SmtpSink::accept() {
    for (;;) {
        tcp::socket socket(executor_);
        boost::system::error_code failed;
        co_await acceptor_.async_accept(socket, asio::redirect_error(asio::use_awaitable, failed));
        if (!acceptor_.is_open()) co_return;
        if (failed) {
            asio::steady_timer pause(executor_, accept_pause);
            co_await pause.async_wait(asio::use_awaitable);
            continue;
        }
        if (tasks_.size() > sessions_max) continue;
        tasks_.spawn(serve(std::move(socket)));
    }
}

asio::awaitable<void> SmtpSink::serve(tcp::socket socket) {
    Session session(std::move(socket), desk_, faults_, on_accepted);
    co_await session.run();
}

}  // namespace pawl::sandbox
