#pragma once

#include "engine/observe/span.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pawl::engine {

struct OtlpResource {
    std::string service = "pawl";
    std::string version = "dev";
    std::vector<std::pair<std::string, std::string>> attributes;
};

// The body of a request to /v1/traces: OTLP as JSON.
std::string to_otlp(const std::vector<Span>& spans, const OtlpResource& resource);

}  // namespace pawl::engine
