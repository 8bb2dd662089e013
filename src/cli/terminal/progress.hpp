#pragma once

#include "base/clock.hpp"
#include "cli/terminal/globals.hpp"

#include <cstdint>
#include <string>

namespace pawl::cli {

// How far something is, on a terminal: one line on stderr that is drawn over. Nothing where stderr
// is a file or a pipe, with -q, or where a program reads the output.
class Progress {
public:
    Progress(const Globals& globals, std::string what);
    ~Progress() { end(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::int64_t done, std::int64_t total);
    // The line goes; what follows takes its place.
    void end();

private:
    bool wanted_;
    bool color_;
    std::string what_;
    Steady::time_point began_ = Steady::now();
    std::string drawn_;
};

// "replay  [#######·····]  58 %  580 of 1000  4 s left"; as wide as `columns` at most.
std::string progress_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took, int columns
);

}  // namespace pawl::cli
