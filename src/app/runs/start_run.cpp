#include "app/runs/start_run.hpp"

#include "app/refusal.hpp"

#include <fmt/core.h>

#include <map>

namespace pawl::app {

namespace {

Error at_run(std::size_t index, Error error) {
    error.message = fmt::format("runs[{}]: {}", index, error.message);
    return error;
}

// The definition of each of a batch; the heads are looked up together.
asio::awaitable<Result<std::vector<engine::ProgramPtr>>> programs_of(
    RunUses& uses, store::TenantId tenant, const std::vector<StartParams>& all
) {
    std::map<std::string, store::Head> heads;
    std::vector<engine::ProgramPtr> programs;
    for (const StartParams& one : all) {
        auto head = heads.find(one.workflow);
        if (head == heads.end()) {
            auto found = co_await uses.programs.head(tenant, one.workflow);
            if (!found) co_return at_run(programs.size(), found.error());
            head = heads.emplace(one.workflow, std::move(*found)).first;
        }
        auto program = co_await uses.programs.started(tenant, head->second, choice_of(one));
        if (!program) co_return at_run(programs.size(), program.error());
        programs.push_back(std::move(*program));
    }
    co_return programs;
}

// What is missing in any of a batch: told by the first of them, with the places of all.
std::optional<Error> check_inputs(
    const std::vector<engine::ProgramPtr>& programs, const std::vector<StartParams>& all
) {
    std::optional<Error> first;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto missing = check_input(*programs.at(i), all[i].data, fmt::format("/runs/{}/data", i));
        if (!missing) continue;
        if (!first) {
            first = at_run(i, std::move(*missing));
            continue;
        }
        for (auto& [key, value] : missing->context) {
            if (key != reason_key) first->context.emplace_back(std::move(key), std::move(value));
        }
    }
    return first;
}

}  // namespace

asio::awaitable<Result<StartedRun>> start_run(RunUses& uses, Caller caller, StartParams params) {
    const bool keyed = params.correlation_id.empty() && !caller.key.empty();
    params.correlation_id = correlation_for(caller, std::move(params.correlation_id));
    params.traceparent = caller.traceparent;
    if (params.triggered_by.empty()) params.triggered_by = caller.door;
    bool admitted = false;
    for (bool known = true;; known = false) {
        const auto chosen = co_await uses.programs.chosen(
            caller.tenant.id, params.workflow, choice_of(params), known
        );
        if (!chosen) co_return chosen.error();
        auto missing = check_input(*chosen->program, params.data);
        if (missing && chosen->head != 0) continue;  // the current version may not need it
        if (missing) co_return std::move(*missing);
        if (!admitted) {
            const auto fits = co_await uses.admission.admit(caller.tenant, {&params.data});
            if (!fits) co_return fits.error();
        }
        admitted = true;
        engine::StartRequest request = to_request(chosen->program, params);
        request.head = chosen->head;
        const auto started = co_await uses.starter.start(std::move(request));
        if (started.outdated) continue;
        if (started.kept_out) co_return kept_out(*chosen->program, params.subject);
        if (keyed) {
            const auto same = co_await check_same_start(uses, caller.tenant, started, params);
            if (!same) co_return same.error();
        }
        co_return StartedRun{chosen->program, started};
    }
}

Error kept_out(const engine::Program& program, std::string_view subject) {
    return refusal(
               Errc::conflict,
               "not_entered",
               fmt::format(
                   "{} may not enter '{}': {} what its enter_if asks",
                   subject.empty() ? "the run" : subject,
                   program.definition.name,
                   subject.empty() ? "it has no subject that could meet" : "does not meet"
               )
    )
        .with("workflow", program.definition.name)
        .with("subject", std::string(subject));
}

asio::awaitable<Result<std::vector<StartedRun>>> start_runs(
    RunUses& uses, Caller caller, std::vector<StartParams> all
) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].correlation_id = correlation_for(caller, std::move(all[i].correlation_id), i);
        all[i].traceparent = caller.traceparent;
    }
    const auto programs = co_await programs_of(uses, caller.tenant.id, all);
    if (!programs) co_return programs.error();
    if (auto missing = check_inputs(*programs, all)) co_return std::move(*missing);
    std::vector<const json::value*> data;
    for (const StartParams& one : all) data.push_back(&one.data);
    const auto fits = co_await uses.admission.admit(caller.tenant, std::move(data));
    if (!fits) co_return fits.error();
    std::vector<engine::StartRequest> requests;
    for (std::size_t i = 0; i < all.size(); ++i) {
        requests.push_back(to_request(programs->at(i), std::move(all[i])));
    }
    auto started = co_await uses.starter.start_all(std::move(requests));
    std::vector<StartedRun> runs;
    for (std::size_t i = 0; i < started.size(); ++i) {
        runs.push_back({programs->at(i), std::move(started[i])});
    }
    co_return runs;
}

asio::awaitable<Result<void>> check_same_start(
    RunUses& uses, store::Tenant tenant, engine::Started started, StartParams params
) {
    if (started.created || params.correlation_id.empty()) co_return Result<void>();
    const auto run = co_await uses.store.find_run(tenant, started.run);
    // One that a subject had already (reentry) came by another key, or by none.
    if (!run || run->input == params.data || run->correlation_id != params.correlation_id) {
        co_return Result<void>();
    }
    // Gathered into the run of others: its input is what was gathered.
    const auto program = co_await uses.programs.version(run->workflow_id, run->version);
    if (program && (*program)->definition.flow.gathering) co_return Result<void>();
    co_return reused_key();
}

Error reused_key() {
    return refusal(
        Errc::invalid,
        "idempotency_key_reused",
        "this Idempotency-Key was used for another request; take a new one"
    );
}

}  // namespace pawl::app
