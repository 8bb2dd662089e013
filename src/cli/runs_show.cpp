#include "api/folded_run.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/pretty_json.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

// An instant in an event's data.
std::string time_in(const Event& event, std::string_view key) {
    const auto* value = find(event.data, key);
    if (value == nullptr || !value->is_int64()) return "";
    return human_moment(Instant(Duration(value->get_int64())), wall_now());
}

// What an event says, short enough for a line.
std::string gist(const Event& event) {
    std::string text = error_line(event.error);
    const std::string again = time_in(event, "retry_at");
    const std::string until = time_in(event, "until");
    if (event.type == EventType::step_failed && !again.empty()) {
        text += "; again at " + again;
    } else if (event.type == EventType::wait_started && !until.empty()) {
        text = "until " + until;
    } else if (!event.data.is_null()) {
        if (!text.empty()) text += "  ";
        text += compact(event.data);
    }
    return shorten(text, 80);
}

// "item 3, visit 2, branch 4": what is not said is the first.
std::string where(const Event& event, const plan::EventPlace& place) {
    if (place.visit == 0) return "";
    std::vector<std::string> parts;
    if (!place.items.empty()) parts.push_back(fmt::format("item {}", fmt::join(place.items, ".")));
    if (place.visit > 1) parts.push_back(fmt::format("visit {}", place.visit));
    if (event.token != 0) parts.push_back(fmt::format("branch {}", event.token));
    return fmt::format("{}", fmt::join(parts, ", "));
}

void print_log(
    const Globals& globals,
    const std::vector<Event>& log,
    const std::vector<plan::EventPlace>& places
) {
    std::vector<TableRow> rows;
    const Instant now = wall_now();
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& event = log[i];
        const bool bad = !event.error.is_null();
        rows.push_back(
            {std::to_string(event.seq),
             // To the millisecond: steps are quick.
             human_moment(event.at, now) + to_rfc3339(event.at).substr(19, 4),
             Cell(std::string(name(event.type)), bad ? Color::red : Color::none),
             event.node,
             where(event, places[i]),
             event.attempt == 0 ? "" : std::to_string(event.attempt),
             gist(event)}
        );
    }
    print_table(globals, {"SEQ", "TIME", "EVENT", "STEP", "WHERE", "TRY", "DATA"}, rows);
}

asio::awaitable<int> show(
    store::PgStore& store, store::Tenant tenant, const Globals& globals, RunId id
) {
    const auto run = co_await store.find_run(tenant, id);
    if (!run) {
        Error missing{Errc::not_found, fmt::format("there is no run {}", to_string(id)), {}};
        missing.context.emplace_back("next", "pawl runs list");
        co_return report(globals, missing);
    }
    auto log = co_await store.load_log(tenant.bucket, id);
    // A version that cannot be read here tells less of its events.
    std::vector<plan::EventPlace> places(log.size());
    if (auto folded = co_await api::fold_run(store, tenant, id)) {
        log = std::move(folded->log);
        places = std::move(folded->places);
    }
    if (globals.machine()) {
        json::object document = to_json(*run);
        json::array events;
        for (std::size_t i = 0; i < log.size(); ++i) {
            events.push_back(to_json(log[i], places[i]));
        }
        document["events"] = std::move(events);
        print_json(globals, document);
        co_return exit_ok;
    }
    print_details(globals, details_of(*run));
    print_line("");
    print_log(globals, log, places);
    co_return exit_ok;
}

}  // namespace

int run_runs_show(const RunsShowOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return show(store, tenant, options.globals, *id);
    });
}

}  // namespace pawl::cli
