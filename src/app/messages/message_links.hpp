#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/seal.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::app {

// Links that a message has for the person who reads it. They are signed, hold all that they need
// and do not expire. A text that was not made here opens nothing.

// A link of a message by way of this server, which hears of the click. The target is signed too:
// a caller cannot make the server lead elsewhere.
struct ClickLink {
    store::Tenant tenant;
    Uuid message;
    std::string url;
};
// Empty where links cannot be signed.
std::string click_url(const Seal& seal, const std::string& public_url, const ClickLink& link);
std::optional<ClickLink> open_click(const Seal& seal, std::string_view text);

// The image by which a mail is known to be opened.
struct MessageMark {
    store::Tenant tenant;
    Uuid message;
};
std::string pixel_url(const Seal& seal, const std::string& public_url, const MessageMark& mark);
std::optional<MessageMark> open_pixel(const Seal& seal, std::string_view text);

// The page where a person says what they want to get.
struct PersonLink {
    store::Tenant tenant;
    std::string person;
};
std::string preferences_url(
    const Seal& seal, const std::string& public_url, const PersonLink& link
);
std::optional<PersonLink> open_preferences(const Seal& seal, std::string_view text);

// What LINE gives back when a person has linked their LINE account: whose it is. At most 255
// characters; nothing when the key of the person is too long for that.
std::optional<std::string> seal_line_nonce(
    const Seal& seal, const PersonLink& link, Instant expires
);
// Nothing when it has expired.
std::optional<PersonLink> open_line_nonce(const Seal& seal, std::string_view text, Instant now);

// Whether a URL is one of these, or unsubscribes: such a link is not tracked.
bool is_own_link(const std::string& public_url, std::string_view url);

}  // namespace pawl::app
