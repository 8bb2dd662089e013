#pragma once

#include "app/caller.hpp"
#include "app/messages/message_links.hpp"
#include "app/messages/unsubscribe_link.hpp"
#include "store/repos/consent.hpp"
#include "store/repos/hidden_addresses.hpp"
#include "store/repos/messages.hpp"

#include <functional>
#include <optional>
#include <string>

namespace pawl::app {

// What the use cases around consent work with. All of it outlives them.
struct ConsentUses {
    store::Consent& consent;
    store::Messages& messages;
    store::HiddenAddresses& hidden;
    std::function<void()> on_facts;  // runs may wait for what was taken in
};

// '*': every channel, every category but transactional.
struct Wish {
    std::string channel = "*";
    std::string category = "*";
};
// Workflows are told, once.
asio::awaitable<void> unsubscribe(
    ConsentUses& uses, store::Tenant tenant, std::string person, Wish wish
);
asio::awaitable<void> resubscribe(
    ConsentUses& uses, store::TenantId tenant, std::string person, Wish wish
);
// By the link of a message. Twice is once; the message is marked and workflows are told.
asio::awaitable<void> unsubscribe_by_link(ConsentUses& uses, UnsubscribeLink link);

// What the person of a link can choose. Errc::not_found when they were erased.
asio::awaitable<Result<store::Preferences>> find_preferences(ConsentUses& uses, PersonLink link);
// By the page of the link. `wanted` of the cells that were shown; what is no cell counts for
// nothing.
asio::awaitable<Result<void>> save_preferences(
    ConsentUses& uses, PersonLink link, std::vector<store::Preference> shown
);

// Of a channel, of an address, also that of a person who was erased since; empty: any.
asio::awaitable<std::vector<store::Suppression>> list_suppressions(
    ConsentUses& uses,
    store::TenantId tenant,
    std::string channel,
    std::string address,
    store::SuppressionCursor after,
    int limit
);

// An error when the address was not suppressed.
asio::awaitable<Result<void>> lift_suppression(
    ConsentUses& uses, store::TenantId tenant, std::string channel, std::string address
);

// When, how often and to what share of the people messages go that are not transactional.
struct PolicyParams {
    std::string channel = "*";
    std::string quiet_from, quiet_to;  // HH:MM in the person's zone; empty: no quiet hours
    std::string timezone;              // of people who have none; empty: UTC
    std::optional<std::int32_t> cap_count;
    std::optional<Duration> cap_period;
    double holdout = 0;  // percent of the people who get nothing
};
// Refuses what does not go together.
asio::awaitable<Result<void>> put_policy(
    ConsentUses& uses, store::TenantId tenant, PolicyParams params
);

}  // namespace pawl::app
