#include "app/runs/rerun_run.hpp"

#include "app/refusal.hpp"
#include "app/runs/folded_run.hpp"
#include "base/fresh_id.hpp"
#include "plan/released.hpp"
#include "plan/repin.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

// A version was retired for a reason: the caller that begins a run in it says that it knows.
asio::awaitable<Result<void>> check_retired(
    RunUses& uses, const store::RunDetails& old, std::int32_t number
) {
    const auto version = co_await uses.store.find_version(old.workflow_id, number);
    if (!version || !version->retired_at) co_return Result<void>();
    co_return refusal(
        Errc::conflict,
        "version_retired",
        "version " + std::to_string(number) + " of workflow '" + old.workflow +
            "' is retired; with confirm: true the run begins in it all the same"
    )
        .with("workflow", old.workflow)
        .with("version", std::to_string(number));
}

// Where the log reached the step first, with the version that the run had then. Steps are looked
// for by the names that they have now: the run may have been moved to a version that renamed them.
struct Beginning {
    std::int32_t seq = 0;
    std::int32_t version = 0;
    plan::Released released;
};

asio::awaitable<Result<Beginning>> find_beginning(
    RunUses& uses, store::Tenant tenant, const store::RunDetails& old, const std::string& step
) {
    const auto latest = co_await uses.programs.version(old.workflow_id, old.version);
    if (!latest) co_return latest.error();
    const Definition& definition = (*latest)->definition;
    if (!definition.find(step)) {
        co_return wrong_at("there is no step " + step, "/from", "is not a step of this version");
    }
    const auto log = plan::renamed(co_await uses.store.load_log(tenant.bucket, old.id));
    const auto first = std::find_if(log.begin(), log.end(), [&](const Event& event) {
        return event.node == step;
    });
    if (first == log.end()) {
        co_return refusal(Errc::conflict, "not_reached", "the run never reached the step " + step)
            .with("step", step);
    }
    const std::vector<Event> taken_over(log.begin(), std::max(first, log.begin() + 1));
    co_return Beginning{
        first->seq,
        plan::pinned_version(taken_over),
        plan::released_before(definition, log, first->seq)};
}

asio::awaitable<Result<Reran>> rerun_from(
    RunUses& uses, Caller caller, store::RunDetails old, RerunParams params
) {
    auto beginning = co_await find_beginning(uses, caller.tenant, old, *params.from);
    if (!beginning) co_return beginning.error();
    if (!params.confirmed) {
        const auto fine = co_await check_retired(uses, old, beginning->version);
        if (!fine) co_return fine.error();
    }
    auto program = co_await uses.programs.version(old.workflow_id, beginning->version);
    if (!program) co_return program.error();
    const json::value& input = params.data ? *params.data : old.input;
    if (params.data) {
        const auto valid = check_replaced_input((*program)->definition, input);
        if (!valid) co_return unfit_input(valid.error());
    }
    const auto fits = co_await uses.admission.admit(caller.tenant, {&input});
    if (!fits) co_return fits.error();
    const RunId fresh{fresh_id()};
    store::Rerun rerun{
        old.id,
        fresh,
        beginning->seq,
        params.data.value_or(json::value()),
        std::move(beginning->released.records)};
    rerun.key = correlation_for(caller, "");
    const auto made = co_await uses.retries.rerun_from(caller.tenant, std::move(rerun));
    if (!made) {
        co_return not_found("there is no run " + to_string(old.id)).with("run", to_string(old.id));
    }
    uses.wake_workers();
    if (*made != fresh) {
        const auto found = co_await find_run(uses.store, caller.tenant, *made);
        if (!found) co_return found.error();
        if (found->parent != old.id) co_return reused_key();
    }
    co_return Reran{
        {std::move(*program), {*made, *made == fresh}}, std::move(beginning->released.steps)};
}

}  // namespace

asio::awaitable<Result<Reran>> rerun_run(RunUses& uses, Caller caller, RerunParams params) {
    auto old = co_await find_run(uses.store, caller.tenant, params.run);
    if (!old) co_return old.error();
    if (params.from) {
        co_return co_await rerun_from(uses, std::move(caller), std::move(*old), std::move(params));
    }
    const auto program =
        co_await uses.programs.active(caller.tenant.id, old->workflow, {old->subject, ""});
    if (!program) co_return program.error();
    StartParams start;
    start.workflow = old->workflow;
    start.data = params.data ? *params.data : old->input;
    start.subject = old->subject;
    start.priority = old->priority;
    // What several starts were gathered into was checked when they came, one by one.
    const bool gathered = !params.data && (*program)->definition.flow.gathering.has_value();
    if (!gathered) {
        if (auto missing = check_input(**program, start.data)) co_return std::move(*missing);
    }
    const auto fits = co_await uses.admission.admit(caller.tenant, {&start.data});
    if (!fits) co_return fits.error();
    start.triggered_by = caller.door;
    start.correlation_id = correlation_for(caller, "");
    engine::StartRequest request = to_request(*program, start);
    request.parent = to_string(old->id);
    request.gathered = gathered;
    const auto started = co_await uses.starter.start(std::move(request));
    if (started.kept_out) co_return kept_out(**program, start.subject);
    const auto same = co_await check_same_start(uses, caller.tenant, started, std::move(start));
    if (!same) co_return same.error();
    co_return Reran{{*program, started}, {}};
}

}  // namespace pawl::app
