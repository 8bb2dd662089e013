#include "dev/process.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

namespace pawl::dev {

namespace {

constexpr Duration turn = std::chrono::milliseconds(10);

// The exit code of a child that could not become the program, before it had a chance to say why.
constexpr int cannot_start = 127;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
}

bool become(const User& user) {
    return ::setgroups(user.groups.size(), user.groups.data()) == 0 && ::setgid(user.gid) == 0 &&
           ::setuid(user.uid) == 0;
}

// What the child does between fork and exec: only calls that are safe there, nothing allocates.
struct Launch {
    char* const* argv;
    char* const* env;
    const char* cwd;
    int log;
    const User* user;
    int death_signal;
    pid_t parent;

    void go() const {
        ::setsid();
        const int nothing = ::open("/dev/null", O_RDONLY);
        if (::dup2(nothing, 0) < 0 || ::dup2(log, 1) < 0 || ::dup2(log, 2) < 0) return;
        if (user != nullptr && !become(*user)) return;
        if (::chdir(cwd) != 0) return;
        // After the change of user, which clears it.
        if (death_signal != 0) ::prctl(PR_SET_PDEATHSIG, death_signal);
        if (death_signal != 0 && ::getppid() != parent) return;
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execve(argv[0], argv, env);
    }
};

[[noreturn]] void fail(const std::string& what, int error) {
    throw Failure({Errc::internal, fmt::format("{}: {}", what, std::strerror(error)), {}});
}

// The child reports a failed start through a pipe that a successful exec closes.
void await_exec(pid_t child, int pipe, const std::string& program) {
    int error = 0;
    ssize_t got = 0;
    do {
        got = ::read(pipe, &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    ::close(pipe);
    if (got != sizeof error) return;
    ::waitpid(child, nullptr, 0);
    fail("cannot start " + program, error);
}

}  // namespace

std::optional<User> server_user() {
    if (::geteuid() != 0) return std::nullopt;
    const passwd* entry = ::getpwnam("postgres");
    if (entry == nullptr) {
        throw Failure(
            {Errc::unavailable,
             "PostgreSQL does not run as root, and there is no user 'postgres' to run it as; "
             "start pawl as an ordinary user, or: useradd --system postgres",
             {}}
        );
    }
    User user{entry->pw_name, entry->pw_uid, entry->pw_gid, {}};
    std::array<gid_t, 64> groups{};
    int count = groups.size();
    ::getgrouplist(user.name.c_str(), user.gid, groups.data(), &count);
    user.groups.assign(groups.begin(), groups.begin() + std::min<int>(count, groups.size()));
    return user;
}

pid_t spawn(const Command& command) {
    const int log = ::open(command.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) fail("cannot open " + command.log.string(), errno);
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
    const auto argv = pointers(command.argv);
    const auto env = pointers(command.env);
    const User* user = command.user ? &*command.user : nullptr;
    const Launch launch{
        argv.data(), env.data(), command.cwd.c_str(), log, user, command.death_signal, ::getpid()};
    const pid_t child = ::fork();
    if (child == 0) {
        launch.go();
        const int error = errno;
        [[maybe_unused]] const ssize_t told = ::write(pipe[1], &error, sizeof error);
        ::_exit(cannot_start);
    }
    const int error = errno;
    ::close(log);
    ::close(pipe[1]);
    if (child < 0) {
        ::close(pipe[0]);
        fail("cannot start a process", error);
    }
    await_exec(child, pipe[0], command.argv[0]);
    return child;
}

std::optional<int> wait_child(pid_t child, Duration limit) {
    const auto deadline = Steady::now() + limit;
    while (true) {
        int status = 0;
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        // Reaped elsewhere: it has ended, with an unknown status.
        if (ended < 0 && errno == ECHILD) return cannot_start;
        if (Steady::now() >= deadline) return std::nullopt;
        pause(turn);
    }
}

int run_program(const Command& command, Duration limit) {
    const pid_t child = spawn(command);
    if (const auto code = wait_child(child, limit)) return *code;
    ::kill(-child, SIGKILL);
    return wait_child(child, std::chrono::seconds(5)).value_or(cannot_start);
}

std::vector<pid_t> stopped_children(pid_t parent) {
    std::vector<pid_t> found;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream in(entry.path() / "stat");
        std::string text;
        std::getline(in, text);
        // "number (name) state parent ...", and a name may hold anything.
        const auto end = text.rfind(')');
        if (end == std::string::npos) continue;
        std::istringstream rest(text.substr(end + 1));
        char state = 0;
        pid_t ppid = 0;
        rest >> state >> ppid;
        if (ppid == parent && state == 'T') found.push_back(std::stoi(name));
    }
    return found;
}

bool is_alive(pid_t process) {
    return ::kill(process, 0) == 0 || errno == EPERM;
}

bool can_enter(const User& user, const fs::path& directory) {
    const std::string path = directory.string();
    const pid_t child = ::fork();
    if (child < 0) fail("cannot start a process", errno);
    if (child == 0) ::_exit(become(user) && ::chdir(path.c_str()) == 0 ? 0 : 1);
    return wait_child(child, std::chrono::seconds(5)) == 0;
}

void pause(Duration duration) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration);
    ::poll(nullptr, 0, static_cast<int>(ms.count()));
}

}  // namespace pawl::dev
