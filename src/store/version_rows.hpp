#pragma once

#include "model/version_share.hpp"
#include "pg/rows.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// Columns that tell about versions.

inline std::vector<VersionShare> shares_of(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return {};
    return shares_from_json(rows.jsonb(row, column));
}

inline std::optional<std::string> text_or_none(const pg::Rows& rows, int row, int column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return std::string(rows.text(row, column));
}

}  // namespace pawl::store
