#include "pg/params.hpp"

#include "pg/big_endian.hpp"

#include <boost/json/serializer.hpp>
#include <boost/json/value.hpp>

#include <utility>

namespace pawl::pg {

namespace {

// ndim, has-null flag, element oid, length, lower bound.
constexpr std::size_t array_header_bytes = 20;
constexpr std::size_t empty_array_header_bytes = 12;
constexpr char jsonb_version = 1;

void append_json(std::string& out, const boost::json::value& value) {
    out += jsonb_version;
    // The common results are tiny: write them without the streaming serializer.
    if (value.is_object() && value.get_object().empty()) {
        out += "{}";
        return;
    }
    boost::json::serializer serializer;
    serializer.reset(&value);
    char chunk[512];
    while (!serializer.done()) {
        const auto piece = serializer.read(chunk, sizeof chunk);
        out.append(piece.data(), piece.size());
    }
}

}  // namespace

Array::Array(Type element) : bytes_(array_header_bytes, '\0'), element_(element) {}

void Array::reserve(std::size_t elements, std::size_t bytes_each) {
    bytes_.reserve(array_header_bytes + elements * (bytes_each + 4));
}

void Array::add(bool value) {
    wire::put(bytes_, std::int32_t{1});
    bytes_ += value ? '\1' : '\0';
    ++count_;
}

template <class Number>
void Array::add_number(Number value) {
    wire::put(bytes_, static_cast<std::int32_t>(sizeof value));
    wire::put(bytes_, value);
    ++count_;
}

void Array::add(std::int16_t value) {
    add_number(value);
}

void Array::add(std::int32_t value) {
    add_number(value);
}

void Array::add(std::int64_t value) {
    add_number(value);
}

void Array::add(std::string_view value) {
    wire::put(bytes_, static_cast<std::int32_t>(value.size()));
    bytes_.append(value);
    ++count_;
}

void Array::add(const Uuid& value) {
    wire::put(bytes_, std::int32_t{16});
    bytes_.append(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
    ++count_;
}

void Array::add(RowPlace value) {
    wire::put(bytes_, std::int32_t{6});
    wire::put(bytes_, static_cast<std::int32_t>(value.block));
    wire::put(bytes_, static_cast<std::int16_t>(value.offset));
    ++count_;
}

void Array::add(Instant value) {
    add(wire::to_pg_micros(value));
}

void Array::add_json(const boost::json::value& value) {
    if (value.is_null()) return add_null();
    const std::size_t length_at = bytes_.size();
    wire::put(bytes_, std::int32_t{0});
    append_json(bytes_, value);
    const std::size_t length = bytes_.size() - length_at - 4;
    wire::put_at(bytes_, length_at, static_cast<std::int32_t>(length));
    ++count_;
}

void Array::add_null() {
    wire::put(bytes_, std::int32_t{-1});
    has_null_ = true;
    ++count_;
}

void Array::add_or_null(std::string_view value) {
    if (value.empty()) {
        add_null();
    } else {
        add(value);
    }
}

std::string Array::finish() && {
    wire::put_at(bytes_, 0, std::int32_t{count_ > 0 ? 1 : 0});
    wire::put_at(bytes_, 4, std::int32_t{has_null_ ? 1 : 0});
    wire::put_at(bytes_, 8, static_cast<std::int32_t>(element_));
    wire::put_at(bytes_, 12, count_);
    wire::put_at(bytes_, 16, std::int32_t{1});
    if (count_ == 0) bytes_.resize(empty_array_header_bytes);
    return std::move(bytes_);
}

Params& Params::add(bool value) {
    values_.emplace_back(std::string(1, value ? '\1' : '\0'));
    return *this;
}

Params& Params::add(std::int16_t value) {
    wire::put(values_.emplace_back(std::string()).value(), value);
    return *this;
}

Params& Params::add(std::int32_t value) {
    wire::put(values_.emplace_back(std::string()).value(), value);
    return *this;
}

Params& Params::add(std::int64_t value) {
    wire::put(values_.emplace_back(std::string()).value(), value);
    return *this;
}

Params& Params::add(std::string_view value) {
    values_.emplace_back(std::string(value));
    return *this;
}

Params& Params::add(const Uuid& value) {
    values_.emplace_back(
        std::string(reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size())
    );
    return *this;
}

Params& Params::add(Instant value) {
    return add(wire::to_pg_micros(value));
}

Params& Params::add(Duration value) {
    // interval on the wire: microseconds, days, months.
    std::string& bytes = values_.emplace_back(std::string()).value();
    wire::put(bytes, static_cast<std::int64_t>(value.count()));
    wire::put(bytes, std::int32_t{0});
    wire::put(bytes, std::int32_t{0});
    return *this;
}

Params& Params::add_json(const boost::json::value& value) {
    if (value.is_null()) return add_null();
    append_json(values_.emplace_back(std::string()).value(), value);
    return *this;
}

Params& Params::add(Array array) {
    values_.emplace_back(std::move(array).finish());
    return *this;
}

Params& Params::add_null() {
    values_.emplace_back(std::nullopt);
    return *this;
}

Params& Params::add_literal(std::string value) {
    literals_.push_back(values_.size());
    values_.emplace_back(std::move(value));
    return *this;
}

Params::Wire Params::wire() const {
    Wire wire;
    wire.values.reserve(values_.size());
    for (const auto& value : values_) {
        wire.values.push_back(value ? value->data() : nullptr);
        wire.lengths.push_back(value ? static_cast<int>(value->size()) : 0);
        wire.formats.push_back(1);
    }
    for (const std::size_t place : literals_) wire.formats[place] = 0;
    return wire;
}

std::size_t Params::bytes() const {
    std::size_t total = 0;
    for (const auto& value : values_) total += value ? value->size() : 0;
    return total;
}

}  // namespace pawl::pg
