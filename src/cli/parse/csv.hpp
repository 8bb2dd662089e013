#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

using CsvRow = std::vector<std::string>;

// Comma-separated values (RFC 4180): quoted fields may hold commas, line ends and doubled quotes. A
// byte order mark and empty lines are passed over. The error names the line.
Result<std::vector<CsvRow>> read_csv(std::string_view text);

}  // namespace pawl::cli
