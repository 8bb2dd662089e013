#include "app/messages/message_links.hpp"

#include "base/sealed_list.hpp"

#include <algorithm>
#include <array>

namespace pawl::app {

namespace {

constexpr std::string_view click = "click";
constexpr std::string_view pixel = "pixel";
constexpr std::string_view preferences = "preferences";
constexpr std::string_view line_nonce = "line nonce";
constexpr std::string_view pixel_end = ".gif";
constexpr std::size_t line_nonce_max = 255;

std::int64_t seconds_of(Instant at) {
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

std::string seal_parts(
    const Seal& seal, std::string_view purpose, store::Tenant tenant, json::array more
) {
    json::array parts{tenant.id, tenant.bucket};
    for (json::value& one : more) parts.push_back(std::move(one));
    return close_list(seal, purpose, parts);
}

store::Tenant tenant_in(const json::array& parts) {
    return {
        static_cast<std::int32_t>(parts[0].as_int64()),
        static_cast<store::Bucket>(parts[1].as_int64())};
}

std::string url_of(const std::string& public_url, std::string_view place, std::string token) {
    return public_url + std::string(place) + std::move(token);
}

}  // namespace

std::string click_url(const Seal& seal, const std::string& public_url, const ClickLink& link) {
    if (!seal.usable() || public_url.empty()) return {};
    json::array more{json::string(to_string(link.message)), json::string(link.url)};
    return url_of(public_url, "/l/", seal_parts(seal, click, link.tenant, std::move(more)));
}

std::optional<ClickLink> open_click(const Seal& seal, std::string_view text) {
    const auto parts = open_list(seal, click, text, 4);
    if (!parts) return std::nullopt;
    const auto message = parse_uuid((*parts)[2].as_string());
    if (!message) return std::nullopt;
    return ClickLink{tenant_in(*parts), *message, std::string((*parts)[3].as_string())};
}

std::string pixel_url(const Seal& seal, const std::string& public_url, const MessageMark& mark) {
    if (!seal.usable() || public_url.empty()) return {};
    json::array more{json::string(to_string(mark.message))};
    std::string token = seal_parts(seal, pixel, mark.tenant, std::move(more));
    return url_of(public_url, "/o/", std::move(token)) + std::string(pixel_end);
}

std::optional<MessageMark> open_pixel(const Seal& seal, std::string_view text) {
    if (!text.ends_with(pixel_end)) return std::nullopt;
    text.remove_suffix(pixel_end.size());
    const auto parts = open_list(seal, pixel, text, 3);
    if (!parts) return std::nullopt;
    const auto message = parse_uuid((*parts)[2].as_string());
    if (!message) return std::nullopt;
    return MessageMark{tenant_in(*parts), *message};
}

std::string preferences_url(
    const Seal& seal, const std::string& public_url, const PersonLink& link
) {
    if (!seal.usable() || public_url.empty() || link.person.empty()) return {};
    json::array more{json::string(link.person)};
    return url_of(public_url, "/p/", seal_parts(seal, preferences, link.tenant, std::move(more)));
}

std::optional<PersonLink> open_preferences(const Seal& seal, std::string_view text) {
    const auto parts = open_list(seal, preferences, text, 3);
    if (!parts) return std::nullopt;
    return PersonLink{tenant_in(*parts), std::string((*parts)[2].as_string())};
}

std::optional<std::string> seal_line_nonce(
    const Seal& seal, const PersonLink& link, Instant expires
) {
    json::array more{json::string(link.person), seconds_of(expires)};
    std::string nonce = seal_parts(seal, line_nonce, link.tenant, std::move(more));
    if (nonce.size() > line_nonce_max) return std::nullopt;
    return nonce;
}

std::optional<PersonLink> open_line_nonce(const Seal& seal, std::string_view text, Instant now) {
    const auto parts = open_list(seal, line_nonce, text, 4);
    if (!parts || (*parts)[3].as_int64() < seconds_of(now)) return std::nullopt;
    return PersonLink{tenant_in(*parts), std::string((*parts)[2].as_string())};
}

bool is_own_link(const std::string& public_url, std::string_view url) {
    if (public_url.empty() || !url.starts_with(public_url)) return false;
    url.remove_prefix(public_url.size());
    constexpr std::array<std::string_view, 4> places = {"/l/", "/o/", "/p/", "/v1/unsubscribe/"};
    return std::any_of(places.begin(), places.end(), [&](std::string_view place) {
        return url.starts_with(place);
    });
}

}  // namespace pawl::app
