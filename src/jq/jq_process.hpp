#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

namespace pawl::jq {

// A jq child: a process with no environment and no descriptors but one end of a socket. Killed with
// this object.
class Process {
public:
    // Starts `binary` as a child. Throws Failure when that is not possible.
    explicit Process(const std::string& binary);
    ~Process();
    Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, 0)), socket_(other.socket_) {
        other.socket_ = -1;
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    Process& operator=(Process&&) = delete;

    // Our end; the caller closes it.
    int take_socket() { return std::exchange(socket_, -1); }
    pid_t pid() const { return pid_; }
    void kill();
    // For one that is ending: the signal that ended it, or 0.
    int reap();

private:
    pid_t pid_ = 0;
    int socket_ = -1;
};

}  // namespace pawl::jq
