#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

struct CsvRow {
    int line = 1;  // of the file, on which it begins
    std::vector<std::string> cells;
};

// Comma-separated values (RFC 4180), or those of semicolons or tabs: quoted fields may hold these,
// line ends and doubled quotes. A byte order mark and rows without a value are passed over. The
// error names the line.
Result<std::vector<CsvRow>> read_csv(std::string_view text);

// The line of a file that read_csv would read so, with its line feed.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace pawl::cli
