#include "workers/named_step.hpp"

#include "base/json.hpp"
#include "workers/review.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::workers {

namespace {

class NamedStep : public Step {
public:
    NamedStep(std::string name, const Connectors& connectors, StepFunction function)
        : name_(std::move(name)), connectors_(connectors), function_(function) {}

    std::string name() const override { return name_; }
    StepResult execute(const ExecutionContext& context) override {
        return function_(connectors_, context);
    }

private:
    std::string name_;
    Connectors connectors_;
    StepFunction function_;
};

}  // namespace

void add_step(
    Registry& registry, const Connectors& connectors, std::string name, StepFunction function
) {
    registry.add(std::make_shared<NamedStep>(std::move(name), connectors, function));
}

StepResult send_mail(const Connectors& connectors, const ExecutionContext& context) {
    return connectors.email->send(
        {text_of(&context.input, "to"),
         text_of(&context.input, "subject"),
         text_of(&context.input, "body")},
        context
    );
}

StepResult permanent(std::string code, std::string message) {
    return StepResult::fail(FailureKind::permanent, std::move(code), std::move(message));
}

StepResult with_address(json::object found, const std::string& name) {
    const json::value held(std::move(found));
    if (text_of(&held, "email").empty()) {
        return permanent("no_address", name + " has no email address");
    }
    return StepResult::ok(held);
}

Activity activity_of(const ExecutionContext& context, std::string kind) {
    Activity activity;
    activity.contact = text_of(&context.input, "contact");
    activity.kind = std::move(kind);
    activity.idempotency_key = context.idempotency_key;
    return activity;
}

Spent spent_of(const json::value& input) {
    Spent spent;
    const json::value* given = find(input, "spent");
    if (given == nullptr) return spent;
    spent.tokens = whole_number(find(*given, "tokens")).value_or(0);
    const json::value* cost = find(*given, "cost");
    if (cost != nullptr && cost->is_number()) spent.cost = cost->to_number<double>();
    return spent;
}

void add_feedback(ChatRequest& request, const json::value& input) {
    const json::value* previous = find(input, "previous");
    if (previous == nullptr) return;
    request.messages.push_back({"assistant", json::serialize(*previous)});
    request.messages.push_back(
        {"user",
         "A colleague did not approve this: " + std::string(text_in(input, "feedback")) +
             "\nWrite it again so that they would."}
    );
}

}  // namespace pawl::workers
