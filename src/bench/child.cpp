#include "bench/child.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>

namespace pawl::bench {

namespace {

std::vector<std::string> behind(
    std::vector<std::string> words, const std::vector<std::string>& more
) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// "NAME=value" of ours, unless it is given.
bool is_given(std::string_view one, const std::vector<std::string>& given) {
    const std::string_view name = one.substr(0, one.find('=') + 1);
    return std::any_of(given.begin(), given.end(), [&](const std::string& other) {
        return other.starts_with(name);
    });
}

}  // namespace

// The environment names the database: every user can see arguments.
Child::Child(
    const std::string& program,
    const std::string& database_url,
    const std::vector<std::string>& arguments
)
    : Child(program, behind({"bench-child"}, arguments), {"DATABASE_URL=" + database_url}) {}

Child::Child(
    const std::string& program,
    std::vector<std::string> words,
    const std::vector<std::string>& environment
) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Failure({Errc::unavailable, "cannot make a pipe", {}});
    words.insert(words.begin(), program);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::vector<std::string> given = environment;
    std::vector<char*> env;
    for (auto& one : given) env.push_back(one.data());
    for (char** one = environ; *one != nullptr; ++one) {
        if (!is_given(*one, given)) env.push_back(*one);
    }
    env.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int failed =
        posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), env.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (failed != 0) {
        pid_ = 0;
        throw Failure({Errc::unavailable, "cannot start " + program, {}});
    }
}

Child::~Child() {
    kill_hard();
    if (output_ >= 0) close(output_);
}

void Child::kill_hard() {
    if (pid_ == 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
}

std::string Child::read_line(Duration limit) {
    const auto deadline = Steady::now() + limit;
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now());
        pollfd readable{output_, POLLIN, 0};
        if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
            throw Failure({Errc::timeout, "the other process said nothing in time", {}});
        }
        char chunk[4096];
        const ssize_t got = read(output_, chunk, sizeof chunk);
        if (got <= 0) throw Failure({Errc::unavailable, "the other process ended early", {}});
        buffer_.append(chunk, static_cast<std::size_t>(got));
    }
}

}  // namespace pawl::bench
