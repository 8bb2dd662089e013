#pragma once

#include "app/caller.hpp"
#include "app/messages/message_uses.hpp"
#include "app/runs/start_run.hpp"
#include "app/versions/version_uses.hpp"

#include <string>

namespace pawl::app {

// One message outside of a journey. It has a run of its own, of a workflow with one message, so
// that it is durable, guarded and known like every other.
struct SendParams {
    std::string connector;  // line or sms_8x8, whatever else the tenant has for the channel
    std::string person;     // empty: only the address
    std::string to;         // empty: the person's address
    json::value content;    // `messages` of LINE, or the text of an SMS
    bool transactional = false;
    std::string correlation_id;
};

// Starts it. The workflow is published when a tenant sends for the first time.
asio::awaitable<Result<RunId>> send_now(
    RunUses& runs, VersionUses& versions, Caller caller, SendParams params
);

// The definition of that workflow; pure.
std::string sending_workflow(const std::string& connector, bool transactional);

}  // namespace pawl::app
