#include "api/folded_run.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/text.hpp"
#include "plan/why.hpp"
#include "store/limits.hpp"

#include <boost/json/value_from.hpp>

namespace pawl::cli {

namespace {

std::optional<plan::Surroundings::Gate> told(const std::optional<store::FlowLimit>& gate) {
    if (!gate) return std::nullopt;
    return plan::Surroundings::Gate{
        gate->workflow, gate->name, gate->key, gate->limit, gate->running, gate->waiting};
}

asio::awaitable<int> tell(pg::Pool& pool, store::Tenant tenant, const Globals& globals, RunId id) {
    store::PgStore store(pool);
    store::Limits limits(pool);
    const auto folded = co_await api::fold_run(store, tenant, id);
    if (!folded) co_return report(globals, folded.error());
    const auto health = co_await store.health(tenant.bucket);
    const bool held = folded->run.status == "running";
    const auto gate = co_await limits.gate_of(tenant, id);
    plan::Surroundings around{held, health.workers, to_string(id), told(gate)};
    around.due_at = folded->run.due_at;
    around.reason = plan::reason_in(folded->log);
    if (folded->run.retried_as) around.went_on_as = to_string(*folded->run.retried_as);
    const plan::Why answer = plan::why(folded->definition, folded->state, around, wall_now());
    if (globals.machine()) {
        print_json(
            globals,
            json::object{
                {"sentence", answer.sentence},
                {"what_helps", answer.what_helps},
                {"places", json::value_from(answer.places)}}
        );
        co_return exit_ok;
    }
    print_line(printable(answer.sentence));
    for (const std::string& place : answer.places) print_line("  " + printable(place));
    if (!answer.what_helps.empty()) print_line("To move it, " + printable(answer.what_helps));
    co_return exit_ok;
}

}  // namespace

int run_runs_why(const RunsWhyOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return tell(pool, tenant, options.globals, *id);
    });
}

}  // namespace pawl::cli
