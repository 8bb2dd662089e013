#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/serialize.hpp>
namespace pawl::cli {

namespace {

struct PeopleOptions {
    enum class Action { put, get, erase };
    Globals globals;
    Action action = Action::get;
    std::string key;
    std::string data;
};
using Action = PeopleOptions::Action;

asio::awaitable<int> act(Door& door, const PeopleOptions& options, json::value data) {
    Ask ask{"GET", {"people", options.key}};
    if (options.action == Action::put) ask = {"PUT", {"people", options.key}, {}, std::move(data)};
    if (options.action == Action::erase) ask.method = "DELETE";
    const auto person = co_await door.call(std::move(ask));
    if (!person) co_return report(options.globals, person.error());
    if (options.globals.machine()) {
        print_json(options.globals, *person);
    } else if (options.action == Action::erase) {
        print_line(options.key);
    } else {
        std::vector<TableRow> rows{{"key", member(*person, "key")}};
        for (const char* part : {"addresses", "attributes"}) {
            for (const auto& [key, value] : value_member(*person, part).as_object()) {
                const auto* text = value.if_string();
                rows.push_back(
                    {std::string(key), text ? std::string(*text) : json::serialize(value)}
                );
            }
        }
        for (const char* part : {"locale", "timezone"}) {
            if (const std::string text = member(*person, part); !text.empty())
                rows.push_back({part, text});
        }
        print_details(options.globals, rows);
    }
    co_return exit_ok;
}

int run_people(const PeopleOptions& options) {
    json::value data;
    if (options.action == Action::put) {
        auto read = read_json(options.data);
        if (!read) return report(options.globals, read.error());
        data = std::move(*read);
    }
    return with_door(options.globals, [&](Door& door) { return act(door, options, data); });
}

template <Action action>
void add_key(App& app, PeopleOptions& options) {
    options.action = action;
    app.add_option("KEY", options.key, "The person's key, which is the subject of their runs")
        ->required()
        ->type_name("");
}

void add_people_put(App& app, PeopleOptions& options) {
    add_key<Action::put>(app, options);
    add_json(app, "--data", options.data, "Object: attributes, addresses, locale, timezone")
        ->required();
}

const RegisterGroup people_group("people", 84, "The people that workflows are about");

const RegisterCommand<run_people, add_people_put> people_put_command(
    {"people put", 10, "Add or replace a person"},
    {{R"(pawl people put 4711 --data '{"addresses": {"email": "ann@example.com"}}')"}}
);

const RegisterCommand<run_people, add_key<Action::get>> people_get_command(
    {"people get", 20, "Show what is stored about a person"}, {{"pawl people get 4711 -o json"}}
);

const RegisterCommand<run_people, add_key<Action::erase>> people_erase_command(
    {"people erase", 30, "Erase a person, also from the messages to them"},
    {{"pawl people erase 4711"}}
);

}  // namespace

}  // namespace pawl::cli
