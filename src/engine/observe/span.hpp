#pragma once

#include "base/clock.hpp"
#include "base/trace_context.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::engine {

// As OTLP numbers them.
enum class SpanKind { internal = 1, server = 2, client = 3, producer = 4 };

// One attribute; a number is written as one.
struct SpanAttribute {
    std::string_view key;  // lives as long as the program
    std::string text;
    std::int64_t number = 0;
    bool is_number = false;
};

// Something that took time, for a trace.
struct Span {
    TraceContext context;
    std::optional<SpanId> parent;
    std::string name;
    SpanKind kind = SpanKind::internal;
    Instant begin{};
    Instant end{};
    std::vector<SpanAttribute> attributes;
    std::vector<TraceContext> links;
    std::string error;  // empty: it went well

    Span& with(std::string_view key, std::string value) {
        attributes.push_back({key, std::move(value), 0, false});
        return *this;
    }
    Span& with(std::string_view key, std::int64_t value) {
        attributes.push_back({key, {}, value, true});
        return *this;
    }
};

}  // namespace pawl::engine
