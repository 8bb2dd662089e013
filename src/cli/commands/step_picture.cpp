#include "cli/commands/step_picture.hpp"

#include "base/exact_json.hpp"
#include "base/spoken.hpp"
#include "base/terminal.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <functional>
#include <set>

namespace pawl::cli {

namespace {

using Tint = std::string(std::string_view, Color);

struct Mark {
    std::string_view symbol;
    Color color;
};

Mark mark_of(std::string_view status) {
    if (status == "completed") return {"✓", Color::green};
    if (status == "failed") return {"✗", Color::red};
    if (status == "running") return {"▶", Color::bold};
    if (status == "retrying") return {"↻", Color::yellow};
    if (status == "waiting") return {"…", Color::yellow};
    return {"·", Color::dim};
}

// The attempt that was the last, and how many items or visits there were.
std::string tries_of(const json::array& attempts, std::string_view status) {
    if (attempts.empty()) return "";
    std::string text;
    std::set<std::string> places;
    for (const json::value& one : attempts) {
        const json::object& attempt = one.get_object();
        const json::value* item = attempt.if_contains("item");
        const json::value* visit = attempt.if_contains("visit");
        places.insert(fmt::format(
            "{} {}",
            item == nullptr ? "" : plain_json(*item),
            visit == nullptr ? "" : plain_json(*visit)
        ));
    }
    if (places.size() > 1) text += fmt::format("  {} times", places.size());
    const auto last = whole_number(attempts.back().get_object().if_contains("attempt")).value_or(1);
    if (last > 1 || status == "retrying") text += fmt::format("  attempt {}", last);
    return text;
}

// "✗ send  failed  attempt 2: http_500: smtp is down"
std::string line_of(const json::value& step, const std::function<Tint>& tint) {
    const std::string status = member(step, "status");
    const Mark mark = mark_of(status);
    std::string line =
        fmt::format("  {} {:<28} {}", tint(mark.symbol, mark.color), member(step, "step"), status);
    line += tries_of(value_member(step, "attempts").as_array(), status);
    const json::value& error = value_member(step, "error");
    if (!error.is_null()) line += "  " + printable(error_line(error));
    const std::string next = member(step, "next_attempt_at");
    if (const auto at = parse_rfc3339(next)) line += "  until " + human_moment(*at, wall_now());
    return line;
}

}  // namespace

StepPicture::StepPicture(const Globals& globals, std::FILE* stream)
    : globals_(globals), stream_(stream), terminal_(::isatty(::fileno(stream)) != 0) {}

void StepPicture::write(std::string_view line) {
    fmt::print(stream_, "{}\n", with_colors(for_terminal(line)));
}

void StepPicture::draw(const json::array& steps) {
    const auto tint = [this](std::string_view text, Color color) {
        return stream_ == stdout ? tint_for_stdout(globals_, text, color)
                                 : tint_for_stderr(globals_, text, color);
    };
    std::vector<std::string> lines;
    for (const json::value& step : steps) lines.push_back(line_of(step, tint));
    if (lines == drawn_) return;
    if (terminal_ && !drawn_.empty()) fmt::print(stream_, "\x1b[{}A", drawn_.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool same = i < drawn_.size() && drawn_[i] == lines[i];
        if (terminal_) fmt::print(stream_, "\x1b[2K");
        if (terminal_ || !same) write(lines[i]);
    }
    std::fflush(stream_);
    drawn_ = std::move(lines);
}

}  // namespace pawl::cli
