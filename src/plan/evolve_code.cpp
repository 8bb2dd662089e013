// The part of the fold that only code workflows use.
#include "model/events/whole_run_events.hpp"
#include "plan/moves.hpp"

namespace pawl::plan {

PlannedStep* RunState::find_planned(TokenId token) {
    for (PlannedStep& step : planned) {
        if (step.token == token) return &step;
    }
    return nullptr;
}

const PlannedStep* RunState::find_planned(TokenId token) const {
    return const_cast<RunState*>(this)->find_planned(token);
}

void add_planned(const Definition& definition, RunState& state, const Event& event) {
    state.plan_due = false;
    for (const events::PlannedCall& step : events::read<events::Planned>(event).calls()) {
        const auto node = definition.find(step.step);
        if (!node) continue;
        PlannedStep planned;
        planned.id = step.id;
        planned.node = *node;
        planned.token = add_token(definition, state, *node);
        if (step.config && step.config->is_object()) planned.config = step.config->get_object();
        state.planned.push_back(std::move(planned));
    }
}

void end_planned(RunState& state, TokenId token, std::string_view handle) {
    PlannedStep* planned = state.find_planned(token);
    if (planned == nullptr) return;
    planned->handle = handle.empty() ? "default" : handle;
    planned->record = state.records.size() - 1;
    state.plan_due = true;
}

}  // namespace pawl::plan
