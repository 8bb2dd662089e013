#include "base/error.hpp"
#include "base/log.hpp"
#include "dev/postmaster_pid.hpp"
#include "dev/private_postgres.hpp"

#include <fmt/core.h>

#include <csignal>

namespace pawl::dev {

namespace {

// A process id in a file says little: the number may belong to another process by now. Every user
// may read the command line of a process (not its directory, in a container), and it is empty once
// the process is dead, even before its parent reaps it.
bool is_server_of(pid_t process, const fs::path& data) {
    const auto line = read_file(fmt::format("/proc/{}/cmdline", process));
    if (!line) return false;
    const std::string argument = '\0' + data.string() + '\0';
    return line->find("postgres") != std::string::npos && line->find(argument) != std::string::npos;
}

bool wait_gone(pid_t process, const fs::path& data, Duration limit) {
    const auto deadline = Steady::now() + limit;
    while (is_server_of(process, data)) {
        if (Steady::now() >= deadline) return false;
        pause(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace

void stop_leftover(const fs::path& data) {
    const auto text = read_file(data / "postmaster.pid");
    const auto found = text ? parse_postmaster_pid(*text) : std::nullopt;
    if (!found) return;
    if (is_server_of(found->pid, data)) {
        log::info("an earlier server still runs; stopping it", {log::field("pid", found->pid)});
        // It may be on its way out already, because we died: a second request does no harm.
        for (const int signal : {SIGINT, SIGQUIT, SIGKILL}) {
            ::kill(found->pid, signal);
            if (wait_gone(found->pid, data, std::chrono::seconds(10))) return;
        }
        throw Failure(
            {Errc::conflict,
             fmt::format("the PostgreSQL server {} of this directory does not stop", found->pid),
             {}}
        );
    }
    // A new server copes with a file whose process is dead, and better than we would. But it
    // refuses to start when the number belongs to another process by now.
    if (is_alive(found->pid)) fs::remove(data / "postmaster.pid");
}

}  // namespace pawl::dev
