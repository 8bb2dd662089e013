#include "base/trace_context.hpp"

#include "base/hex.hpp"

#include <algorithm>
#include <cstddef>

namespace pawl {

namespace {

// "00-" trace "-" span "-" flags
constexpr std::size_t length = 2 + 1 + 32 + 1 + 16 + 1 + 2;

// Only lower case is allowed.
int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

template <std::size_t size>
bool read(std::string_view text, std::array<std::uint8_t, size>& bytes) {
    for (std::size_t i = 0; i < size; ++i) {
        const int high = digit(text[2 * i]);
        const int low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return true;
}

template <std::size_t size>
bool is_zero(const std::array<std::uint8_t, size>& bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

std::optional<TraceContext> parse_traceparent(std::string_view header) {
    if (header.size() < length || (header.size() > length && header[length] != '-')) return {};
    if (header[2] != '-' || header[35] != '-' || header[52] != '-') return {};
    std::array<std::uint8_t, 1> version{};
    std::array<std::uint8_t, 1> flags{};
    TraceContext context;
    const bool readable =
        read(header.substr(0, 2), version) && read(header.substr(3, 32), context.trace) &&
        read(header.substr(36, 16), context.span) && read(header.substr(53, 2), flags);
    if (!readable || version[0] == 0xff || (version[0] == 0 && header.size() != length)) return {};
    if (is_zero(context.trace) || is_zero(context.span)) return {};
    context.sampled = (flags[0] & 1) != 0;
    return context;
}

std::string to_traceparent(const TraceContext& context) {
    return "00-" + hex_of(context.trace) + "-" + hex_of(context.span) +
           (context.sampled ? "-01" : "-00");
}

std::string to_hex(const TraceId& id) {
    return hex_of(id);
}

std::string to_hex(const SpanId& id) {
    return hex_of(id);
}

}  // namespace pawl
