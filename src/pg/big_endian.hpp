#pragma once

#include "base/clock.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

// Numbers in Postgres's binary format: big endian.
namespace pawl::pg::wire {

template <std::integral T>
T to_big_endian(T value) {
    static_assert(std::endian::native == std::endian::little, "add the big-endian case");
    if constexpr (sizeof(T) == 2)
        return static_cast<T>(__builtin_bswap16(static_cast<std::uint16_t>(value)));
    if constexpr (sizeof(T) == 4)
        return static_cast<T>(__builtin_bswap32(static_cast<std::uint32_t>(value)));
    if constexpr (sizeof(T) == 8)
        return static_cast<T>(__builtin_bswap64(static_cast<std::uint64_t>(value)));
}

template <std::integral T>
void put(std::string& out, T value) {
    const T swapped = to_big_endian(value);
    out.append(reinterpret_cast<const char*>(&swapped), sizeof swapped);
}

template <std::integral T>
void put_at(std::string& out, std::size_t position, T value) {
    const T swapped = to_big_endian(value);
    std::memcpy(out.data() + position, &swapped, sizeof swapped);
}

template <std::integral T>
T get(const char* in) {
    T value;
    std::memcpy(&value, in, sizeof value);
    return to_big_endian(value);
}

// timestamptz counts microseconds from 2000-01-01.
inline constexpr std::int64_t pg_epoch_micros = 946'684'800'000'000;

inline std::int64_t to_pg_micros(Instant at) {
    return at.time_since_epoch().count() - pg_epoch_micros;
}
// 'infinity' and the last three decades that Postgres knows are beyond what an Instant can hold.
inline Instant from_pg_micros(std::int64_t micros) {
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() - pg_epoch_micros;
    return Instant(std::chrono::microseconds(std::min(micros, last) + pg_epoch_micros));
}

}  // namespace pawl::pg::wire
