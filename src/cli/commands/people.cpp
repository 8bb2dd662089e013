#include "cli/commands/people_file.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace {

constexpr std::size_t at_once = 500;
constexpr std::size_t file_bytes_max = 512 << 20;

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

struct ImportOptions {
    Globals globals;
    std::string file;
};

asio::awaitable<int> import_people(
    Door& door, const ImportOptions& options, const json::array& people
) {
    Progress progress(options.globals, "import");
    const auto total = static_cast<std::int64_t>(people.size());
    std::int64_t count = 0;
    for (std::size_t begin = 0; begin < people.size(); begin += at_once) {
        const std::size_t end = std::min(begin + at_once, people.size());
        json::array part(people.begin() + begin, people.begin() + end);
        const auto done =
            co_await door.call({"POST", {"people"}, {}, json::object{{"people", std::move(part)}}});
        if (!done) {
            progress.end();
            co_return report(
                options.globals,
                Error(done.error())
                    .with("rows", fmt::format("{} to {}", begin + 1, end))
                    .with("next", "rows before these are saved; you can import the same file again")
            );
        }
        count += number_member(*done, "count");
        progress.show(static_cast<std::int64_t>(end), total);
    }
    progress.end();
    if (options.globals.machine()) {
        print_json(options.globals, json::object{{"rows", total}, {"people", count}});
    } else {
        print_line(fmt::format("{} people", count));
    }
    co_return exit_ok;
}

int run_people_import(const ImportOptions& options) {
    const auto text = read_source(options.file, file_bytes_max);
    if (!text) return report(options.globals, text.error());
    const auto people = people_from_csv(*text);
    if (!people) {
        return report(options.globals, Error(people.error()).with("file", options.file));
    }
    return with_door(options.globals, [&](Door& door) {
        return import_people(door, options, *people);
    });
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

void add_people_import(App& app, ImportOptions& options) {
    app.add_option("FILE", options.file, "CSV, with column names in the first line; - is stdin")
        ->required()
        ->type_name("");
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

const RegisterCommand<run_people_import, add_people_import> people_import_command(
    {"people import", 40, "Add or replace the people of a CSV file"},
    {{"pawl people import customers.csv", "columns: key, email, phone, name ..."}}
);

}  // namespace

}  // namespace pawl::cli
