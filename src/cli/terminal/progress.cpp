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
constexpr Duration line_every = std::chrono::seconds(10);

// How much of it is done, within what can be.
struct Share {
    Share(std::int64_t done, std::int64_t total)
        : most(std::max<std::int64_t>(total, 1)), sure(std::clamp<std::int64_t>(done, 0, most)) {}

    std::int64_t percent() const { return sure * 100 / most; }
    // "4s left"; empty: it is too early for a guess, or nothing is left.
    std::string left(Duration took) const {
        if (took < guess_after || sure == 0 || sure == most) return {};
        const auto left = took * static_cast<double>(most - sure) / static_cast<double>(sure);
        return human_duration(std::chrono::duration_cast<std::chrono::seconds>(left)) + " left";
    }

    std::int64_t most;
    std::int64_t sure;
};

}  // namespace

bool LogPace::due(Steady::time_point now) {
    if (now - last_ < line_every) return false;
    last_ = now;
    return true;
}

std::string progress_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took, int columns
) {
    const Share share(done, total);
    const auto filled = static_cast<int>(share.sure * bar_width / share.most);
    std::string bar;
    for (int i = 0; i < bar_width; ++i) bar += i < filled ? "█" : "░";
    std::string line =
        fmt::format("{}  {}  {} %  {} of {}", what, bar, share.percent(), done, total);
    if (const std::string left = share.left(took); !left.empty()) line += "  " + left;
    return shorten(line, static_cast<std::size_t>(std::max(columns, bar_width)));
}

std::string progress_log_line(
    const std::string& what, std::int64_t done, std::int64_t total, Duration took
) {
    const Share share(done, total);
    std::string line = fmt::format("{}: {} %, {} of {}", what, share.percent(), done, total);
    if (const std::string left = share.left(took); !left.empty()) line += ", " + left;
    return line;
}

Progress::Progress(const Globals& globals, std::string what)
    : wanted_(!globals.quiet && !globals.machine()),
      terminal_(::isatty(STDERR_FILENO) == 1),
      color_(wanted_ && terminal_ && !tint_for_stderr(globals, "", Color::dim).empty()),
      what_(std::move(what)) {}

void Progress::show(std::int64_t done, std::int64_t total) {
    if (!wanted_) return;
    const auto now = Steady::now();
    const auto took = std::chrono::duration_cast<Duration>(now - began_);
    if (terminal_) {
        draw(progress_line(what_, done, total, took, stderr_width()));
    } else if (pace_.due(now)) {
        fmt::print(stderr, "{}\n", printable(progress_log_line(what_, done, total, took)));
        std::fflush(stderr);
    }
}

void Progress::draw(std::string line) {
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
