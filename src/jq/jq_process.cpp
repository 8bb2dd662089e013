#include "jq/jq_process.hpp"

#include "base/error.hpp"
#include "jq/jq_child.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace pawl::jq {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
    throw Failure({Errc::unavailable, fmt::format("{}: {}", what, std::strerror(error)), {}});
}

// What the child finds open, and how it is set up before it begins.
class Launch {
public:
    explicit Launch(int socket) {
        posix_spawn_file_actions_init(&files_);
        posix_spawn_file_actions_adddup2(&files_, socket, STDIN_FILENO);
        posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&files_, STDOUT_FILENO, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        sigset_t all;
        sigfillset(&all);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        // A group of its own: Ctrl-C in a terminal is for the parent, which drains.
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        );
    }
    ~Launch() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&files_);
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    int spawn(pid_t& pid, const std::string& binary) {
        std::string program = "pawl";
        std::string word = child_word;
        std::array<char*, 3> argv{program.data(), word.data(), nullptr};
        std::array<char*, 1> environment{nullptr};
        return posix_spawn(
            &pid, binary.c_str(), &files_, &attributes_, argv.data(), environment.data()
        );
    }

private:
    posix_spawn_file_actions_t files_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

Process::Process(const std::string& binary) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        fail("cannot make a socket for a jq child", errno);
    }
    const int failed = Launch(ends[1]).spawn(pid_, binary);
    close(ends[1]);
    socket_ = ends[0];
    if (failed != 0) {
        close(socket_);
        pid_ = 0;
        fail("cannot start a jq child", failed);
    }
}

Process::~Process() {
    if (socket_ >= 0) close(socket_);
    kill();
    reap();
}

void Process::kill() {
    if (pid_ != 0) ::kill(pid_, SIGKILL);
}

int Process::reap() {
    if (pid_ == 0) return 0;
    int status = 0;
    pid_t ended = 0;
    do {
        ended = waitpid(pid_, &status, 0);
    } while (ended < 0 && errno == EINTR);
    pid_ = 0;
    return ended > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace pawl::jq
