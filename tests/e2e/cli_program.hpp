#pragma once

#include "base/clock.hpp"

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pawl::test {

using Env = std::map<std::string, std::string>;

// A folder of its own for a test, removed at the end.
class TempDir {
public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    const std::filesystem::path& path() const { return path_; }
    // Writes a file into it and returns its path.
    std::string file(const std::string& name, const std::string& text) const;

private:
    std::filesystem::path path_;
};

struct Call {
    std::vector<std::string> args;
    Env env;  // on top of ours, without DATABASE_URL, PG* and PAWL_URL
    std::string input;
};

// The pawl binary as a process. It runs in a folder of its own; killed at the end of the test if it
// still runs.
class Program {
public:
    explicit Program(const Call& call, const std::filesystem::path& cwd = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // The exit code, or -signal. Throws when it does not end in time.
    int wait(Duration limit = std::chrono::seconds(60));
    void signal(int number);
    bool running();
    pid_t pid() const { return pid_; }
    std::string out() const;
    std::string err() const;

private:
    TempDir dir_;
    pid_t pid_ = 0;
    int code_ = 0;
};

struct Outcome {
    int code = 0;
    std::string out;
    std::string err;
};

// Runs pawl to its end.
Outcome pawl(const Call& call, const std::filesystem::path& cwd = {});

// Looks again and again; false when it did not come true in time.
bool eventually(const std::function<bool()>& check, Duration limit = std::chrono::seconds(60));

// The status of GET, or 0 without an answer.
int http_status(const std::string& url);

// The first server process whose command line holds `text`, or 0.
pid_t find_process(const std::string& text);

}  // namespace pawl::test
