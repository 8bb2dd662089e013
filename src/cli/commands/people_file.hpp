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
// sms, phone, line, push and address.CHANNEL are addresses, in any case; the rest are attributes.
// Empty cells are not known, and columns without a name are passed over. The pages read files by
// the same rules (ui/src/pages/people/import/columns.ts).
class PeopleFile {
public:
    // An error: no row of it can be read.
    static Result<PeopleFile> read(std::string_view text);

    const std::vector<std::string>& columns() const { return columns_; }
    const std::vector<CsvRow>& rows() const { return rows_; }

    // The person of a row as the API takes it. The error does not name the line.
    Result<json::object> person(const CsvRow& row) const;

private:
    // Where the cells of a column go: a member of the person, or one of its part `within`.
    struct Place {
        std::string within;  // "addresses", "attributes", or empty
        std::string name;    // empty: the column is passed over

        bool operator==(const Place&) const = default;
    };
    static Place place_of(const std::string& column, bool has_key);
    Result<void> place_columns();

    std::vector<std::string> columns_;
    std::vector<Place> places_;
    std::vector<CsvRow> rows_;
};

}  // namespace pawl::cli
