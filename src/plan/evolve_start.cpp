#include "model/duration.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/flow_control.hpp"
#include "plan/moves.hpp"

#include <algorithm>
#include <limits>

// What the first event of a log says of its run.
namespace pawl::plan {

namespace {

// The runs that this one goes on from.
void remember_chain(RunState& state, const events::Chain& chain) {
    constexpr std::int64_t copied_max = std::numeric_limits<std::int32_t>::max();
    state.first_run = chain.first_run;
    state.anew_run = chain.anew_run;
    state.branch_run = chain.branch_run;
    if (!chain.retry_of.empty()) {
        const std::int64_t copied = chain.copied.value_or(0);
        state.copied = copied < 0 || copied > copied_max ? 0 : static_cast<std::int32_t>(copied);
    }
    state.owners = chain.owners;
    state.released.assign(chain.released.begin(), chain.released.end());
}

}  // namespace

void start_run(const Definition& definition, RunState& state, const Event& event) {
    if (state.started) return;
    auto started = events::read<events::RunStarted>(event);
    state.started = true;
    if (state.started_at == Instant{}) state.started_at = event.at;
    state.begun_at = parse_rfc3339(started.started_at).value_or(event.at);
    state.workflow = started.workflow;
    state.version = started.version;
    if (started.input) state.input = *started.input;
    state.subject = started.subject;
    remember_chain(state, started.chain);
    state.gates = gates_of_run(started);
    if (started.caller) {
        const auto& gates = started.caller->gates;
        state.gates.insert(state.gates.end(), gates.begin(), gates.end());
        state.caller = std::move(started.caller);
        state.parent = started.parent;
    }
    if (started.timeout_ms && *started.timeout_ms > 0) {
        const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(duration_max);
        const std::chrono::milliseconds bounded(
            std::min(*started.timeout_ms, std::int64_t{most.count()})
        );
        // The time that it was told to wait does not count.
        const Instant begin = started.start_at ? std::max(event.at, *started.start_at) : event.at;
        state.deadline = saturating_add(begin, bounded);
    }
    if (!definition.code.empty()) {
        state.plan_due = true;
    } else if (!definition.nodes.empty()) {
        enter(definition, state, 0, 0);
    }
}

}  // namespace pawl::plan
