#pragma once

#include "base/clock.hpp"
#include "cli/terminal/globals.hpp"

#include <cstdint>
#include <string>

namespace pawl::cli {

// When a log gets its next line about something that takes long: not at once, and not often.
class LogPace {
public:
    explicit LogPace(Steady::time_point began) : last_(began) {}
    // Whether it is time; then the next one has to wait again.
    bool due(Steady::time_point now);

private:
    Steady::time_point last_;
};

// How far something is, on stderr: on a terminal one line that is drawn over, in a file or a pipe a
// line every ten seconds. Nothing with -q, or where a program reads the output.
class Progress {
public:
    Progress(const Globals& globals, std::string what);
    ~Progress() { end(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::int64_t done, std::int64_t total);
    // The line of a terminal goes; what follows takes its place.
    void end();

private:
    void draw(std::string line);

    bool wanted_;
    bool terminal_;
    bool color_;
    std::string what_;
    Steady::time_point began_ = Steady::now();
    LogPace pace_{began_};
    std::string drawn_;
};

// "replay  [#######·····]  58 %  580 of 1000  4 s left"; as wide as `columns` at most.
std::string progress_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took, int columns
);
// "replay: 58 %, 580 of 1000, 4s left": the same for a log.
std::string progress_log_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took
);

}  // namespace pawl::cli
