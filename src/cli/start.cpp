#include "cli/start.hpp"

#include "base/fresh_id.hpp"
#include "cli/names.hpp"
#include "model/definition.hpp"
#include "model/duration.hpp"
#include "store/tenants.hpp"
#include "store/versions.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <memory>

namespace pawl::cli {

namespace asio = boost::asio;

namespace {

asio::awaitable<Result<void>> check_limits(
    pg::Pool& pool, store::Tenant tenant, const json::value& input
) {
    store::Tenants tenants(pool);
    const store::TenantLimits limits = co_await tenants.limits(tenant.id);
    if (limits.payload_bytes) {
        const std::size_t bytes = json::serialize(input).size();
        if (bytes > static_cast<std::size_t>(*limits.payload_bytes)) {
            co_return Error{
                Errc::too_large,
                fmt::format(
                    "the data of the run has {} bytes; the tenant may give {}",
                    bytes,
                    *limits.payload_bytes
                ),
                {}};
        }
    }
    if (!limits.open_runs) co_return Result<void>();
    const auto open = co_await tenants.count_open(tenant, *limits.open_runs);
    if (open < *limits.open_runs) co_return Result<void>();
    co_return Error{
        Errc::conflict,
        fmt::format("the tenant may have {} open runs, and has them", *limits.open_runs),
        {{"next", "try again when some have ended, or: pawl tenants limit"}}};
}

// When the connection breaks meanwhile, nobody knows whether the run was started: the same batch is
// sent once more, marked as such, and the run exists once either way.
asio::awaitable<std::vector<store::Existing>> send(store::PgStore& store, store::StartBatch batch) {
    std::exception_ptr failed;
    try {
        co_return co_await store.start_runs_and_notify(batch);
    } catch (const Failure& failure) {
        if (!info(failure.error().code).retryable) throw;
        failed = std::current_exception();
    }
    batch.resend = true;
    co_return co_await store.start_runs_and_notify(batch);
}

std::string why_existing(const Definition& definition, const StartAsk& ask) {
    if (definition.flow.gathering) return "gathered into a run that begins later";
    const bool once = definition.reentry != Reentry::always && !ask.subject.empty();
    if (once && ask.correlation.empty()) {
        return fmt::format("there is a run for {} already (reentry)", ask.subject);
    }
    return once ? "there is a run for this correlation key or subject already"
                : "there is a run for this correlation key already";
}

store::NewRun new_run(
    const StartAsk& ask, const store::WorkflowVersion& workflow, const Definition& definition
) {
    engine::StartRequest request;
    request.program = std::make_shared<engine::Program>(engine::Program{
        workflow.id, workflow.version, workflow.tenant, workflow.bucket, definition});
    request.input = ask.input;
    request.subject = ask.subject;
    request.correlation = ask.correlation;
    request.priority = ask.priority;
    request.parent = ask.parent;
    request.triggered_by = ask.triggered_by;
    request.uncounted = true;
    if (ask.delay) request.due_at = saturating_add(wall_now(), *ask.delay);
    return engine::to_new_run(RunId{fresh_id()}, std::move(request));
}

// Which version it gets where several are active; one that was named must be among them.
asio::awaitable<Result<std::int32_t>> version_for(
    pg::Pool& pool, store::WorkflowVersion head, StartAsk ask
) {
    if (ask.version.empty()) {
        std::string key = ask.subject.empty() ? ask.correlation : ask.subject;
        if (key.empty()) key = to_string(fresh_id());
        co_return choose_version(head.version, head.canary, head.id, key);
    }
    store::Versions versions(pool);
    const auto number = co_await versions.number(head.tenant, head.name, ask.version);
    if (!number) {
        co_return Error{
            Errc::not_found,
            fmt::format("workflow '{}' has no version {}", head.name, ask.version),
            {{"next", "pawl versions list " + head.name}}};
    }
    const bool active = *number == head.version ||
                        std::any_of(head.canary.begin(), head.canary.end(), [&](const auto& one) {
                            return one.version == *number;
                        });
    if (active) co_return *number;
    co_return Error{
        Errc::conflict,
        fmt::format("version {} of workflow '{}' is not active", ask.version, head.name),
        {{"next", fmt::format("pawl versions canary {} {}=0", head.name, *number)}}};
}

}  // namespace

asio::awaitable<Result<StartAnswer>> start_run(pg::Pool& pool, store::Tenant tenant, StartAsk ask) {
    store::PgStore store(pool);
    auto workflow = co_await store.find_workflow(tenant.id, ask.workflow);
    if (!workflow) co_return co_await unknown_workflow(store, tenant.id, ask.workflow);
    if (!workflow->active) co_return inactive_workflow(*workflow);
    const auto chosen = co_await version_for(pool, *workflow, ask);
    if (!chosen) co_return chosen.error();
    if (*chosen != workflow->version) workflow = co_await store.find_version(workflow->id, *chosen);
    const auto definition = definition_from_json(workflow->definition);
    if (!definition) co_return definition.error();
    const auto valid = validate_input(*definition, ask.input);
    if (!valid) co_return valid.error();
    const auto within = co_await check_limits(pool, tenant, ask.input);
    if (!within) co_return within.error();

    store::StartBatch batch;
    batch.bucket = workflow->bucket;
    batch.runs.push_back(new_run(ask, *workflow, *definition));
    StartAnswer answer;
    answer.number = workflow->version;
    answer.version = fmt::format("{} v{}", workflow->name, workflow->version);
    answer.started.tenant = {workflow->tenant, workflow->bucket};
    answer.started.run = batch.runs.front().id;
    const auto existing = co_await send(store, std::move(batch));
    if (!existing.empty()) {
        answer.started.existing = true;
        answer.started.run = existing.front().existing;
        answer.why = why_existing(*definition, ask);
    }
    co_return answer;
}

}  // namespace pawl::cli
