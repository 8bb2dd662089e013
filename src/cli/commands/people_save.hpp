#pragma once

#include "cli/door/door.hpp"
#include "cli/parse/csv.hpp"

#include <boost/json/array.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pawl::cli {

// People that go in one request, with the rows that they come from; these outlive it.
class PeoplePart {
public:
    // Whether there is room for one more.
    bool takes(const json::object& person) const;
    void add(const CsvRow& row, json::object person);

    const std::vector<const CsvRow*>& rows() const { return rows_; }
    const json::array& people() const { return people_; }

private:
    std::vector<const CsvRow*> rows_;
    json::array people_;
    std::size_t bytes_ = 0;
};

struct RefusedRow {
    const CsvRow* row;
    std::string problem;
};

struct SavedPeople {
    std::int64_t count = 0;
    std::vector<RefusedRow> refused;  // by their lines
};

// Saves all of the people that the API takes: it refuses a request as a whole, so those at fault
// are left out, by their names in the answer or by halves. An error is not about single people.
asio::awaitable<Result<SavedPeople>> save_people(Door& door, PeoplePart part);

}  // namespace pawl::cli
