#include "sandbox/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pawl::sandbox {

Error wrong_at(std::string_view place, std::string_view what) {
    return {Errc::invalid, fmt::format("{} {}", place, what), {}};
}

Result<void> only_members(
    const json::value& value, std::string_view place, std::initializer_list<std::string_view> known
) {
    if (!value.is_object()) return wrong_at(place, "must be an object");
    for (const auto& [key, unused] : value.get_object()) {
        const std::string_view name(key.data(), key.size());
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return wrong_at(
            place, fmt::format("has no member '{}'; it may have {}", name, fmt::join(known, ", "))
        );
    }
    return {};
}

json::value percent(double number) {
    if (number == std::floor(number)) return static_cast<std::int64_t>(number);
    return number;
}

Result<std::optional<double>> number_at(
    const json::value& object, std::string_view key, double least, double most
) {
    const json::value* value = find(object, key);
    if (value == nullptr || value->is_null()) return std::optional<double>();
    boost::system::error_code failed;
    const double number = value->is_number() ? value->to_number<double>(failed) : least - 1;
    if (failed || !(number >= least && number <= most)) {
        return wrong_at(key, fmt::format("must be a number from {} to {}", least, most));
    }
    return std::optional<double>(number);
}

Result<std::optional<std::string>> text_at(
    const json::value& object, std::string_view key, std::size_t bytes_max
) {
    const json::value* value = find(object, key);
    if (value == nullptr || value->is_null()) return std::optional<std::string>();
    if (!value->is_string() || value->get_string().size() > bytes_max) {
        return wrong_at(key, fmt::format("must be a text of at most {} bytes", bytes_max));
    }
    return std::optional<std::string>(value->get_string());
}

}  // namespace pawl::sandbox
