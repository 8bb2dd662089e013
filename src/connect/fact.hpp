#pragma once

#include "base/clock.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pawl::connect {

namespace json = boost::json;

// What became of a message, or what a person did.
enum class FactKind {
    sent,
    delivered,
    opened,
    clicked,
    bounced,
    complained,
    unsubscribed,
    failed,
    replied,
    followed,
    unfollowed,
};

std::string_view name(FactKind kind);
std::optional<FactKind> parse_fact_kind(std::string_view text);

// What a provider says, in our words.
struct Fact {
    std::string provider_event_id;  // the same for every delivery of it
    FactKind kind = FactKind::sent;
    std::string external_id;  // the provider's id of the message, where it says so
    std::string message_id;   // ours, a UUID, where the provider carries it
    std::string address;
    Instant at{};
    bool machine = false;  // an open or a click of a program
    json::object detail;   // {permanent: true} where the address does not work
};

}  // namespace pawl::connect
