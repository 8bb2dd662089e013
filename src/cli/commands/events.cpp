#include "base/fresh_id.hpp"
#include "cli/commands/list_view.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "store/outside_event.hpp"
#include "store/reserved_event.hpp"

#include <fmt/core.h>

#include <tuple>

namespace pawl::cli {

namespace {

struct EventsSendOptions {
    Globals globals;
    std::string name;
    std::string key;
    std::string subject;
    std::string data;  // JSON, @file, or - for stdin; empty: none
    std::string id;    // empty: a new one
};

struct EventsListOptions {
    Globals globals;
    std::string name;
    std::string key;
    int limit = 50;
};

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

TableRow row_of(const json::value& event) {
    const std::string problem = member(event, "problem");
    return {
        member(event, "id"),
        member(event, "name"),
        member(event, "key"),
        human_time_member(event, "at"),
        member(event, "state"),
        problem.empty() ? Cell(shorten(compact(value_member(event, "data")), 50))
                        : Cell(shorten(problem, 80), Color::red)};
}

asio::awaitable<int> list(Door& door, const EventsListOptions& options) {
    return print_list(
        door,
        options.globals,
        {"GET", {"events"}, {{"name", options.name}, {"key", options.key}}},
        static_cast<std::size_t>(options.limit),
        {{"ID", "NAME", "KEY", "AT (UTC)", "STATE", "DATA"}, row_of, "no events"}
    );
}

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

void add_events_send(App& app, EventsSendOptions& options) {
    add_parsed(app, "NAME", options.name, some_text, "What happened: order.paid")
        ->required()
        ->type_name("");
    app.add_option("--key", options.key, "What it is about: runs wait for a name and a key")
        ->type_name("TEXT");
    app.add_option("--subject", options.subject, "The subject of runs that it starts [key]")
        ->type_name("TEXT");
    add_json(app, "--data", options.data, "JSON, @file, or - for stdin");
    app.add_option("--id", options.id, "Makes sending idempotent: the same id counts once")
        ->type_name("TEXT");
}

void add_events_list(App& app, EventsListOptions& options) {
    app.add_option("--name", options.name, "Only of this name")->type_name("TEXT");
    app.add_option("--key", options.key, "Only with this key")->type_name("TEXT");
    add_limit(app, options.limit);
}

const RegisterGroup events_group("events", 70, "Send events to Pawl, and list them");

const RegisterCommand<run_events_send, add_events_send> events_send_command(
    {"events send", 10, "Send an event, which starts and wakes runs that want it"},
    {{"pawl events send order.paid --key order-17 --data '{\"total\": 99}'"},
     {"pawl events send order.paid --key order-17 --id pay-4711", "counts once"}}
);

const RegisterCommand<run_events_list, add_events_list> events_list_command(
    {"events list", 20, "List events, newest first"},
    {{"pawl events list --name order.paid --key order-17"}}
);

}  // namespace

}  // namespace pawl::cli
