#include "app/messages/unsubscribe_link.hpp"

#include "base/sealed_list.hpp"

namespace pawl::app {

std::string seal_unsubscribe(const Seal& seal, const UnsubscribeLink& link) {
    json::array parts;
    parts.push_back(link.tenant.id);
    parts.push_back(link.tenant.bucket);
    parts.push_back(json::string(link.person));
    parts.push_back(json::string(link.channel));
    parts.push_back(json::string(link.category));
    parts.push_back(json::string(link.message ? to_string(*link.message) : std::string()));
    return close_list(seal, unsubscribe_seal, parts);
}

std::optional<UnsubscribeLink> open_unsubscribe(const Seal& seal, std::string_view text) {
    const auto parts = open_list(seal, unsubscribe_seal, text, 6);
    if (!parts) return std::nullopt;
    UnsubscribeLink link;
    link.tenant.id = static_cast<std::int32_t>(parts->at(0).as_int64());
    link.tenant.bucket = static_cast<store::Bucket>(parts->at(1).as_int64());
    link.person = parts->at(2).as_string();
    link.channel = parts->at(3).as_string();
    link.category = parts->at(4).as_string();
    link.message = parse_uuid(parts->at(5).as_string());
    return link;
}

std::string unsubscribe_url(
    const Seal& seal, const std::string& public_url, const UnsubscribeLink& link
) {
    if (!seal.usable() || public_url.empty()) return {};
    return public_url + "/v1/unsubscribe/" + seal_unsubscribe(seal, link);
}

}  // namespace pawl::app
