// The part of the fold that only code workflows use.
#include "base/json.hpp"
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
    const json::value* steps = find(event.data, "steps");
    const json::array* list = steps == nullptr ? nullptr : steps->if_array();
    for (const json::value& step : list == nullptr ? json::array() : *list) {
        const auto node = definition.find(text_in(step, "step"));
        if (!node) continue;
        PlannedStep planned;
        planned.id = text_in(step, "id");
        planned.node = *node;
        planned.token = add_token(definition, state, *node);
        const json::value* config = find(step, "config");
        if (config != nullptr && config->is_object()) planned.config = config->get_object();
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
