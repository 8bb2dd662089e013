#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "cli/parse/csv.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pawl::cli {

// The first column of rows that were left out of an import: it says why, and is passed over.
inline constexpr std::string_view problem_column = "problem";

// A CSV file of people. The first line names the columns: key (or id), locale and timezone; email,
// sms, phone, line, push and address.CHANNEL are addresses; the rest are attributes. Empty cells
// are not known.
class PeopleFile {
public:
    // An error: no row of it can be read.
    static Result<PeopleFile> read(std::string_view text);

    const std::vector<std::string>& columns() const { return columns_; }
    const std::vector<CsvRow>& rows() const { return rows_; }

    // The person of a row as the API takes it. The error does not name the line.
    Result<json::object> person(const CsvRow& row) const;

private:
    std::vector<std::string> columns_;
    std::string key_column_;
    std::vector<CsvRow> rows_;
};

}  // namespace pawl::cli
