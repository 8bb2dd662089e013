#include "pg/row_reader.hpp"

#include <boost/json/array.hpp>

namespace pawl::pg {

template <class T>
RowReader& RowReader::take(T& into, T (Rows::*read)(int, int) const) {
    const int column = column_++;
    if (!rows_.is_null(row_, column)) into = (rows_.*read)(row_, column);
    return *this;
}

RowReader& RowReader::operator>>(std::string& text) {
    return take(text, &Rows::text);
}
RowReader& RowReader::operator>>(bool& flag) {
    return take(flag, &Rows::boolean);
}
RowReader& RowReader::operator>>(std::int16_t& number) {
    return take(number, &Rows::int2);
}
RowReader& RowReader::operator>>(std::int32_t& number) {
    return take(number, &Rows::int4);
}
RowReader& RowReader::operator>>(std::int64_t& number) {
    return take(number, &Rows::int8);
}
RowReader& RowReader::operator>>(Uuid& id) {
    return take(id, &Rows::uuid);
}
RowReader& RowReader::operator>>(Instant& at) {
    return take(at, &Rows::instant);
}
RowReader& RowReader::operator>>(boost::json::value& value) {
    return take(value, &Rows::jsonb);
}
RowReader& RowReader::operator>>(Shown shown) {
    return take(shown.value, &Rows::shown_jsonb);
}
RowReader& RowReader::operator>>(std::vector<std::string>& texts) {
    boost::json::value list;
    *this >> shown(list);
    if (!list.is_array()) return *this;
    for (const boost::json::value& one : list.get_array()) {
        if (one.is_string()) texts.emplace_back(one.get_string());
    }
    return *this;
}

}  // namespace pawl::pg
