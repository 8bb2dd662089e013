#pragma once

#include "app/app.hpp"
#include "engine/core/callback_ticket.hpp"
#include "model/events/signal_data.hpp"

#include <string>

namespace pawl::app {

// What a peer says of a step that it took over (202). The ticket is the proof: there is no caller.

// How the step ended. `token` is the text of the ticket. Taken once: a peer that has not heard the
// answer says the same again; something else is refused, also from a stranger with the token.
asio::awaitable<Result<void>> answer_callback(
    App& app, engine::CallbackTicket ticket, std::string token, events::CallbackSignal said
);
// It is still at work.
asio::awaitable<Result<void>> beat_callback(App& app, engine::CallbackTicket ticket);

}  // namespace pawl::app
