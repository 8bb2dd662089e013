#include "base/number_text.hpp"
#include "model/cron.hpp"
#include "model/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace pawl {

namespace {

constexpr std::array<std::string_view, 12> month_names{
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> weekday_names{
    "sun", "mon", "tue", "wed", "thu", "fri", "sat"};

struct Field {
    std::string_view title;
    unsigned min;
    unsigned max;
};
constexpr std::array<Field, 5> fields{
    {{"minute", 0, 59},
     {"hour", 0, 23},
     {"day of the month", 1, 31},
     {"month", 1, 12},
     {"weekday", 0, 7}}};

struct Macro {
    std::string_view name;
    std::string_view meaning;
};
constexpr std::array<Macro, 7> macros{
    {{"@hourly", "0 * * * *"},
     {"@daily", "0 0 * * *"},
     {"@midnight", "0 0 * * *"},
     {"@weekly", "0 0 * * 0"},
     {"@monthly", "0 0 1 * *"},
     {"@yearly", "0 0 1 1 *"},
     {"@annually", "0 0 1 1 *"}}};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find_first_of(separators);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

// A number of the field, or the name of a month or weekday.
std::optional<unsigned> value_of(const Field& field, std::string_view text) {
    if (const auto number = read_number<unsigned>(text)) {
        return *number >= field.min && *number <= field.max ? number : std::nullopt;
    }
    const auto index = [text](const auto& names) -> std::optional<unsigned> {
        const auto found = std::find(names.begin(), names.end(), text);
        if (found == names.end()) return std::nullopt;
        return static_cast<unsigned>(found - names.begin());
    };
    if (field.title == "weekday") return index(weekday_names);
    if (field.title != "month") return std::nullopt;
    const auto month = index(month_names);
    return month ? std::optional(*month + 1) : std::nullopt;
}

Error wrong(const Field& field, std::string_view text, std::string_view what) {
    return {Errc::invalid, fmt::format("cron {} '{}': {}", field.title, text, what), {}};
}

Error out_of_range(const Field& field, std::string_view text, std::string_view value) {
    const std::string_view names = field.title == "month"     ? " or jan to dec"
                                   : field.title == "weekday" ? " or sun to sat"
                                                              : "";
    return wrong(
        field, text, fmt::format("'{}' is not from {} to {}{}", value, field.min, field.max, names)
    );
}

struct Range {
    unsigned low;
    unsigned high;
};

Result<Range> parse_range(const Field& field, std::string_view text) {
    if (text == "*") return Range{field.min, field.max};
    const auto ends = split(text, "-");
    if (ends.size() > 2) return wrong(field, text, "a range has two ends, such as 9-17");
    const auto low = value_of(field, ends.front());
    if (!low) return out_of_range(field, text, ends.front());
    auto high = value_of(field, ends.back());
    if (!high) return out_of_range(field, text, ends.back());
    // Sunday ends a week as well as it begins one: sat-sun.
    if (field.title == "weekday" && ends.size() == 2 && *high == 0 && *low > 0) high = 7;
    if (*low > *high) {
        return wrong(field, text, "the range ends before it begins: write it as two");
    }
    return Range{*low, *high};
}

// Sets the bits of one field: "1,5", "9-17", "*/15".
Result<std::bitset<60>> parse_field(const Field& field, std::string_view text) {
    std::bitset<60> bits;
    for (const std::string_view item : split(text, ",")) {
        const auto parts = split(item, "/");
        const auto range = parse_range(field, parts.front());
        if (!range) return range.error();
        unsigned step = 1;
        if (parts.size() > 1) {
            const auto number = read_number<unsigned>(parts[1]);
            if (parts.size() > 2 || !number || *number == 0 || *number > field.max) {
                return wrong(field, item, "a step is a number from 1 on, such as */15");
            }
            if (parts.front() != "*" && parts.front().find('-') == std::string_view::npos) {
                const auto from = parts.front();
                return wrong(field, item, fmt::format("write {}-{}/{}", from, field.max, parts[1]));
            }
            step = *number;
        }
        for (unsigned i = range->low; i <= range->high; i += step) bits.set(i);
    }
    return bits;
}

// Fields by position, lower case.
Result<std::vector<std::string>> split_fields(std::string_view text) {
    std::string plain(text);
    std::transform(plain.begin(), plain.end(), plain.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    std::vector<std::string> found;
    for (const std::string_view part : split(plain, " \t")) {
        if (!part.empty()) found.emplace_back(part);
    }
    if (found.size() == 1 && found[0].starts_with('@')) {
        std::vector<std::string_view> names;
        for (const Macro& macro : macros) {
            if (macro.name == found[0]) return split_fields(macro.meaning);
            names.push_back(macro.name);
        }
        return Error{
            Errc::invalid,
            fmt::format("cron '{}' is not known{}", found[0], suggest(found[0], names)),
            {}};
    }
    if (found.size() != fields.size()) {
        return Error{
            Errc::invalid,
            fmt::format(
                "cron '{}' has {} fields: five are needed (minute, hour, day of the month, month, "
                "weekday), such as \"0 9 * * mon-fri\"",
                text,
                found.size()
            ),
            {}};
    }
    return found;
}

// Takes "L" out of the list of days.
std::string without_last(const std::string& days, bool& last_day) {
    std::string rest;
    for (const std::string_view item : split(days, ",")) {
        if (item == "l") {
            last_day = true;
            continue;
        }
        if (!rest.empty()) rest += ',';
        rest += item;
    }
    return rest;
}

// Whether some day of the chosen months can be meant.
bool can_fire(const Cron& cron) {
    constexpr std::array<unsigned, 13> longest{0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (!cron.any_weekday && !cron.any_day) return true;  // a weekday will come
    if (cron.last_day) return true;
    for (unsigned month = 1; month <= 12; ++month) {
        if (!cron.months.test(month)) continue;
        for (unsigned day = 1; day <= longest[month]; ++day) {
            if (cron.days.test(day)) return true;
        }
    }
    return false;
}

template <std::size_t size>
std::bitset<size> low_bits(const std::bitset<60>& bits) {
    return std::bitset<size>(bits.to_ullong() & ((1ULL << size) - 1));
}

}  // namespace

Result<Cron> parse_cron(std::string_view text) {
    constexpr std::size_t length_max = 200;
    if (text.size() > length_max) {
        return Error{Errc::too_large, "a cron expression may have 200 characters", {}};
    }
    auto parts = split_fields(text);
    if (!parts) return parts.error();
    Cron cron;
    cron.any_hour = (*parts)[1].starts_with('*');
    cron.any_day = (*parts)[2].starts_with('*');
    cron.any_weekday = (*parts)[4].starts_with('*');
    (*parts)[2] = without_last((*parts)[2], cron.last_day);
    std::array<std::bitset<60>, 5> bits;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i == 2 && cron.last_day && (*parts)[i].empty()) continue;
        auto read = parse_field(fields[i], (*parts)[i]);
        if (!read) return read.error();
        bits[i] = *read;
    }
    if (bits[4].test(7)) bits[4].set(0);
    cron.minutes = bits[0];
    cron.hours = low_bits<24>(bits[1]);
    cron.days = low_bits<32>(bits[2]);
    cron.months = low_bits<13>(bits[3]);
    cron.weekdays = low_bits<7>(bits[4]);
    if (cron.hours.all()) cron.any_hour = true;
    if (!can_fire(cron)) {
        return Error{
            Errc::invalid,
            fmt::format("cron '{}' can never fire: none of its months has such a day", text),
            {}};
    }
    return cron;
}

}  // namespace pawl
