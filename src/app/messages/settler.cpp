#include "app/messages/settler.hpp"

#include "app/refusal.hpp"
#include "app/runs/signal_run.hpp"
#include "base/log.hpp"
#include "engine/async/batches.hpp"
#include "model/events/step_events.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

constexpr Duration look_every = std::chrono::seconds(1);
// A step that is not unknown for so long after the fact will not become it.
constexpr Duration patience = std::chrono::minutes(1);
constexpr int batch = 500;
// Where runs are; see engine::MatcherOptions.
constexpr store::Bucket bucket = 0;

plan::SettleRequest request_of(const store::ProvedMessage& message) {
    plan::SettleRequest request;
    request.node = message.node;
    request.message = message.id;
    request.run = to_string(message.run);
    request.by = message.connector;
    request.reason = fmt::format("the provider says that the message is {}", message.state);
    // A bounce comes after the provider has taken the message; a failure may mean that it has not.
    const bool failed = message.state == "failed";
    request.as = failed ? plan::Settled::failed : plan::Settled::completed;
    if (!failed) request.data = settled_result(message);
    return request;
}

}  // namespace

json::object settled_result(const store::ProvedMessage& message) {
    const std::string id = to_string(message.id);
    events::MessageEnded end;
    end.state = "sent";
    end.message = id;
    end.channel = message.channel;
    end.connector = message.connector;
    end.account = message.account;
    end.external_id = message.external_id;
    end.category = message.category;
    end.message_template = message.message_template;
    if (message.template_version) end.template_version = *message.template_version;
    return events::write(std::move(end));
}

// True: nothing is left to do for it.
asio::awaitable<bool> MessageSettler::settle(store::ProvedMessage message) {
    if (message.node.empty()) co_return true;
    Caller caller;
    caller.tenant = {message.tenant, bucket};
    caller.name = "facts about messages";
    caller.key = "settle:" + to_string(message.id);
    const auto settled =
        co_await settle_step(runs_, std::move(caller), message.run, request_of(message));
    if (settled) co_return true;
    if (reason_of(settled.error()) != "not_unknown") {
        log::info(
            "a message was not settled",
            {log::field("run", to_string(message.run)),
             log::field("error", settled.error().message)}
        );
        co_return true;
    }
    const auto since = refused_.try_emplace(message.id, Steady::now()).first->second;
    co_return Steady::now() - since > patience;
}

asio::awaitable<std::size_t> MessageSettler::settle_all() {
    std::vector<Uuid> done;
    for (store::ProvedMessage& message : co_await log_.proved(bucket, batch)) {
        const Uuid id = message.id;
        if (co_await settle(std::move(message))) done.push_back(id);
    }
    const std::size_t many = done.size();
    for (const Uuid& id : done) refused_.erase(id);
    if (many > 0) co_await log_.drop_proved(bucket, std::move(done));
    co_return many;
}

asio::awaitable<void> MessageSettler::run() {
    return engine::work_batches(gate_, trouble_, batch, look_every, [this] {
        return settle_all();
    });
}

}  // namespace pawl::app
