#include "cli/commands/people_file.hpp"

#include "base/spoken.hpp"
#include "base/utf8.hpp"

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

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string channel_of(std::string_view column) {
    const std::string known = lower(column);
    if (known.starts_with(address_start)) return std::string(column.substr(address_start.size()));
    for (const auto& [name, channel] : channels) {
        if (name == known) return std::string(channel);
    }
    return {};
}

// U+0000 is the problem of its row, not of the file.
bool is_utf8_with_zeros(std::string_view text) {
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\0', begin), text.size());
        if (!is_utf8(text.substr(begin, end - begin))) return false;
        begin = end + 1;
    }
    return true;
}

json::object& part(json::object& person, std::string_view key) {
    json::value& value = person[key];
    return value.is_object() ? value.get_object() : value.emplace_object();
}

}  // namespace

PeopleFile::Place PeopleFile::place_of(const std::string& column, bool has_key) {
    const std::string known = lower(column);
    if (known == (has_key ? "key" : "id")) return {"", "key"};
    if (known == "locale" || known == "timezone") return {"", known};
    if (auto channel = channel_of(column); !channel.empty()) return {"addresses", channel};
    return {"attributes", column};
}

Result<void> PeopleFile::place_columns() {
    const bool has_key = std::any_of(columns_.begin(), columns_.end(), [](const auto& column) {
        return lower(column) == "key";
    });
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        Place place;
        if (i > 0 || columns_[i] != problem_column) place = place_of(columns_[i], has_key);
        const auto same = std::find(places_.begin(), places_.end(), place);
        if (same != places_.end() && !place.name.empty()) {
            return Error{
                Errc::invalid,
                fmt::format(
                    "the columns '{}' and '{}' become the same: leave one out",
                    columns_[static_cast<std::size_t>(same - places_.begin())],
                    columns_[i]
                ),
                {}};
        }
        places_.push_back(std::move(place));
    }
    if (std::find(places_.begin(), places_.end(), Place{"", "key"}) != places_.end()) return {};
    return Error{Errc::invalid, "the first line must name a column key or id", {}};
}

Result<PeopleFile> PeopleFile::read(std::string_view text) {
    if (!is_utf8_with_zeros(text)) {
        return Error{Errc::invalid, "the file is not UTF-8: save it as CSV UTF-8", {}};
    }
    auto rows = read_csv(text);
    if (!rows) return rows.error();
    if (rows->empty()) return Error{Errc::invalid, "the file is empty", {}};
    PeopleFile file;
    file.rows_ = std::move(*rows);
    file.columns_ = std::move(file.rows_.front().cells);
    file.rows_.erase(file.rows_.begin());
    if (auto placed = file.place_columns(); !placed) return placed.error();
    return file;
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
        const Place& place = places_[i];
        const std::string& cell = row.cells[i];
        if (cell.empty() || place.name.empty()) continue;
        json::object& within = place.within.empty() ? person : part(person, place.within);
        within[place.name] = cell;
    }
    if (person.contains("key")) return person;
    return Error{Errc::invalid, "has no key", {}};
}

}  // namespace pawl::cli
