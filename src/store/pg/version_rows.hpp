#pragma once

#include "model/version_share.hpp"
#include "pg/rows.hpp"

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::store {

// Columns that tell about versions.

inline std::vector<VersionShare> shares_of(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return {};
    return shares_from_json(rows.readable_jsonb(row, column).value_or(nullptr));
}

// What is noted at a row with a value that cannot be read. It is set aside then: other rows of the
// batch, perhaps of other tenants, go on.
inline std::string unreadable(std::string_view what) {
    return std::string(what) + " cannot be read: " + pg::unreadable_jsonb;
}

inline std::optional<std::string> text_or_none(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return std::string(rows.text(row, column));
}

}  // namespace pawl::store
