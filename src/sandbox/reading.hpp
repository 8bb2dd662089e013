#pragma once

#include "base/json.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// Members of what the console of the sandbox is told. Each error names the place and what may stand
// there.
namespace pawl::sandbox {

Error wrong_at(std::string_view place, std::string_view what);

// Refuses what is no object, and members that are not among these.
Result<void> only_members(
    const json::value& value, std::string_view place, std::initializer_list<std::string_view> known
);
// A percentage as people write it: 100, not 1E2.
json::value percent(double number);
// Nothing when it is not there.
Result<std::optional<double>> number_at(
    const json::value& object, std::string_view key, double least, double most
);
Result<std::optional<std::string>> text_at(
    const json::value& object, std::string_view key, std::size_t bytes_max
);

}  // namespace pawl::sandbox
