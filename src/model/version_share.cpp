#include "model/version_share.hpp"

#include "base/json.hpp"

#include <fmt/core.h>
#include <openssl/sha.h>

#include <array>
#include <cmath>

namespace pawl {

namespace {

// Evenly spread over [0, share_of_all).
std::int32_t place_of(std::int32_t workflow, std::string_view key) {
    const std::string text = fmt::format("{}:{}", workflow, key);
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < 7; ++i) number = number << 8 | digest[i];
    return static_cast<std::int32_t>(number % share_of_all);
}

}  // namespace

std::int32_t choose_version(
    std::int32_t head,
    const std::vector<VersionShare>& others,
    std::int32_t workflow,
    std::string_view key
) {
    if (others.empty()) return head;
    std::int32_t place = place_of(workflow, key);
    for (const VersionShare& other : others) {
        if (place < other.share) return other.version;
        place -= other.share;
    }
    return head;
}

std::vector<VersionShare> shares_from_json(const json::value& value) {
    std::vector<VersionShare> shares;
    const json::array* list = value.if_array();
    if (list == nullptr) return shares;
    for (const json::value& one : *list) {
        const auto version = whole_number(find(one, "version"));
        const json::value* share = find(one, "share");
        if (!version || share == nullptr || !share->is_number()) continue;
        const double percent = share->to_number<double>();
        shares.push_back(
            {static_cast<std::int32_t>(*version),
             static_cast<std::int32_t>(std::lround(percent * share_of_all / 100))}
        );
    }
    return shares;
}

}  // namespace pawl
