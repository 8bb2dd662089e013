#include "app/runs/why_run.hpp"

#include "app/runs/folded_run.hpp"

namespace pawl::app {

namespace {

std::optional<plan::Surroundings::Gate> gate_of(const std::optional<store::FlowLimit>& gate) {
    if (!gate) return std::nullopt;
    return plan::Surroundings::Gate{
        gate->workflow, gate->name, gate->key, gate->limit, gate->running, gate->waiting};
}

}  // namespace

asio::awaitable<Result<plan::Why>> why_run(RunUses& uses, store::Tenant tenant, RunId id) {
    const auto folded = co_await fold_run(uses.store, uses.programs, tenant, id);
    if (!folded) co_return folded.error();
    const store::RunDetails& run = folded->run;
    const auto health = co_await uses.store.health(tenant.bucket);
    const auto gate = co_await uses.limits.gate_of(tenant, id);
    plan::Surroundings around{
        run.status == "running", health.workers, to_string(id), gate_of(gate)};
    around.due_at = run.due_at;
    around.reason = plan::reason_in(folded->log);
    if (run.retried_as) around.went_on_as = to_string(*run.retried_as);
    co_return plan::why(folded->program->definition, folded->state, around, wall_now());
}

}  // namespace pawl::app
