#include "cli/commands/webhook_view.hpp"

#include "base/exact_json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

std::string shown(const json::object& document, std::string_view key) {
    const json::value* value = document.if_contains(key);
    if (value == nullptr || value->is_null()) return "";
    if (value->is_bool()) return value->get_bool() ? "yes" : "no";
    if (const json::array* list = value->if_array()) {
        std::vector<std::string> words;
        for (const json::value& one : *list) {
            words.push_back(one.is_string() ? std::string(one.get_string()) : plain_json(one));
        }
        return fmt::format("{}", fmt::join(words, ", "));
    }
    return value->is_string() ? std::string(value->get_string()) : plain_json(*value);
}

}  // namespace

int print_documents(
    const Globals& globals,
    const json::array& all,
    const std::vector<std::pair<std::string, std::string>>& columns,
    const char* none
) {
    if (globals.machine()) {
        print_json_list(globals, all);
        return exit_ok;
    }
    if (all.empty()) say(globals, none);
    std::vector<TableRow> rows;
    for (const json::value& one : all) {
        TableRow row;
        for (const auto& [title, key] : columns) {
            std::string text = shown(one.as_object(), key);
            if (const auto at = parse_rfc3339(text); at && key == "next_at") text = human_time(*at);
            if (key == "url" && text.empty())
                text = shown(one.as_object(), "channel") + shown(one.as_object(), "queue");
            row.push_back(std::move(text));
        }
        rows.push_back(std::move(row));
    }
    std::vector<std::string> titles;
    for (const auto& [title, key] : columns) titles.push_back(title);
    if (!rows.empty()) print_table(globals, titles, rows);
    return exit_ok;
}

}  // namespace pawl::cli
