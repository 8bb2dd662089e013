#include "dev/port.hpp"

#include "base/error.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pawl::dev {

namespace {

// The port that was bound (and let go again), or 0.
std::uint16_t try_bind(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return 0;
    // As Postgres does, so that connections of the last server in TIME_WAIT do not count.
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    const bool bound = ::bind(fd, generic, size) == 0 && ::listen(fd, 1) == 0 &&
                       ::getsockname(fd, generic, &size) == 0;
    ::close(fd);
    return bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

}  // namespace

bool is_free_port(std::uint16_t port) {
    return port != 0 && try_bind(port) == port;
}

std::uint16_t any_free_port() {
    const std::uint16_t port = try_bind(0);
    if (port == 0) throw Failure({Errc::unavailable, "no free TCP port on 127.0.0.1", {}});
    return port;
}

}  // namespace pawl::dev
