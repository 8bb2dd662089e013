#include "host/supervisor.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace pawl::host {

Supervisor::Supervisor() {
    if (const char* path = std::getenv("NOTIFY_SOCKET")) socket_ = path;
    const char* watchdog = std::getenv("WATCHDOG_USEC");
    const char* whose = std::getenv("WATCHDOG_PID");
    const bool ours = whose == nullptr || std::atol(whose) == getpid();
    const long long limit = watchdog == nullptr ? 0 : std::atoll(watchdog);
    if (limit > 0 && ours) every_ = std::chrono::microseconds(limit / 2);
    // Children must not speak for us.
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

void Supervisor::ready(const std::string& status) {
    tell("READY=1\nSTATUS=" + status);
}

void Supervisor::stopping() {
    tell("STOPPING=1\nSTATUS=finishing what is under way");
}

void Supervisor::alive() {
    if (!every_ || Steady::now() < told_ + *every_) return;
    told_ = Steady::now();
    tell("WATCHDOG=1");
}

// There is no answer to wait for; a supervisor that does not listen is no error.
void Supervisor::tell(const std::string& message) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    if (socket_.front() == '@') address.sun_path[0] = '\0';  // an abstract name
    const int file = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0) return;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    ::sendto(
        file,
        message.data(),
        message.size(),
        MSG_NOSIGNAL | MSG_DONTWAIT,
        reinterpret_cast<const sockaddr*>(&address),
        length
    );
    ::close(file);
}

}  // namespace pawl::host
