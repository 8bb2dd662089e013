#include "api/folded_run.hpp"
#include "api/run_steps.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include <set>

namespace pawl::cli {

namespace {

constexpr auto look_every = std::chrono::milliseconds(150);

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

std::string text_of(const json::object& step, std::string_view key) {
    const json::value* value = step.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
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
            item == nullptr ? "" : json::serialize(*item),
            visit == nullptr ? "" : json::serialize(*visit)
        ));
    }
    if (places.size() > 1) text += fmt::format("  {} times", places.size());
    const auto last = whole_number(attempts.back().get_object().if_contains("attempt")).value_or(1);
    if (last > 1 || status == "retrying") text += fmt::format("  attempt {}", last);
    return text;
}

// "✗ send  failed  attempt 2: http_500: smtp is down"
std::string line_of(const Globals& globals, const json::object& step) {
    const std::string status = text_of(step, "status");
    const Mark mark = mark_of(status);
    std::string line = fmt::format(
        "  {} {:<28} {}",
        tint_for_stdout(globals, mark.symbol, mark.color),
        text_of(step, "step"),
        status
    );
    line += tries_of(step.at("attempts").as_array(), status);
    if (const json::value* error = step.if_contains("error"))
        line += "  " + printable(error_line(*error));
    const std::string next = text_of(step, "next_attempt_at");
    if (const auto at = parse_rfc3339(next)) line += "  until " + human_moment(*at, wall_now());
    return line;
}

// Draws over what it drew before, on a terminal; else writes the lines that changed.
class Picture {
public:
    explicit Picture(const Globals& globals)
        : globals_(globals), terminal_(isatty(STDOUT_FILENO) != 0) {}

    void draw(const json::array& steps) {
        std::vector<std::string> lines;
        for (const json::value& step : steps) lines.push_back(line_of(globals_, step.as_object()));
        if (lines == drawn_) return;
        if (terminal_ && !drawn_.empty()) print_drawing(fmt::format("\x1b[{}A", drawn_.size()));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const bool same = i < drawn_.size() && drawn_[i] == lines[i];
            if (terminal_) print_drawing("\x1b[2K");
            if (terminal_ || !same) print_line(lines[i]);
        }
        std::fflush(stdout);
        drawn_ = std::move(lines);
    }

private:
    const Globals& globals_;
    bool terminal_;
    std::vector<std::string> drawn_;
};

int ended(const Globals& globals, const store::RunDetails& run) {
    if (globals.machine()) {
        print_json(globals, to_json(run));
    } else {
        print_line("");
        print_details(globals, details_of(run));
    }
    return run.status == "completed" ? exit_ok : info(Errc::run_failed).exit_code;
}

asio::awaitable<int> watch(
    store::PgStore& store, store::Tenant tenant, const Globals& globals, RunId id
) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    Picture picture(globals);
    std::int32_t shown = 0;
    for (;;) {
        const auto folded = co_await api::fold_run(store, tenant, id);
        if (!folded) co_return report(globals, folded.error());
        const store::RunDetails& run = folded->run;
        if (shown != run.version) say(globals, fmt::format("{} v{}", run.workflow, run.version));
        shown = run.version;
        if (!globals.machine()) {
            const bool worked_on = run.status == "running";
            picture.draw(api::steps_of(
                folded->definition, folded->state, folded->log, folded->places, worked_on
            ));
        }
        if (is_closed(run)) co_return ended(globals, run);
        timer.expires_after(look_every);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace

int run_runs_watch(const RunsWatchOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return watch(store, tenant, options.globals, *id);
    });
}

}  // namespace pawl::cli
