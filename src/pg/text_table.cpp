#include "pg/text_table.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace pawl::pg {

namespace {

// pg_type.oid of the types that JSON has a better form for than text; fixed forever.
enum Oid : std::uint32_t {
    boolean = 16,
    int8 = 20,
    int2 = 21,
    int4 = 23,
    oid = 26,
    json_text = 114,
    float4 = 700,
    float8 = 701,
    timestamp = 1114,
    timestamptz = 1184,
    numeric = 1700,
    jsonb = 3802,
};

constexpr std::pair<std::uint32_t, std::uint32_t> element_types[] = {
    {199, json_text},
    {1000, boolean},
    {1005, int2},
    {1007, int4},
    {1009, 25},
    {1014, 1042},
    {1015, 1043},
    {1016, int8},
    {1021, float4},
    {1022, float8},
    {1115, timestamp},
    {1182, 1082},
    {1185, timestamptz},
    {1231, numeric},
    {2951, 2950},
    {3807, jsonb},
};

json::value whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return value;
    return json::string(text);
}

json::value floating(std::string_view text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc() && std::isfinite(value)) return value;
    return json::string(text);  // NaN, Infinity
}

// Identifiers come as whole numbers and must not be rounded; measures may be.
json::value number(std::string_view text) {
    const bool whole = text.find_first_of(".eE") == std::string_view::npos;
    return whole ? whole_number(text) : floating(text);
}

// "2024-05-01 10:00:00.5+02" -> "2024-05-01T10:00:00.5+02:00"
json::value time(std::string_view text, bool has_zone) {
    json::string iso(text);
    constexpr std::size_t date_length = 10;
    if (iso.size() <= date_length || iso[date_length] != ' ') return iso;  // infinity
    iso[date_length] = 'T';
    const auto sign = std::string_view(iso).find_last_of("+-");
    if (has_zone && sign > date_length && sign + 3 == iso.size()) iso += ":00";
    return iso;
}

json::value parsed(std::string_view text) {
    JsonLimits limits;
    limits.bytes_max = text.size();
    auto value = parse_json(text, limits);
    if (value) return std::move(*value);
    return json::string(text);
}

// Postgres writes {1,NULL,"a \"quoted\" one",{2,3}}.
class ArrayReader {
public:
    ArrayReader(std::uint32_t element, std::string_view text) : element_(element), text_(text) {}

    // Nothing when it is not an array after all.
    std::optional<json::array> read() {
        // Lower bounds other than 1 stand before it: [0:1]={...}
        if (text_.starts_with('[')) {
            const auto equals = text_.find('=');
            if (equals == std::string_view::npos) return std::nullopt;
            at_ = equals + 1;
        }
        auto list = read_list(0);
        if (!list || at_ != text_.size()) return std::nullopt;
        return list;
    }

private:
    static constexpr int dimensions_max = 6;  // of Postgres

    std::optional<json::array> read_list(int depth) {
        if (depth >= dimensions_max || !take('{')) return std::nullopt;
        json::array list;
        if (take('}')) return list;
        for (;;) {
            if (peek() == '{') {
                auto inner = read_list(depth + 1);
                if (!inner) return std::nullopt;
                list.push_back(std::move(*inner));
            } else if (peek() == '"') {
                list.push_back(to_json(element_, read_quoted()));
            } else {
                const auto end = std::min(text_.find_first_of(",}", at_), text_.size());
                const auto word = text_.substr(at_, end - at_);
                at_ = end;
                list.push_back(word == "NULL" ? json::value() : to_json(element_, word));
            }
            if (take('}')) return list;
            if (!take(',')) return std::nullopt;
        }
    }

    std::string read_quoted() {
        std::string word;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            word += text_[at_];
        }
        ++at_;
        return word;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    std::uint32_t element_;
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

json::value to_json(std::uint32_t type, std::string_view text) {
    switch (type) {
        case boolean: return text == "t";
        case int2:
        case int4:
        case int8:
        case oid: return whole_number(text);
        case numeric: return number(text);
        case float4:
        case float8: return floating(text);
        case json_text:
        case jsonb: return parsed(text);
        case timestamp: return time(text, false);
        case timestamptz: return time(text, true);
        default: break;
    }
    for (const auto& [array, element] : element_types) {
        if (array != type) continue;
        if (auto list = ArrayReader(element, text).read()) return std::move(*list);
    }
    return json::string(text);
}

json::array to_json(const TextTable& table) {
    return to_json(table, 0, table.rows.size());
}

json::array to_json(const TextTable& table, std::size_t first, std::size_t end) {
    json::array rows;
    rows.reserve(end - first);
    for (std::size_t at = first; at < end; ++at) {
        const TextTable::Row& row = table.rows[at];
        json::object object;
        object.reserve(row.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            const auto& [name, type] = table.columns[i];
            object[name] = row[i] ? to_json(type, *row[i]) : json::value();
        }
        rows.push_back(std::move(object));
    }
    return rows;
}

}  // namespace pawl::pg
