#pragma once

#include "base/clock.hpp"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pawl::dev {

namespace fs = std::filesystem;

// The user that a child runs as.
struct User {
    std::string name;
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups;
};

// Postgres refuses to run as root. Nothing when we are not root; throws when we are and the machine
// has no user for it.
std::optional<User> server_user();

struct Command {
    std::vector<std::string> argv;  // argv[0] is a path
    std::vector<std::string> env;   // the whole environment, NAME=value
    fs::path cwd = "/";
    fs::path log;  // stdout and stderr are appended here
    std::optional<User> user;
    int death_signal = 0;  // sent by the kernel when the starting thread dies
};

// Starts a child in a session of its own, so that Ctrl-C on the terminal does not reach it. Throws
// when the program cannot be started.
pid_t spawn(const Command& command);

// The exit code, once the child has ended; 128 + n for signal n. Nothing when the limit passes.
std::optional<int> wait_child(pid_t child, Duration limit);

// Runs a program to its end; one that takes longer than the limit is killed and counts as failed.
int run_program(const Command& command, Duration limit);

// The children of a process that are stopped (SIGSTOP).
std::vector<pid_t> stopped_children(pid_t parent);

// Whether any process has this number.
bool is_alive(pid_t process);

// Whether a user can get into a directory, through all of its parents.
bool can_enter(const User& user, const fs::path& directory);

// Blocks this thread; there is no event loop yet, or no more, when this is used.
void pause(Duration duration);

}  // namespace pawl::dev
