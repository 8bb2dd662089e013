#include "cli/terminal/progress.hpp"

#include "base/spoken.hpp"
#include "base/terminal.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace pawl::cli {

namespace {

constexpr int bar_width = 24;
constexpr Duration guess_after = std::chrono::seconds(2);  // sooner, a guess says nothing

}  // namespace

std::string progress_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took, int columns
) {
    const std::int64_t most = std::max<std::int64_t>(total, 1);
    const std::int64_t sure = std::clamp<std::int64_t>(done, 0, most);
    const auto filled = static_cast<int>(sure * bar_width / most);
    std::string bar;
    for (int i = 0; i < bar_width; ++i) bar += i < filled ? "█" : "░";
    std::string line =
        fmt::format("{}  {}  {} %  {} of {}", what, bar, sure * 100 / most, done, total);
    if (took >= guess_after && sure > 0 && sure < most) {
        const auto left = took * static_cast<double>(most - sure) / static_cast<double>(sure);
        line += fmt::format(
            "  {} left", human_duration(std::chrono::duration_cast<std::chrono::seconds>(left))
        );
    }
    return shorten(line, static_cast<std::size_t>(std::max(columns, bar_width)));
}

Progress::Progress(const Globals& globals, std::string what)
    : wanted_(!globals.quiet && !globals.machine() && ::isatty(STDERR_FILENO) == 1),
      color_(wanted_ && !tint_for_stderr(globals, "", Color::dim).empty()),
      what_(std::move(what)) {}

void Progress::show(std::int64_t done, std::int64_t total) {
    if (!wanted_) return;
    const auto took = std::chrono::duration_cast<Duration>(Steady::now() - began_);
    std::string line = progress_line(what_, done, total, took, stderr_width());
    if (line == drawn_) return;
    fmt::print(
        stderr, "\r\x1b[2K{}{}{}", color_ ? "\x1b[2m" : "", printable(line), color_ ? "\x1b[0m" : ""
    );
    std::fflush(stderr);
    drawn_ = std::move(line);
}

void Progress::end() {
    if (drawn_.empty()) return;
    fmt::print(stderr, "\r\x1b[2K");
    std::fflush(stderr);
    drawn_.clear();
}

}  // namespace pawl::cli
