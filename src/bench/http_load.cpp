#include "bench/http_load.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace pawl::bench {

// Plain epoll with two system calls a request: the load must cost as little as it can, because it
// shares the machine with what it measures.
namespace {

[[noreturn]] void give_up(std::string_view what) {
    throw Failure({Errc::unavailable, fmt::format("{}: {}", what, std::strerror(errno)), {}});
}

struct Connection {
    int fd = -1;
    std::string received;
    Steady::time_point sent{};
};

class Load {
public:
    explicit Load(LoadOptions options)
        : options_(std::move(options)), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
        connections_.resize(static_cast<std::size_t>(options_.connections));
        for (Connection& connection : connections_) open(connection);
    }
    ~Load() {
        for (const Connection& connection : connections_) ::close(connection.fd);
        ::close(epoll_);
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    LoadResult run() {
        const auto begun = Steady::now();
        const auto end = begun + std::chrono::duration_cast<Steady::duration>(
                                     std::chrono::duration<double>(options_.seconds)
                                 );
        for (Connection& connection : connections_) send(connection);
        std::array<epoll_event, 64> events{};
        while (Steady::now() < end && under_way_ > 0) {
            const int count = ::epoll_wait(epoll_, events.data(), int{events.size()}, 1000);
            for (int i = 0; i < count; ++i) {
                receive(*static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr));
            }
        }
        result_.seconds = std::chrono::duration<double>(Steady::now() - begun).count();
        std::sort(result_.latency_ms.begin(), result_.latency_ms.end());
        return std::move(result_);
    }

private:
    void open(Connection& connection) {
        connection.fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(options_.port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* plain = reinterpret_cast<const sockaddr*>(&address);
        if (::connect(connection.fd, plain, sizeof address) != 0) give_up("cannot connect");
        const int on = 1;
        ::setsockopt(connection.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.ptr = &connection;
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.fd, &event);
    }

    // A request fits the empty send buffer of its socket.
    void send(Connection& connection) {
        if (options_.next && !options_.next(options_.request)) return;
        const std::string& request = options_.request;
        ++under_way_;
        connection.sent = Steady::now();
        const ssize_t size = ::send(connection.fd, request.data(), request.size(), MSG_NOSIGNAL);
        if (size != static_cast<ssize_t>(request.size())) give_up("cannot send");
    }

    void receive(Connection& connection) {
        std::array<char, 4096> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
        const ssize_t size = ::recv(connection.fd, buffer.data(), buffer.size(), 0);
        if (size <= 0) give_up("the server closed a connection");
        connection.received.append(buffer.data(), static_cast<std::size_t>(size));
        if (!is_whole(connection.received)) return;
        ++(connection.received.starts_with("HTTP/1.1 2") ? result_.answers : result_.others);
        const auto took = Steady::now() - connection.sent;
        result_.latency_ms.push_back(std::chrono::duration<float, std::milli>(took).count());
        connection.received.clear();
        --under_way_;
        send(connection);
    }

    static bool is_whole(std::string_view text) {
        const std::size_t head = text.find("\r\n\r\n");
        if (head == std::string_view::npos) return false;
        constexpr std::string_view name = "\r\nContent-Length: ";
        const std::size_t at = text.find(name);
        if (at > head) return true;
        std::size_t length = 0;
        std::from_chars(text.data() + at + name.size(), text.data() + text.size(), length);
        return text.size() >= head + 4 + length;
    }

    LoadOptions options_;
    int epoll_;
    std::vector<Connection> connections_;
    LoadResult result_;
    int under_way_ = 0;
};

}  // namespace

LoadResult load_server(LoadOptions options) {
    return Load(std::move(options)).run();
}

}  // namespace pawl::bench
