#include "model/events/whole_run_events.hpp"
#include "plan/code_plan.hpp"
#include "plan/decision.hpp"

namespace pawl::plan {

void Decision::hold(const Hold& hold) {
    if (state_.paused) return;
    Event event;
    event.type = EventType::run_paused;
    event.data = events::write(events::RunPaused{"engine", hold.code, hold.reason}, hold.details);
    append(std::move(event));
}

// Asks a code workflow what comes next; false when that is not due, or its code is not here.
bool Decision::plan_next() {
    const bool due = state_.plan_due && !state_.unwinding && !state_.stopping && !state_.paused &&
                     state_.error.is_null();
    if (!due || moment_.plan == nullptr) return false;
    PlanNews news = ask_plan(definition_, state_, *moment_.plan);
    if (news.hold) {
        hold(*news.hold);
        return false;
    }
    if (news.answer.failure) {
        state_.error = to_json(*news.answer.failure);
        stop({RunStatus::failed});
        return true;
    }
    if (news.answer.finished) {
        stop({RunStatus::completed, {}, std::move(news.answer.output)});
        return true;
    }
    if (news.answer.steps.empty() && state_.tokens.empty()) {
        // Nothing is left to do.
        end_as({});
        return true;
    }
    append(events::Planned{to_json(news.answer.steps)});
    return true;
}

// Whether something handles what leaves by this handle: an edge, or a plan.
bool Decision::has_way(const Token& token, std::string_view handle) const {
    return !definition_.code.empty() || definition_.next(token.node, handle).has_value();
}

}  // namespace pawl::plan
