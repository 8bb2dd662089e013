#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pg_result;

namespace pawl::pg {

// Why readable_jsonb() gives nothing.
inline constexpr char unreadable_jsonb[] =
    "it is nested deeper than 512 levels, or a number in it is out of range";

// The rows a statement returned, in binary format. Owns the libpq result; views into it live as
// long.
class Rows {
public:
    explicit Rows(pg_result* result) : result_(result) {}

    int size() const;
    bool is_null(int row, int column) const;
    // Raw bytes of a value (text and bytea are themselves).
    std::string_view bytes(int row, int column) const;
    std::string text(int row, int column) const { return std::string(bytes(row, column)); }
    bool boolean(int row, int column) const;
    std::int16_t int2(int row, int column) const;
    std::int32_t int4(int row, int column) const;
    std::int64_t int8(int row, int column) const;
    double float8(int row, int column) const;
    Uuid uuid(int row, int column) const;
    Instant instant(int row, int column) const;
    std::optional<Instant> instant_or_none(int row, int column) const;
    // SQL NULL becomes a JSON null.
    boost::json::value jsonb(int row, int column) const;
    // None: it cannot be read here, for it is too deep or has a number out of range.
    std::optional<boost::json::value> readable_jsonb(int row, int column) const;
    // For lists that people look at: {"unreadable": why} stands for a value that cannot be read, so
    // that it does not hide the rows beside it.
    boost::json::value shown_jsonb(int row, int column) const;
    // How many rows an INSERT, UPDATE or DELETE touched.
    std::int64_t affected() const;

private:
    struct Clear {
        void operator()(pg_result* result) const;
    };
    std::unique_ptr<pg_result, Clear> result_;
};

}  // namespace pawl::pg
