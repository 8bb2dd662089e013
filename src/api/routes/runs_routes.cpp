#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "api/run_steps.hpp"
#include "api/shapes.hpp"
#include "api/streams/run_end.hpp"
#include "plan/planner.hpp"
#include "plan/why.hpp"

#include <boost/json/value_from.hpp>

#include <algorithm>

namespace pawl::api {

namespace {

std::vector<std::string> statuses_of(const Call& call) {
    auto wanted = parse_statuses(text_param(call, "status"));
    if (!wanted) refuse_parameter("status", status_rule);
    return std::move(*wanted);
}

store::RunFilter filter_of(const Call& call) {
    only_params(
        call,
        {"workflow",
         "status",
         "subject",
         "correlation_id",
         "created_after",
         "created_before",
         "limit",
         "cursor"}
    );
    store::RunFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.status = statuses_of(call);
    filter.subject = text_param(call, "subject");
    filter.correlation_id = text_param(call, "correlation_id");
    filter.created_after = time_param(call, "created_after");
    filter.created_before = time_param(call, "created_before");
    filter.limit = limit_of(call);
    const std::string cursor = cursor_of(call);
    if (cursor.empty()) return filter;
    const auto before = parse_uuid(cursor);
    if (!before) refuse_parameter("cursor", "is not a next_cursor of a page");
    filter.before = RunId{*before};
    return filter;
}

asio::awaitable<http::ServerResponse> list_runs(Services& services, Call call) {
    const auto page = co_await services.store.list_runs(tenant_of(call), filter_of(call));
    json::array data;
    for (const auto& run : page.runs) data.push_back(to_json(run));
    std::optional<std::string> next;
    if (page.next) next = to_string(*page.next);
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> get_run(Services& services, Call call) {
    only_params(call, {});
    const auto run = co_await find_run(services, tenant_of(call), run_param(call));
    co_return json_response(200, to_json(run));
}

// Which item and visit an event is about follows from those before it; none when its version cannot
// be read any more.
asio::awaitable<std::vector<plan::EventPlace>> places_in(
    Services& services, store::Tenant tenant, store::RunDetails run, std::int32_t last
) {
    const auto log = co_await services.tail.shape(tenant.bucket, {run.id, last});
    try {
        co_return co_await services.programs.places(run.workflow_id, log);
    } catch (const Refused&) {
    }
    co_return std::vector<plan::EventPlace>();
}

asio::awaitable<http::ServerResponse> list_events(Services& services, Call call) {
    only_params(call, {"limit", "cursor"});
    const int limit = limit_of(call);
    const std::string cursor = cursor_of(call);
    const auto run = co_await find_run(services, tenant_of(call), run_param(call));
    store::ReadTo position{run.id, -1};
    if (!cursor.empty()) position.seq = number_cursor(cursor);
    const auto page = co_await services.tail.page_after(0, position, limit);
    std::vector<plan::EventPlace> places;
    if (!page.rows.empty()) {
        const std::int32_t last = page.rows.back().event.seq;
        places = co_await places_in(services, tenant_of(call), run, last);
    }
    json::array data;
    for (const store::LogRow& row : page.rows) {
        const auto place = static_cast<std::size_t>(row.event.seq);
        const bool known = place < places.size();
        data.push_back(known ? to_json(row.event, places[place]) : to_json(row.event));
    }
    std::optional<std::string> next;
    if (page.more) next = std::to_string(page.rows.back().event.seq);
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> list_steps(Services& services, Call call) {
    only_params(call, {});
    const store::Tenant tenant = tenant_of(call);
    const auto run = co_await find_run(services, tenant, run_param(call));
    auto log = co_await services.store.load_log(tenant.bucket, run.id);
    const auto [program, state, places] = co_await services.programs.fold(run.workflow_id, log);
    put_times_in_order(run.id, log);
    const bool running = run.status == "running";
    json::array steps =
        steps_of(program->definition, state, plan::renamed(std::move(log)), places, running);
    co_return json_response(200, json::object{{"data", std::move(steps)}});
}

std::optional<plan::Surroundings::Gate> told(const std::optional<store::FlowLimit>& gate) {
    if (!gate) return std::nullopt;
    return plan::Surroundings::Gate{
        gate->workflow, gate->name, gate->key, gate->limit, gate->running, gate->waiting};
}

asio::awaitable<http::ServerResponse> why_run(Services& services, Call call) {
    only_params(call, {});
    const store::Tenant tenant = tenant_of(call);
    const auto run = co_await find_run(services, tenant, run_param(call));
    const auto log = co_await services.store.load_log(tenant.bucket, run.id);
    const auto [program, state, places] = co_await services.programs.fold(run.workflow_id, log);
    const auto health = co_await services.store.health(tenant.bucket);
    const auto gate = co_await services.limits.gate_of(tenant, run.id);
    plan::Surroundings around{
        run.status == "running", health.workers, to_string(run.id), told(gate)};
    around.due_at = run.due_at;
    around.reason = plan::reason_in(log);
    if (run.retried_as) around.went_on_as = to_string(*run.retried_as);
    const plan::Why answer = plan::why(program->definition, state, around, wall_now());
    co_return json_response(
        200,
        json::object{
            {"sentence", answer.sentence},
            {"what_helps", answer.what_helps},
            {"places", json::value_from(answer.places)}}
    );
}

asio::awaitable<http::ServerResponse> cancel_run(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const std::string reason = body.text("reason", 1000).value_or("cancelled through the API");
    const bool force = body.flag("force").value_or(false);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const RunId id = run_param(call);
    co_await find_run(services, tenant_of(call), id);  // of this tenant only
    const bool asked =
        co_await services.store.request_cancel(tenant_of(call).bucket, id, {reason, force});
    if (asked) services.wake_workers();
    const auto after = co_await find_run(services, tenant_of(call), id);
    // Also when the run has ended by now: it had not when it was asked to.
    co_return json_response(asked ? 202 : 200, to_json(after));
}

}  // namespace

void add_run_routes(Router& router, Services& services) {
    router.add({"GET", "/v1/runs", Scope::runs_read, bound(services, list_runs), {}});
    router.add({"GET", "/v1/runs/{id}", Scope::runs_read, bound(services, get_run), {}});
    router.add({"GET", "/v1/runs/{id}/events", Scope::runs_read, bound(services, list_events), {}});
    router.add({"GET", "/v1/runs/{id}/steps", Scope::runs_read, bound(services, list_steps), {}});
    router.add({"GET", "/v1/runs/{id}/why", Scope::runs_read, bound(services, why_run), {}});
    router.add({"POST", "/v1/runs/{id}/cancel", Scope::runs_write, bound(services, cancel_run), {}}
    );
}

}  // namespace pawl::api
