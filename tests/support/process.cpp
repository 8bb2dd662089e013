#include "support/process.hpp"

#include "base/clock.hpp"

#include <poll.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pawl::test {

namespace fs = std::filesystem;

namespace {

constexpr Duration start_max = std::chrono::seconds(60);

std::string text_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// PAWL_PG_BIN if set, else the newest of Debian's.
fs::path server_binaries() {
    if (const char* given = std::getenv("PAWL_PG_BIN")) return given;
    fs::path newest;
    double version = 0;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql")) {
        const double found = std::strtod(entry.path().filename().c_str(), nullptr);
        if (found > version && fs::exists(entry.path() / "bin/postgres")) {
            version = found;
            newest = entry.path() / "bin";
        }
    }
    if (newest.empty()) throw std::runtime_error("no PostgreSQL server found");
    return newest;
}

// Postgres refuses to run as root; and the kernel ends it when we die.
std::string as_server() {
    const std::string with_us = "setpriv --pdeathsig QUIT ";
    if (geteuid() != 0) return with_us;
    return with_us + "--reuid=postgres --regid=postgres --init-groups ";
}

}  // namespace

DurableCluster::DurableCluster() {
    make_home();
    make_data("initdb -U postgres -A trust -N -E UTF8 --locale=C.UTF-8 -D");
    start();
}

DurableCluster::DurableCluster(const std::string& primary_host) {
    make_home();
    make_data("pg_basebackup -R -c fast -X stream -U postgres -h " + primary_host + " -D");
    start();
}

void DurableCluster::make_home() {
    std::string folder = std::filesystem::temp_directory_path() / "pawl-chaos.XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    home_ = folder;
    if (geteuid() == 0) {
        const passwd* user = getpwnam("postgres");
        if (user == nullptr || chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) {
            throw std::runtime_error("cannot give " + folder + " to postgres");
        }
    }
}

// `command` ends with its option for the directory.
void DurableCluster::make_data(const std::string& command) {
    const pid_t maker =
        run(server_binaries().string() + "/" + command + " " + (home_ / "data").string());
    int status = 0;
    if (waitpid(maker, &status, 0) != maker || status != 0) {
        throw std::runtime_error("no database was made: " + text_of(home_ / "log"));
    }
}

DurableCluster::~DurableCluster() {
    crash();
    std::error_code ignored;
    fs::remove_all(home_, ignored);
}

std::string DurableCluster::url() const {
    return url_as("postgres");
}

std::string DurableCluster::url_as(const std::string& user) const {
    return "postgresql:///postgres?host=" + home_.string() + "&port=5432&user=" + user;
}

pid_t DurableCluster::run(const std::string& command) const {
    const std::string line = "cd " + home_.string() + " && exec " + as_server() + command + " >>" +
                             (home_ / "log").string() + " 2>&1 </dev/null";
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        _exit(127);
    }
    if (child < 0) throw std::runtime_error("cannot fork");
    return child;
}

void DurableCluster::start() {
    // fsync, synchronous_commit and full_page_writes are on by default.
    server_ =
        run((server_binaries() / "postgres").string() + " -D " + home_.string() +
            "/data -c listen_addresses= -c max_connections=200 -c timezone=UTC" +
            " -c unix_socket_directories=" + home_.string());
    const auto deadline = Steady::now() + start_max;
    while (!ready()) {
        const bool ended = waitpid(server_, nullptr, WNOHANG) == server_;
        if (ended || Steady::now() > deadline) {
            if (ended) server_ = 0;
            throw std::runtime_error("Postgres did not start: " + text_of(home_ / "log"));
        }
        poll(nullptr, 0, 10);
    }
}

bool DurableCluster::ready() const {
    std::ifstream in(home_ / "data/postmaster.pid");
    std::string line;
    bool ours = false;
    for (int number = 1; std::getline(in, line); ++number) {
        if (number == 1) ours = line == std::to_string(server_);
        if (number == 8) return ours && line.starts_with("ready");
    }
    return false;
}

void DurableCluster::crash() {
    if (server_ == 0) return;
    if (server_ > 1) kill(server_, SIGQUIT);
    waitpid(server_, nullptr, 0);
    server_ = 0;
}

void DurableCluster::restart_immediately() {
    crash();
    start();
}

}  // namespace pawl::test
