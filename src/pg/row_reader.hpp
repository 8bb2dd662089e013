#pragma once

#include "pg/rows.hpp"

#include <boost/json/value.hpp>

#include <vector>

namespace pawl::pg {

// A value of JSON that people look at (Rows::shown_jsonb).
struct Shown {
    boost::json::value& value;
};
inline Shown shown(boost::json::value& value) {
    return {value};
}

// Reads the columns of a row one after the other, each as the type of the member that it goes into:
//     RowReader(rows, row) >> job.id >> job.kind >> job.created_at;
// SQL NULL leaves a member as it is. The rows outlive the reader.
class RowReader {
public:
    RowReader(const Rows& rows, int row, int column = 0)
        : rows_(rows), row_(row), column_(column) {}

    RowReader& operator>>(std::string& text);
    RowReader& operator>>(bool& flag);
    RowReader& operator>>(std::int16_t& number);
    RowReader& operator>>(std::int32_t& number);
    RowReader& operator>>(std::int64_t& number);
    RowReader& operator>>(Uuid& id);
    RowReader& operator>>(RunId& run) { return *this >> run.uuid; }
    RowReader& operator>>(Instant& at);
    RowReader& operator>>(boost::json::value& value);
    RowReader& operator>>(Shown shown);
    RowReader& operator>>(std::vector<std::string>& texts);  // the texts of a list of JSON
    template <class T>
    RowReader& operator>>(std::optional<T>& value) {
        if (!rows_.is_null(row_, column_)) return *this >> value.emplace();
        ++column_;
        return *this;
    }

private:
    template <class T>
    RowReader& take(T& into, T (Rows::*read)(int, int) const);

    const Rows& rows_;
    int row_;
    int column_;  // the next one
};

// What `read(rows, row)` makes of each row.
template <class Read>
auto all_rows(const Rows& rows, Read read) {
    std::vector<decltype(read(rows, 0))> all;
    all.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) all.push_back(read(rows, row));
    return all;
}

// What it makes of the only row, if there is one.
template <class Read>
auto first_row(const Rows& rows, Read read) {
    std::optional<decltype(read(rows, 0))> first;
    if (rows.size() > 0) first = read(rows, 0);
    return first;
}

}  // namespace pawl::pg
