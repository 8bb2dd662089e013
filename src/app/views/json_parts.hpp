#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"

#include <optional>
#include <string>

namespace pawl::app {

// Values that may not be there: null then.

inline json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}
inline json::value number_or_null(std::optional<std::int32_t> number) {
    return number ? json::value(*number) : json::value();
}
inline json::value time_or_null(const std::optional<Instant>& at) {
    return at ? json::value(to_rfc3339(*at)) : json::value();
}
inline json::value id_or_null(const std::optional<RunId>& id) {
    return id ? json::value(to_string(*id)) : json::value();
}

}  // namespace pawl::app
