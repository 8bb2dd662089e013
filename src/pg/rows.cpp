#include "pg/rows.hpp"

#include "base/error.hpp"
#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "pg/big_endian.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/core.h>
#include <libpq-fe.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace pawl::pg {

namespace {

// Whether all numbers came out.
bool is_finite(const boost::json::value& value) {
    if (const auto* number = value.if_double()) return std::isfinite(*number);
    if (const auto* list = value.if_array()) {
        return std::all_of(list->begin(), list->end(), is_finite);
    }
    const auto* object = value.if_object();
    return object == nullptr || std::all_of(object->begin(), object->end(), [](const auto& member) {
               return is_finite(member.value());
           });
}

}  // namespace

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

int Rows::size() const {
    return PQntuples(result_.get());
}

bool Rows::is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
}

std::string_view Rows::bytes(int row, int column) const {
    return {
        PQgetvalue(result_.get(), row, column),
        static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

namespace {

// A wrong width is a query whose C++ side was not changed with it: a bug, found by the query
// contract test.
template <class T>
T number(std::string_view bytes) {
    PAWL_ASSERT(bytes.size() == sizeof(T));
    return wire::get<T>(bytes.data());
}

}  // namespace

bool Rows::boolean(int row, int column) const {
    return bytes(row, column) == std::string_view("\1", 1);
}

std::int16_t Rows::int2(int row, int column) const {
    return number<std::int16_t>(bytes(row, column));
}

std::int32_t Rows::int4(int row, int column) const {
    return number<std::int32_t>(bytes(row, column));
}

std::int64_t Rows::int8(int row, int column) const {
    return number<std::int64_t>(bytes(row, column));
}

double Rows::float8(int row, int column) const {
    return std::bit_cast<double>(number<std::int64_t>(bytes(row, column)));
}

Uuid Rows::uuid(int row, int column) const {
    const std::string_view raw = bytes(row, column);
    Uuid uuid;
    PAWL_ASSERT(raw.size() == uuid.bytes.size());
    std::memcpy(uuid.bytes.data(), raw.data(), raw.size());
    return uuid;
}

Instant Rows::instant(int row, int column) const {
    return wire::from_pg_micros(int8(row, column));
}

std::optional<Instant> Rows::instant_or_none(int row, int column) const {
    if (is_null(row, column)) return std::nullopt;
    return instant(row, column);
}

std::optional<boost::json::value> Rows::readable_jsonb(int row, int column) const {
    if (is_null(row, column)) return boost::json::value(nullptr);
    const std::string_view raw = bytes(row, column);
    PAWL_ASSERT(!raw.empty() && raw[0] == 1);
    boost::json::parse_options options;
    // What is in the database has passed our limits, or was written by a user's SQL: be generous,
    // not unbounded.
    options.max_depth = 512;
    boost::json::error_code failed;
    auto value = boost::json::parse(raw.substr(1), failed, {}, options);
    if (failed) return std::nullopt;
    if (is_finite(value)) return value;
    value = boost::json::parse(with_short_numbers(raw.substr(1)), failed, {}, options);
    if (failed || !is_finite(value)) return std::nullopt;
    return value;
}

boost::json::value Rows::shown_jsonb(int row, int column) const {
    auto value = readable_jsonb(row, column);
    if (value) return std::move(*value);
    return boost::json::object{{"unreadable", unreadable_jsonb}};
}

boost::json::value Rows::jsonb(int row, int column) const {
    auto value = readable_jsonb(row, column);
    if (!value) {
        throw Failure(
            {Errc::internal,
             fmt::format("a jsonb value from the database cannot be read: {}", unreadable_jsonb),
             {}}
        );
    }
    return std::move(*value);
}

std::int64_t Rows::affected() const {
    return std::atoll(PQcmdTuples(result_.get()));
}

}  // namespace pawl::pg
