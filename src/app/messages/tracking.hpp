#pragma once

#include "app/messages/hook_desk.hpp"
#include "app/messages/message_links.hpp"

namespace pawl::app {

// What is known of who follows a link or loads an image.
struct Visit {
    std::string_view method;
    std::string_view user_agent;
    std::string_view purpose;  // Sec-Purpose, Purpose or X-Purpose
};

// Whether a program came, and no person: one that looks whether a link is safe, shows a preview,
// loads images beforehand, or hides where the person is. Pure.
bool is_machine(const Visit& visit);

// The fact of a click or an open, one for each link, sort of visitor and ten seconds: a link that
// is followed a million times does not fill the database. Pure.
store::MessageFact click_fact(const ClickLink& link, bool machine, Instant at);
store::MessageFact open_fact(const MessageMark& mark, bool machine, Instant at);

// Keeps it. The visitor goes on also when it cannot be kept; then it is logged.
asio::awaitable<void> note_visit(HookDesk& desk, store::Bucket bucket, store::MessageFact fact);

}  // namespace pawl::app
