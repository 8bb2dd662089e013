#include "cli/commands/simulate_past.hpp"

#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/input.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "model/definition.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace pawl::cli {

namespace {

std::int64_t number(const json::value& from, std::string_view name) {
    const json::value* found = find(from, name);
    return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

json::array list(const json::value& from, std::string_view name) {
    const json::value* found = find(from, name);
    return found != nullptr && found->is_array() ? found->get_array() : json::array();
}

// "4120 would have entered, of 3987 people; thanks: 812 sms, 96 of them at night."
void print_sentences(const json::value& answer) {
    print_line(fmt::format(
        "{} would have entered, {} people, by {} events",
        number(answer, "entered"),
        number(answer, "people"),
        number(answer, "events")
    ));
    for (const json::value& message : list(answer, "messages")) {
        std::string line = fmt::format(
            "{}: {} would have got this {}, {} at night",
            member(message, "node"),
            number(message, "sent"),
            member(message, "channel"),
            number(message, "at_night")
        );
        const json::value* skipped = find(message, "skipped_by");
        if (skipped != nullptr && skipped->is_object()) {
            for (const auto& [reason, count] : skipped->get_object()) {
                line += fmt::format(
                    "; {} not: {}",
                    count.is_int64() ? count.get_int64() : 0,
                    std::string_view(reason)
                );
            }
        }
        print_line(line);
    }
}

void print_notes(const Globals& globals, const json::value& answer) {
    if (const auto count = number(answer, "inside_before"); count > 0) {
        print_line(fmt::format("{} more were in it already", count));
    }
    if (const auto count = number(answer, "refused"); count > 0) {
        print_line(fmt::format("{} more do not have the input that it needs", count));
    }
    for (const json::value& node : list(answer, "assumed_false")) {
        say(globals,
            fmt::format(
                "{} asks the database: taken as false",
                node.is_string() ? std::string_view(node.get_string()) : std::string_view()
            ));
    }
    if (find(answer, "truncated") && *find(answer, "truncated") == json::value(true)) {
        say(globals, "there was more: raise --limit, or shorten --since");
    }
    if (find(answer, "by_clock") && *find(answer, "by_clock") == json::value(true)) {
        say(globals, "starts by the clock are not replayed, only those by events");
    }
}

asio::awaitable<int> ask(Door& door, const Globals& globals, const PastOptions& options) {
    json::object body{{"since", options.since}, {"limit", options.limit}};
    std::string name = options.source;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(options.source, ignored)) {
        const auto text = read_source(options.source, DefinitionLimits().bytes_max);
        if (!text) co_return report(globals, text.error());
        const auto definition = parse_definition(*text);
        if (!definition) {
            Error error = definition.error();
            error.message = options.source + ": " + error.message;
            co_return report(globals, error);
        }
        name = definition->name;
        body["definition"] = *text;
    }
    const auto answer = co_await door.call({"POST", {"workflows", name, "simulate"}, {}, body});
    if (!answer) co_return report(globals, answer.error());
    if (globals.machine()) {
        print_json(globals, *answer);
        co_return exit_ok;
    }
    print_sentences(*answer);
    print_notes(globals, *answer);
    print_line("");
    std::vector<TableRow> rows;
    for (const json::value& edge : list(*answer, "edges")) {
        rows.push_back(
            {member(edge, "from"),
             member(edge, "handle"),
             member(edge, "to"),
             std::to_string(number(edge, "count"))}
        );
    }
    print_table(globals, {"FROM", "HANDLE", "TO", "TAKEN"}, rows);
    co_return exit_ok;
}

}  // namespace

int simulate_past(const Globals& globals, const PastOptions& options) {
    return with_door(globals, [&](Door& door) { return ask(door, globals, options); });
}

}  // namespace pawl::cli
