#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/start_body.hpp"
#include "api/shapes.hpp"
#include "api/streams/run_end.hpp"
#include "base/fresh_id.hpp"
#include "plan/released.hpp"
#include "plan/repin.hpp"

namespace pawl::api {

namespace {

// Also the replay of a dead letter: the same thing, seen from the list of failures.
asio::awaitable<http::ServerResponse> retry_run(Services& services, Call call) {
    only_params(call, {});
    const RunId id = run_param(call);
    const auto outcome =
        co_await services.retries.retry(tenant_of(call), {store::Retry{id, RunId{fresh_id()}}});
    const store::Retried& retried = outcome.at(0);
    if (retried.status.empty()) refuse_not_found("there is no run " + to_string(id));
    if (!retried.retried_as) {
        refuse(
            409,
            "not_retryable",
            "only a failed or cancelled run can be retried; this one is " + retried.status
        );
    }
    services.wake_workers();
    const auto run = co_await find_run(services, tenant_of(call), *retried.retried_as);
    const auto program = co_await services.programs.version(run.workflow_id, run.version);
    auto response = json_response(
        retried.created ? 201 : 200, to_json(*program, {*retried.retried_as, retried.created})
    );
    response.headers.push_back({"Location", "/v1/runs/" + to_string(*retried.retried_as)});
    co_return response;
}

// A version was retired for a reason: whoever begins a run in it says so.
asio::awaitable<void> refuse_retired(
    Services& services, store::RunDetails old, std::int32_t number
) {
    const auto version = co_await services.store.find_version(old.workflow_id, number);
    if (!version || !version->retired_at) co_return;
    refuse(
        409,
        "version_retired",
        "version " + std::to_string(number) + " of workflow '" + old.workflow +
            "' is retired; with confirm: true the run begins in it all the same"
    );
}

// Where the step was come to first; what happened before stays as it was.
asio::awaitable<http::ServerResponse> rerun_from(
    Services& services,
    Call call,
    store::RunDetails old,
    std::string step,
    json::value input,
    bool confirmed
) {
    const auto latest = co_await services.programs.version(old.workflow_id, old.version);
    if (!latest->definition.find(step)) {
        refuse_places("there is no step " + step, {{"/from", "", "is not a step of this version"}});
    }
    const auto log =
        plan::renamed(co_await services.store.load_log(tenant_of(call).bucket, old.id));
    const auto first = std::find_if(log.begin(), log.end(), [&](const Event& event) {
        return event.node == step;
    });
    if (first == log.end()) {
        refuse(409, "not_reached", "the run never came to the step " + step);
    }
    // The run may have been moved since: the new one has the version of then.
    const std::vector<Event> taken_over(log.begin(), std::max(first, log.begin() + 1));
    const std::int32_t number = plan::pinned_version(taken_over);
    if (!confirmed) co_await refuse_retired(services, old, number);
    const auto released = plan::released_before(latest->definition, log, first->seq);
    store::Rerun rerun{old.id, RunId{fresh_id()}, first->seq, std::move(input), released.records};
    rerun.key = correlation_for(call, "");
    const RunId fresh = rerun.new_run;
    const auto made = co_await services.retries.rerun_from(tenant_of(call), std::move(rerun));
    const auto program = co_await services.programs.version(old.workflow_id, number);
    if (!made) refuse_not_found("there is no run " + to_string(old.id));
    services.wake_workers();
    if (*made != fresh) {
        const auto found = co_await find_run(services, tenant_of(call), *made);
        if (found.parent != old.id) refuse_reused_key();
    }
    json::object out = to_json(*program, {*made, *made == fresh});
    if (!released.steps.empty()) {
        out["released"] = json::array(released.steps.begin(), released.steps.end());
    }
    auto response = json_response(201, out);
    response.headers.push_back({"Location", "/v1/runs/" + to_string(*made)});
    co_return response;
}

asio::awaitable<http::ServerResponse> rerun_run(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const json::object* data = body.object("data");
    const auto from = body.text("from", 100);
    const bool confirmed = body.flag("confirm").value_or(false);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    auto old = co_await find_run(services, tenant_of(call), run_param(call));
    if (from) {
        json::value input = data == nullptr ? json::value() : json::value(*data);
        co_return co_await rerun_from(
            services, call, std::move(old), *from, std::move(input), confirmed
        );
    }
    const auto program =
        co_await services.programs.active(call.principal.tenant, old.workflow, {old.subject, ""});
    StartBody start;
    start.workflow = old.workflow;
    start.data = data == nullptr ? old.input : json::value(*data);
    start.subject = old.subject;
    start.priority = old.priority;
    // What several starts were gathered into was checked when they came, one by one.
    const bool gathered = data == nullptr && program->definition.flow.gathering.has_value();
    std::vector<ProblemPlace> gaps;
    if (!gathered) {
        if (auto missing = check_input(*program, start.data, gaps)) {
            refuse_missing(std::move(*missing), std::move(gaps));
        }
    }
    start.triggered_by = door_of(call);
    start.correlation_id = correlation_for(call, "");
    engine::StartRequest request = to_request(program, start);
    request.parent = to_string(old.id);
    request.gathered = gathered;
    const auto started = co_await services.starter.start(std::move(request));
    co_await refuse_other_start(services, tenant_of(call), started, std::move(start));
    auto response = json_response(201, to_json(*program, started));
    response.headers.push_back({"Location", "/v1/runs/" + to_string(started.run)});
    co_return response;
}

}  // namespace

void add_again_routes(Router& router, Services& services) {
    router.add({"POST", "/v1/runs/{id}/retry", Scope::runs_write, bound(services, retry_run), {}});
    router.add({"POST", "/v1/runs/{id}/rerun", Scope::runs_write, bound(services, rerun_run), {}});
    router.add(
        {"POST", "/v1/dead-letters/{id}/replay", Scope::runs_write, bound(services, retry_run), {}}
    );
}

}  // namespace pawl::api
