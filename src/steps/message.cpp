#include "steps/message.hpp"

#include "base/json.hpp"
#include "connect/refusal.hpp"
#include "connect/request.hpp"
#include "model/message_id.hpp"
#include "steps/failure_text.hpp"
#include "steps/message_content.hpp"

#include <fmt/core.h>

#include <utility>

namespace pawl::steps {

namespace {

// A provider that says nothing about when to come back.
constexpr Duration usual_pause = std::chrono::seconds(5);
constexpr Duration longest_pause = std::chrono::hours(1);

MessageOrder order_of(const StepRequest& request) {
    MessageOrder order;
    order.tenant = request.tenant;
    order.id = message_id(request.idempotency_key);
    order.person = request.subject;
    const auto text = [&](std::string_view key) {
        return std::string(text_in(*request.templates, key));
    };
    order.channel = text("channel");
    order.connector = text("connector");
    order.account = text("account");
    order.message_template = text("template");
    order.category = text("category");
    if (order.category.empty()) order.category = "marketing";
    order.own_address = request.templates->contains("to");
    return order;
}

json::object ended(std::string_view state, const MessageOrder& order, const MessageReady& ready) {
    events::MessageEnded end;
    const std::string id = to_string(order.id);
    end.state = state;
    end.message = id;
    end.channel = order.channel;
    if (ready.connector) end.connector = ready.connector->name;
    end.account = ready.account_name;
    end.category = order.category;
    end.message_template = order.message_template;
    if (ready.template_version > 0) end.template_version = ready.template_version;
    return events::write(std::move(end));
}

StepOutcome skipped(
    const MessageOrder& order, const MessageReady& ready, std::string_view reason,
    std::string_view detail = ""
) {
    json::object result = ended("skipped", order, ready);
    result["reason"] = reason;
    if (!detail.empty()) result["detail"] = detail;
    return completed(std::move(result));
}

// The step is due again later and has used up no attempt.
StepOutcome postpone(std::string target, std::string reason, Duration pause) {
    events::TargetWait held;
    held.target = std::move(target);
    held.reason = std::move(reason);
    StepOutcome outcome = pending(std::move(held));
    outcome.postponed = std::clamp(pause, Duration(std::chrono::milliseconds(100)), longest_pause);
    return outcome;
}

}  // namespace

}  // namespace pawl::steps
