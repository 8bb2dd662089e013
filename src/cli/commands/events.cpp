#include "base/fresh_id.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "store/outside_event.hpp"
#include "store/reserved_event.hpp"

#include <fmt/core.h>

#include <tuple>

namespace pawl::cli {

namespace {

asio::awaitable<int> send(Door& door, const EventsSendOptions& options, json::value data) {
    json::object event{{"name", options.name}, {"data", std::move(data)}};
    event["id"] = options.id.empty() ? to_string(fresh_id()) : options.id;
    if (!options.key.empty()) event["key"] = options.key;
    if (!options.subject.empty()) event["subject"] = options.subject;
    const auto answer = co_await door.call({"POST", {"events"}, {}, std::move(event)});
    if (!answer) co_return report(options.globals, answer.error());
    if (options.globals.machine()) {
        print_json(options.globals, *answer);
        co_return exit_ok;
    }
    print_line(member(*answer, "id"));
    if (value_member(*answer, "duplicate").as_bool()) {
        say(options.globals, "an event of this id had come before: nothing new");
    }
    co_return exit_ok;
}

asio::awaitable<int> list(Door& door, const EventsListOptions& options) {
    const auto page = co_await call_pages(
        door,
        {"GET", {"events"}, {{"name", options.name}, {"key", options.key}}},
        static_cast<std::size_t>(options.limit)
    );
    if (!page) co_return report(options.globals, page.error());
    if (options.globals.machine()) {
        print_json_list(options.globals, page->items);
        co_return exit_ok;
    }
    if (page->items.empty()) {
        say(options.globals, "no events");
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const json::value& event : page->items) {
        const std::string problem = member(event, "problem");
        rows.push_back(
            {member(event, "id"),
             member(event, "name"),
             member(event, "key"),
             human_time_member(event, "at"),
             member(event, "state"),
             problem.empty() ? Cell(shorten(compact(value_member(event, "data")), 50))
                             : Cell(shorten(problem, 80), Color::red)}
        );
    }
    print_table(options.globals, {"ID", "NAME", "KEY", "AT (UTC)", "STATE", "DATA"}, rows);
    co_return exit_ok;
}

}  // namespace

int run_events_send(const EventsSendOptions& options) {
    const std::tuple<const char*, std::string, std::size_t> texts[] = {
        {"NAME", options.name, store::outside_name_max},
        {"--key", options.key, store::outside_key_max},
        {"--subject", options.subject, store::outside_key_max},
        {"--id", options.id, store::outside_id_max}};
    for (const auto& [option, text, max] : texts) {
        if (auto fine = check_text(option, text, max); !fine) {
            return report(options.globals, fine.error());
        }
        if (text.size() <= max) continue;
        return report(
            options.globals,
            {Errc::invalid, fmt::format("{} has more than {} bytes", option, max), {}}
        );
    }
    if (store::is_reserved_event(options.name)) {
        return report(
            options.globals, {Errc::invalid, store::reserved_event_problem(options.name), {}}
        );
    }
    const auto data = read_json(options.data);
    if (!data) return report(options.globals, data.error());
    return with_door(options.globals, [&](Door& door) { return send(door, options, *data); });
}

int run_events_list(const EventsListOptions& options) {
    return with_door(options.globals, [&](Door& door) { return list(door, options); });
}

}  // namespace pawl::cli
