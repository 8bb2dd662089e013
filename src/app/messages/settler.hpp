#pragma once

#include "app/runs/run_uses.hpp"
#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "store/repos/message_log.hpp"

#include <map>

namespace pawl::app {

// Settles steps that sent a message with an unknown outcome, once a fact has proved it. Each
// process looks; a step that is settled twice is settled once. One thread; what it uses outlives
// it.
class MessageSettler {
public:
    MessageSettler(asio::any_io_executor executor, store::MessageLog& log, RunUses& runs)
        : log_(log), runs_(runs), gate_(executor) {}

    // Facts came in.
    void look() { gate_.open(); }
    asio::awaitable<void> run();
    // Goes over what is there once; how many it has dealt with.
    asio::awaitable<std::size_t> settle_all();

private:
    asio::awaitable<bool> settle(store::ProvedMessage message);

    store::MessageLog& log_;
    RunUses& runs_;
    engine::Gate gate_;
    Complaint trouble_{"messages could not be settled"};
    // Since when a step was found not to be unknown: the fact may be quicker than the commit.
    std::map<Uuid, Steady::time_point> refused_;
};

// The result of a message step that a fact has settled, as the step itself would have written it;
// pure.
json::object settled_result(const store::ProvedMessage& message);

}  // namespace pawl::app
