#include "cli/commands/people_file.hpp"

#include "base/spoken.hpp"

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

}  // namespace

Result<PeopleFile> PeopleFile::read(std::string_view text) {
    auto rows = read_csv(text);
    if (!rows) return rows.error();
    if (rows->empty()) return Error{Errc::invalid, "the file is empty", {}};
    PeopleFile file;
    file.rows_ = std::move(*rows);
    file.columns_ = std::move(file.rows_.front().cells);
    file.rows_.erase(file.rows_.begin());
    const auto has = [&](std::string_view name) {
        return std::find(file.columns_.begin(), file.columns_.end(), name) != file.columns_.end();
    };
    file.key_column_ = has("key") ? "key" : "id";
    if (has(file.key_column_)) return file;
    return Error{Errc::invalid, "the first line must name a column key or id", {}};
}

Result<json::object> PeopleFile::person(const CsvRow& row) const {
    if (row.cells.size() != columns_.size()) {
        return Error{
            Errc::invalid,
            fmt::format(
                "has {}, the first line names {}",
                counted(row.cells.size(), "field"),
                columns_.size()
            ),
            {}};
    }
    json::object person;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& column = columns_[i];
        const std::string& cell = row.cells[i];
        if (cell.empty() || (i == 0 && column == problem_column)) continue;
        if (column == key_column_) {
            person["key"] = cell;
        } else if (column == "locale" || column == "timezone") {
            person[column] = cell;
        } else if (const auto channel = channel_of(column); !channel.empty()) {
            part(person, "addresses")[channel] = cell;
        } else {
            part(person, "attributes")[column] = cell;
        }
    }
    if (person.contains("key")) return person;
    return Error{Errc::invalid, fmt::format("has no {}", key_column_), {}};
}

}  // namespace pawl::cli
