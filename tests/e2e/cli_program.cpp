#include "cli_program.hpp"

#include "http/client.hpp"
#include "support/loop.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace pawl::test {

namespace fs = std::filesystem;

namespace {

void pause() {
    ::poll(nullptr, 0, 10);
}

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> environment(const Env& extra) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('='));
        const bool database = name.starts_with("PG") || name == "DATABASE_URL" ||
                              name == "PAWL_URL" || name == "PAWL_API_KEY";
        if (!database && !extra.contains(name)) all.push_back(text);
    }
    // What it calls is here.
    if (!extra.contains("PAWL_ALLOW_OUTBOUND")) {
        all.emplace_back("PAWL_ALLOW_OUTBOUND=127.0.0.0/8,::1");
    }
    for (const auto& [name, value] : extra) all.push_back(fmt::format("{}={}", name, value));
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    list.reserve(texts.size() + 1);
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

int open_or_throw(const fs::path& path, int flags) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (fd < 0) throw std::runtime_error("cannot open " + path.string());
    return fd;
}

}  // namespace

TempDir::TempDir() {
    std::string name = (fs::temp_directory_path() / "pawl-e2e-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
    // So that a server that runs as another user can get at what is inside.
    fs::permissions(path_, fs::perms(0755));
}

TempDir::~TempDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string TempDir::file(const std::string& name, const std::string& text) const {
    const fs::path path = path_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

Program::Program(const Call& call, const fs::path& cwd) {
    std::vector<std::string> words{PAWL_BINARY};
    words.insert(words.end(), call.args.begin(), call.args.end());
    auto env = environment(call.env);
    const auto argv = pointers(words);
    const auto envp = pointers(env);
    const int in = open_or_throw(dir_.file("in", call.input), O_RDONLY);
    const int out = open_or_throw(dir_.path() / "out", O_WRONLY | O_CREAT);
    const int err = open_or_throw(dir_.path() / "err", O_WRONLY | O_CREAT);
    const fs::path home = dir_.path() / "cwd";
    fs::create_directory(home);
    const std::string where = cwd.empty() ? home.string() : cwd.string();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(in, 0);
        ::dup2(out, 1);
        ::dup2(err, 2);
        if (::chdir(where.c_str()) == 0) ::execve(argv[0], argv.data(), envp.data());
        ::_exit(127);
    }
    for (const int fd : {in, out, err}) ::close(fd);
    if (pid_ < 0) throw std::runtime_error("cannot fork");
}

Program::~Program() {
    if (!running()) return;
    signal(SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

bool Program::running() {
    int status = 0;
    if (pid_ == 0) return false;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    pid_ = 0;
    return false;
}

int Program::wait(Duration limit) {
    const bool ended = eventually([this] { return !running(); }, limit);
    if (!ended) throw std::runtime_error("pawl did not end in time; stderr: " + err());
    return code_;
}

void Program::signal(int number) {
    if (pid_ != 0) ::kill(pid_, number);
}

std::string Program::out() const {
    return read(dir_.path() / "out");
}

std::string Program::err() const {
    return read(dir_.path() / "err");
}

Outcome pawl(const Call& call, const fs::path& cwd) {
    Program program(call, cwd);
    const int code = program.wait();
    return {code, program.out(), program.err()};
}

bool eventually(const std::function<bool()>& check, Duration limit) {
    const auto deadline = Steady::now() + limit;
    while (!check()) {
        if (Steady::now() >= deadline) return false;
        pause();
    }
    return true;
}

int http_status(const std::string& url) {
    Loop loop;
    http::Client client(loop.context().get_executor());
    http::Request request;
    request.url = url;
    request.trusted = true;
    request.timeout = std::chrono::seconds(5);
    const auto outcome = loop.run(client.send(std::move(request)));
    return outcome ? outcome->status : 0;
}

pid_t find_process(const std::string& text) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        // A process may end while it is looked at: std::getline then reads nothing and throws
        // nothing.
        std::ifstream in(entry.path() / "cmdline");
        std::string line;
        std::getline(in, line);
        if (line.find("postgres") == std::string::npos) continue;
        if (line.find(text) != std::string::npos) return std::stoi(name);
    }
    return 0;
}

}  // namespace pawl::test
