#pragma once

#include "app/caller.hpp"
#include "app/runs/run_uses.hpp"
#include "store/repos/message_log.hpp"
#include "store/repos/message_templates.hpp"
#include "store/repos/persons.hpp"

#include <vector>

namespace pawl::app {

// What the use cases of messages work with. All of it outlives them.
struct MessageUses {
    store::MessageLog& log;
    store::MessageTemplates& templates;
    store::Persons& persons;
    RunUses& runs;
};

// What a message says, or why that is not known: test, skipped, erased, run_gone, template_gone,
// unfilled.
struct SentContent {
    json::object content;
    std::string missing;
};

struct ShownMessage {
    store::Message message;
    std::vector<store::FactShown> facts;  // oldest first
    SentContent sent;
};

// An error when there is no such message.
asio::awaitable<Result<ShownMessage>> find_message(
    MessageUses& uses, store::Tenant tenant, Uuid id
);

// Whether messages can be in a state of this name.
bool is_message_state(std::string_view name);

}  // namespace pawl::app
