#pragma once

#include <boost/json/value.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace pawl {

// A version that is active beside the head, and how many of 10,000 starts it gets.
struct VersionShare {
    std::int32_t version = 0;
    std::int32_t share = 0;

    bool operator==(const VersionShare&) const = default;
};
inline constexpr std::int32_t share_of_all = 10'000;

// Which version a start gets: the same for the same key, on every server and from SQL
// (pawl.choose_version computes the same). Who got a version keeps it when its share grows.
std::int32_t choose_version(
    std::int32_t head,
    const std::vector<VersionShare>& others,
    std::int32_t workflow,
    std::string_view key
);

// As pawl.definition.canary has them: [{version, share}], the share in percent.
std::vector<VersionShare> shares_from_json(const boost::json::value& value);

}  // namespace pawl
