#pragma once

#include "app/caller.hpp"
#include "store/repos/message_log.hpp"

#include <vector>

namespace pawl::app {

// What the use cases of messages work with. All of it outlives them.
struct MessageUses {
    store::MessageLog& log;
};

struct ShownMessage {
    store::Message message;
    std::vector<store::FactShown> facts;  // oldest first
};

// An error when there is no such message.
asio::awaitable<Result<ShownMessage>> find_message(
    MessageUses& uses, store::Tenant tenant, Uuid id
);

// Whether messages can be in a state of this name.
bool is_message_state(std::string_view name);

}  // namespace pawl::app
