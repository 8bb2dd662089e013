#include "app/messages/message_uses.hpp"

#include "app/messages/sent_content.hpp"
#include "app/refusal.hpp"

#include <algorithm>
#include <array>

namespace pawl::app {

asio::awaitable<Result<ShownMessage>> find_message(
    MessageUses& uses, store::Tenant tenant, Uuid id
) {
    auto message = co_await uses.log.find(tenant, id);
    if (!message) {
        co_return not_found("there is no message '" + to_string(id) + "'")
            .with("message", to_string(id));
    }
    ShownMessage shown{std::move(*message), {}, {}};
    shown.sent = co_await sent_content(uses, tenant, shown.message);
    shown.facts = co_await uses.log.facts(tenant, id);
    co_return shown;
}

bool is_message_state(std::string_view name) {
    // As pawl.message_state_name has them.
    constexpr std::array<std::string_view, 10> states = {
        "skipped",
        "sending",
        "unknown",
        "sent",
        "failed",
        "delivered",
        "bounced",
        "opened",
        "clicked",
        "complained"};
    return std::find(states.begin(), states.end(), name) != states.end();
}

}  // namespace pawl::app
