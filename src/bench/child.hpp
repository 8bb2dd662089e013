#pragma once

#include "base/clock.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace pawl::bench {

// This program run again, as `pawl bench-child` unless other words are given, with its stdout on a
// pipe. Killed at the end at the latest.
class Child {
public:
    Child(
        const std::string& program,
        const std::string& database_url,
        const std::vector<std::string>& arguments = {}
    );
    // The words behind the program's name, and what the environment has beside ours.
    Child(
        const std::string& program,
        std::vector<std::string> words,
        const std::vector<std::string>& environment
    );
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // The next line of its output; throws when there is none within the limit.
    std::string read_line(Duration limit);
    void kill_hard();
    pid_t pid() const { return pid_; }

private:
    pid_t pid_ = 0;
    int output_ = -1;
    std::string buffer_;
};

}  // namespace pawl::bench
