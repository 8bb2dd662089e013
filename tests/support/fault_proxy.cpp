#include "support/fault_proxy.hpp"

#include "engine/async/coroutine_group.hpp"
#include "pg/big_endian.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>

namespace pawl::test {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::int32_t ssl_request = 80877103;
constexpr std::int32_t gssenc_request = 80877104;
constexpr char ready_for_query = 'Z';

std::string variable(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

asio::generic::stream_protocol::endpoint upstream() {
    const std::string host = variable("PGHOST", "127.0.0.1");
    const std::string port = variable("PGPORT", "5432");
    if (host.starts_with('/')) {
        return asio::local::stream_protocol::endpoint(host + "/.s.PGSQL." + port);
    }
    return tcp::endpoint(asio::ip::make_address(host), static_cast<std::uint16_t>(std::stoi(port)));
}

// Cuts a stream of bytes into messages: a type byte and a length, but the first of a client has no
// type.
class Splitter {
public:
    explicit Splitter(bool typed) : typed_(typed) {}

    void add(const char* bytes, std::size_t count) { buffer_.append(bytes, count); }

    std::optional<std::string> next() {
        const std::size_t before = typed_ ? 1 : 0;
        if (buffer_.size() < before + 4) return std::nullopt;
        const auto length = pg::wire::get<std::int32_t>(buffer_.data() + before);
        const std::size_t whole = before + static_cast<std::size_t>(length);
        if (buffer_.size() < whole) return std::nullopt;
        std::string message = buffer_.substr(0, whole);
        buffer_.erase(0, whole);
        return message;
    }
    void begin_types() { typed_ = true; }
    bool typed() const { return typed_; }

private:
    std::string buffer_;
    bool typed_;
};

bool asks_for_encryption(const std::string& startup) {
    if (startup.size() != 8) return false;
    const auto code = pg::wire::get<std::int32_t>(startup.data() + 4);
    return code == ssl_request || code == gssenc_request;
}

// Bind: a type, a length, the portal's name and the statement's, each ended by a zero.
bool binds(const std::string& message, const std::string& statement) {
    return message.front() == 'B' && message.find('\0' + statement + '\0') != std::string::npos;
}

struct Link {
    Link(tcp::socket given, asio::io_context& loop) : client(std::move(given)), server(loop) {}
    tcp::socket client;
    asio::generic::stream_protocol::socket server;
    bool swallowing = false;     // the server's answers are dropped until it is ready
    std::size_t since_bind = 0;  // messages since it has bound the statement that the fault names
    std::uint64_t born = 0;      // after this many silences
    Fault::How how = Fault::How::close;

    void cut() {
        error_code ignored;
        server.close(ignored);
        if (how == Fault::How::reset) {
            client.set_option(asio::socket_base::linger(true, 0), ignored);
            client.close(ignored);
        } else {
            // Not closed yet: with unread bytes that would be a reset too.
            client.shutdown(tcp::socket::shutdown_send, ignored);
        }
    }
};
using LinkPtr = std::shared_ptr<Link>;

template <class Socket>
asio::awaitable<bool> write_all(Socket& socket, std::string bytes) {
    error_code failed;
    co_await asio::async_write(
        socket, asio::buffer(bytes), asio::redirect_error(asio::use_awaitable, failed)
    );
    co_return !failed;
}

template <class Socket>
asio::awaitable<bool> read_into(Socket& socket, Splitter& splitter) {
    std::array<char, 16384> chunk{};
    error_code failed;
    const std::size_t count = co_await socket.async_read_some(
        asio::buffer(chunk), asio::redirect_error(asio::use_awaitable, failed)
    );
    splitter.add(chunk.data(), count);
    co_return !failed;
}

}  // namespace

struct FaultProxy::Impl {
    asio::io_context loop{1};
    tcp::acceptor acceptor{loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
    engine::CoroutineGroup tasks{loop.get_executor()};
    std::uint16_t port = acceptor.local_endpoint().port();
    std::thread thread;

    mutable std::mutex mutex;
    std::optional<Fault> fault;
    bool fired = false;
    bool mute = false;  // what connects is not served
    std::array<std::size_t, 2> seen{};
    std::uint64_t silences = 0;  // of this thread: links from before one say nothing any more

    // Counts a message and says whether the cut is at this one.
    std::optional<Fault> judge(Fault::From from, Link& link, const std::string& message) {
        const std::lock_guard lock(mutex);
        const std::size_t number = ++seen[static_cast<std::size_t>(from)];
        if (!fault || fault->from != from) return std::nullopt;
        const bool named = !fault->statement.empty();
        if (named && (link.since_bind > 0 || binds(message, fault->statement))) ++link.since_bind;
        if (fault->message != (named ? link.since_bind : number)) return std::nullopt;
        fired = true;
        mute = fault->how == Fault::How::silence;
        return std::exchange(fault, std::nullopt);
    }
    bool is_mute() const {
        const std::lock_guard lock(mutex);
        return mute;
    }
    bool silent(const Link& link) const { return link.born < silences; }

    // Reads and forgets, so that the peer's kernel sees a healthy connection.
    template <class Socket>
    asio::awaitable<void> swallow(Socket& socket) {
        for (bool more = true; more;) {
            Splitter rest(true);
            more = co_await read_into(socket, rest);
        }
    }

    asio::awaitable<void> accept() {
        for (;;) {
            tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
            socket.set_option(tcp::no_delay(true));
            tasks.spawn(from_client(std::make_shared<Link>(std::move(socket), loop)));
        }
    }

    asio::awaitable<void> from_client(LinkPtr link) {
        error_code failed;
        link->born = silences;
        if (is_mute()) co_return co_await swallow(link->client);
        co_await link->server.async_connect(
            upstream(), asio::redirect_error(asio::use_awaitable, failed)
        );
        if (!failed) tasks.spawn(from_server(link));
        Splitter messages(false);
        bool open = !failed;
        while (open) {
            const bool read = co_await read_into(link->client, messages);
            if (silent(*link)) co_return co_await swallow(link->client);
            auto message = messages.next();
            while (read && open && message) {
                open = co_await pass_to_server(link, messages, std::move(*message));
                if (open) message = messages.next();
            }
            open = open && read;
        }
        if (silent(*link)) co_return;
        // A client that was told of the end reads it before we close for good.
        link->server.close(failed);
        for (bool more = link->client.is_open(); more;) {
            Splitter rest(true);
            more = co_await read_into(link->client, rest);
        }
        link->client.close(failed);
    }

    // False when the connection was cut.
    asio::awaitable<bool> pass_to_server(LinkPtr link, Splitter& messages, std::string message) {
        if (!messages.typed()) {
            if (asks_for_encryption(message)) co_return co_await write_all(link->client, "N");
            messages.begin_types();
        }
        const auto hit = judge(Fault::From::client, *link, message);
        if (hit) link->how = hit->how;
        if (hit && hit->cut == Fault::Cut::before) {
            if (hit->bytes > 0) co_await write_all(link->server, message.substr(0, hit->bytes));
            if (hit->how == Fault::How::silence) {
                ++silences;
                co_await swallow(link->client);
            } else {
                link->cut();
            }
            co_return false;
        }
        if (hit && hit->cut == Fault::Cut::answered) link->swallowing = true;
        const bool written = co_await write_all(link->server, std::move(message));
        if (hit && hit->cut == Fault::Cut::after) {
            link->cut();
            co_return false;
        }
        co_return written;
    }

    asio::awaitable<void> from_server(LinkPtr link) {
        Splitter messages(true);
        bool open = true;
        while (open) {
            const bool read = co_await read_into(link->server, messages);
            if (silent(*link)) co_return co_await swallow(link->server);
            auto message = messages.next();
            while (open && message) {
                open = co_await pass_to_client(link, std::move(*message));
                if (open) message = messages.next();
            }
            if (open && !read) link->cut();
            open = open && read;
        }
    }

    asio::awaitable<bool> pass_to_client(LinkPtr link, std::string message) {
        if (link->swallowing) {
            if (message.front() != ready_for_query) co_return true;
            link->cut();
            co_return false;
        }
        const auto hit = judge(Fault::From::server, *link, message);
        if (hit) link->how = hit->how;
        bool open = !hit || hit->cut != Fault::Cut::before;
        if (open) open = co_await write_all(link->client, std::move(message));
        if (hit) link->cut();
        co_return open && !hit;
    }

    void reset(std::optional<Fault> next) {
        const std::lock_guard lock(mutex);
        fault = next;
        fired = false;
        mute = false;
        seen = {};
    }
};

FaultProxy::FaultProxy() : impl_(std::make_unique<Impl>()) {
    impl_->tasks.spawn(impl_->accept());
    impl_->thread = std::thread([impl = impl_.get()] { impl->loop.run(); });
}

FaultProxy::~FaultProxy() {
    impl_->loop.stop();
    impl_->thread.join();
}

std::string FaultProxy::url_of(const std::string& database) const {
    return "postgresql://" + variable("PGUSER", "postgres") +
           "@127.0.0.1:" + std::to_string(impl_->port) + "/" + database;
}

void FaultProxy::arm(const Fault& fault) {
    impl_->reset(fault);
}

void FaultProxy::disarm() {
    impl_->reset(std::nullopt);
}

void FaultProxy::fall_silent() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->mute = true;
    }
    asio::post(impl_->loop, [impl = impl_.get()] { ++impl->silences; });
}

bool FaultProxy::fired() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->fired;
}

std::size_t FaultProxy::seen(Fault::From from) const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->seen[static_cast<std::size_t>(from)];
}

}  // namespace pawl::test
