#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::pg {

// Type numbers of the Postgres types we send (pg_type.oid; fixed forever).
enum class Type : std::uint32_t {
    boolean = 16,
    int8 = 20,
    int2 = 21,
    int4 = 23,
    text = 25,
    tid = 27,
    timestamptz = 1184,
    interval = 1186,
    uuid = 2950,
    jsonb = 3802,
};

// Where a row stands in its table.
struct RowPlace {
    std::uint32_t block = 0;
    std::uint16_t offset = 0;
};

// A one-dimensional array in the binary wire format, filled element by element.
class Array {
public:
    explicit Array(Type element);

    void add(bool value);
    void add(std::int16_t value);
    void add(std::int32_t value);
    void add(std::int64_t value);
    void add(std::string_view value);
    void add(const Uuid& value);
    void add(RowPlace value);
    void add(Instant value);
    void add_json(const boost::json::value& value);  // a JSON null becomes an SQL NULL
    void add_null();
    // An empty text becomes an SQL NULL.
    void add_or_null(std::string_view value);
    void reserve(std::size_t elements, std::size_t bytes_each);

    // The finished wire form; nothing may be added afterwards.
    std::string finish() &&;
    Type element() const { return element_; }

private:
    template <class Number>
    void add_number(Number value);

    std::string bytes_;
    std::int32_t count_ = 0;
    bool has_null_ = false;
    Type element_;
};

// Parameters of one statement, in binary format but for literals.
class Params {
public:
    Params& add(bool value);
    Params& add(std::int16_t value);
    Params& add(std::int32_t value);
    Params& add(std::int64_t value);
    Params& add(std::string_view value);
    Params& add(const char* value) { return add(std::string_view(value)); }
    Params& add(const Uuid& value);
    Params& add(Instant value);
    Params& add(Duration value);  // as interval
    Params& add_json(const boost::json::value& value);
    Params& add(Array array);
    Params& add_null();
    // Text that the server reads as it would read 'text' in the statement: whatever type is wanted
    // there. Must not hold a zero byte.
    Params& add_literal(std::string value);
    template <class T>
    Params& add(const std::optional<T>& value) {
        return value ? add(*value) : add_null();
    }

    std::size_t size() const { return values_.size(); }
    // Views for libpq; valid while this object lives and is not changed.
    struct Wire {
        std::vector<const char*> values;
        std::vector<int> lengths;
        std::vector<int> formats;
    };
    Wire wire() const;
    std::size_t bytes() const;

private:
    std::vector<std::optional<std::string>> values_;
    std::vector<std::size_t> literals_;  // their places in values_
};

}  // namespace pawl::pg
