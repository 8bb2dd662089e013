#include "app/messages/unsubscribe_link.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::app {

namespace {

constexpr std::string_view purpose = "unsubscribe";

}  // namespace

std::string seal_unsubscribe(const Seal& seal, const UnsubscribeLink& link) {
    json::array parts;
    parts.push_back(link.tenant.id);
    parts.push_back(link.tenant.bucket);
    parts.push_back(json::string(link.person));
    parts.push_back(json::string(link.channel));
    parts.push_back(json::string(link.category));
    parts.push_back(json::string(link.message ? to_string(*link.message) : std::string()));
    return seal.close(purpose, json::serialize(parts));
}

std::optional<UnsubscribeLink> open_unsubscribe(const Seal& seal, std::string_view text) {
    const auto payload = seal.open(purpose, text);
    if (!payload) return std::nullopt;
    const auto parsed = parse_json(*payload);
    if (!parsed || !parsed->is_array() || parsed->get_array().size() != 6) return std::nullopt;
    // Only we can have written the rest.
    const json::array& parts = parsed->get_array();
    UnsubscribeLink link;
    link.tenant.id = static_cast<std::int32_t>(parts[0].as_int64());
    link.tenant.bucket = static_cast<store::Bucket>(parts[1].as_int64());
    link.person = parts[2].as_string();
    link.channel = parts[3].as_string();
    link.category = parts[4].as_string();
    link.message = parse_uuid(parts[5].as_string());
    return link;
}

std::string unsubscribe_url(
    const Seal& seal, const std::string& public_url, const UnsubscribeLink& link
) {
    if (!seal.usable() || public_url.empty()) return {};
    return public_url + "/v1/unsubscribe/" + seal_unsubscribe(seal, link);
}

}  // namespace pawl::app
