#pragma once

#include <boost/json/fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::pg {

// What a statement that is not ours gave back, in text format: its columns are known only now.
struct TextTable {
    struct Column {
        std::string name;
        std::uint32_t type = 0;  // pg_type.oid
    };
    using Row = std::vector<std::optional<std::string>>;

    std::vector<Column> columns;
    std::vector<Row> rows;
    std::int64_t affected = 0;  // rows that it touched, or returned
};

struct TextLimits {
    std::size_t rows_max = 1000;
    std::size_t bytes_max = 1 << 20;  // of all values, four more for each
};

// A value as Postgres's own to_json() would give it: numbers, booleans, JSON, times in ISO 8601,
// arrays as lists, everything else as text. Numbers with a fraction become doubles; whole numbers
// beyond 64 bits stay text. Times must have been written with DateStyle ISO.
boost::json::value to_json(std::uint32_t type, std::string_view text);

// One object a row, its keys in the order of the columns.
boost::json::array to_json(const TextTable& table);
// The same of some rows, from `first` up to but not including `end`.
boost::json::array to_json(const TextTable& table, std::size_t first, std::size_t end);

}  // namespace pawl::pg
