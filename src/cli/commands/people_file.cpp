#include "cli/commands/people_file.hpp"

#include "cli/parse/csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::cli {

namespace {

// Names of columns that are the address of a channel.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> channels = {
    {{"email", "email"}, {"sms", "sms"}, {"phone", "sms"}, {"line", "line"}, {"push", "push"}}};
constexpr std::string_view address_start = "address.";

std::string_view channel_of(std::string_view column) {
    if (column.starts_with(address_start)) return column.substr(address_start.size());
    for (const auto& [name, channel] : channels) {
        if (name == column) return channel;
    }
    return {};
}

json::object& part(json::object& person, std::string_view key) {
    json::value& value = person[key];
    return value.is_object() ? value.get_object() : value.emplace_object();
}

json::object person_of(const CsvRow& columns, const CsvRow& row, std::string_view key_column) {
    json::object person;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& column = columns[i];
        const std::string& cell = row[i];
        if (cell.empty()) continue;
        if (column == key_column) {
            person["key"] = cell;
        } else if (column == "locale" || column == "timezone") {
            person[column] = cell;
        } else if (const auto channel = channel_of(column); !channel.empty()) {
            part(person, "addresses")[channel] = cell;
        } else {
            part(person, "attributes")[column] = cell;
        }
    }
    return person;
}

}  // namespace

Result<json::array> people_from_csv(std::string_view text) {
    const auto rows = read_csv(text);
    if (!rows) return rows.error();
    if (rows->empty()) return Error{Errc::invalid, "the file is empty", {}};
    const CsvRow& columns = rows->front();
    const auto has = [&](std::string_view name) {
        return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    const std::string_view key = has("key") ? "key" : "id";
    if (!has(key)) return Error{Errc::invalid, "the first line must name a column key or id", {}};
    json::array people;
    for (std::size_t i = 1; i < rows->size(); ++i) {
        const CsvRow& row = (*rows)[i];
        if (row.size() != columns.size()) {
            return Error{
                Errc::invalid,
                fmt::format(
                    "row {} has {} fields, the first line names {}", i, row.size(), columns.size()
                ),
                {}};
        }
        json::object person = person_of(columns, row, key);
        if (!person.contains("key")) {
            return Error{Errc::invalid, fmt::format("row {} has no {}", i, key), {}};
        }
        people.push_back(std::move(person));
    }
    return people;
}

}  // namespace pawl::cli
