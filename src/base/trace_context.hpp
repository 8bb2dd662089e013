#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl {

using TraceId = std::array<std::uint8_t, 16>;
using SpanId = std::array<std::uint8_t, 8>;

// Where in a trace something belongs, as W3C's traceparent header says it.
struct TraceContext {
    TraceId trace{};
    SpanId span{};
    bool sampled = true;

    bool operator==(const TraceContext&) const = default;
};

// Nothing when it is not a traceparent; later versions of the header are read as far as known.
std::optional<TraceContext> parse_traceparent(std::string_view header);
std::string to_traceparent(const TraceContext& context);

std::string to_hex(const TraceId& id);
std::string to_hex(const SpanId& id);

}  // namespace pawl
