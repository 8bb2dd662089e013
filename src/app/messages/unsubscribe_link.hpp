#pragma once

#include "base/ids.hpp"
#include "base/seal.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::app {

// A link by which a person stops messages without a login (RFC 8058). It does not expire: the
// message that has it may be read years later.
struct UnsubscribeLink {
    store::Tenant tenant;
    std::string person;
    std::string channel = "*";
    std::string category = "*";
    std::optional<Uuid> message;  // that had the link
};

std::string seal_unsubscribe(const Seal& seal, const UnsubscribeLink& link);
// Nothing when it was not made by us.
std::optional<UnsubscribeLink> open_unsubscribe(const Seal& seal, std::string_view text);

// The address of the page and of the one-click request; empty where links cannot be signed.
std::string unsubscribe_url(
    const Seal& seal, const std::string& public_url, const UnsubscribeLink& link
);

}  // namespace pawl::app
