#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "app/runs/cancel_run.hpp"
#include "app/runs/folded_run.hpp"
#include "app/runs/run_events.hpp"
#include "app/runs/why_run.hpp"
#include "app/views/event_json.hpp"
#include "app/views/run_json.hpp"
#include "app/views/run_steps.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

std::vector<std::string> statuses_of(const Call& call) {
    auto wanted = parse_statuses(text_param(call, "status"));
    if (!wanted) refuse_parameter("status", status_rule);
    return std::move(*wanted);
}

std::vector<std::string> where_of(const Call& call) {
    std::vector<std::string> where;
    for (const auto& [key, value] : call.target.query) {
        if (key == "where") where.push_back(value);
    }
    if (std::string problem = data_problem(where); !problem.empty()) {
        refuse_parameter("where", std::move(problem));
    }
    return where;
}

store::RunFilter conditions_of(const Call& call) {
    store::RunFilter filter;
    filter.workflow = text_param(call, "workflow");
    filter.status = statuses_of(call);
    filter.subject = text_param(call, "subject");
    filter.correlation_id = text_param(call, "correlation_id");
    filter.created_after = time_param(call, "created_after");
    filter.created_before = time_param(call, "created_before");
    filter.error = text_param(call, "error");
    if (filter.error.size() > error_text_max)
        refuse_parameter("error", "must have at most 500 bytes");
    filter.where = where_of(call);
    return filter;
}

// Refuses parameters that are neither conditions on runs nor among these.
void only_conditions(const Call& call, const std::vector<std::string_view>& others) {
    std::vector<std::string_view> known{
        "workflow",
        "status",
        "subject",
        "correlation_id",
        "created_after",
        "created_before",
        "error",
        "where"};
    known.insert(known.end(), others.begin(), others.end());
    only_params(call, known);
}

store::RunFilter filter_of(const Call& call) {
    only_conditions(call, {"limit", "cursor"});
    store::RunFilter filter = conditions_of(call);
    filter.limit = limit_of(call);
    const std::string cursor = cursor_of(call);
    if (cursor.empty()) return filter;
    const auto before = parse_uuid(cursor);
    if (!before) refuse_cursor();
    filter.before = RunId{*before};
    return filter;
}

asio::awaitable<http::ServerResponse> list_runs(app::RunUses& uses, Call call) {
    const auto page = co_await uses.store.list_runs(tenant_of(call), filter_of(call));
    std::optional<std::string> next;
    if (page.next) next = to_string(*page.next);
    json::array data;
    for (const auto& run : page.runs) data.push_back(app::to_json(run));
    json::object more;
    if (page.scanned) more["scanned"] = *page.scanned;
    co_return page_response(std::move(data), next, std::move(more));
}

// What counting costs is bounded: a page of numbers must not hurt the database.
constexpr int count_max = 10'000;
// Of each status, for conditions that no index has.
constexpr int count_look_max = 1000;

asio::awaitable<http::ServerResponse> count_runs(app::RunUses& uses, Call call) {
    only_conditions(call, {});
    store::RunFilter filter = conditions_of(call);
    filter.look_max = count_look_max;
    const auto counts =
        co_await uses.jobs.count_by_status(tenant_of(call), std::move(filter), count_max);
    json::array data;
    for (const auto& [status, total, complete] : counts) {
        data.push_back(json::object{
            {"status", status},
            {"count", std::min<std::int64_t>(total, count_max)},
            {"complete", complete}});
    }
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

asio::awaitable<http::ServerResponse> get_run(app::RunUses& uses, Call call) {
    only_params(call, {});
    const auto run =
        or_refuse(co_await app::find_run(uses.store, tenant_of(call), run_param(call)));
    co_return json_response(200, app::to_json(run));
}

// Who did what the events say: API keys by their names. The page and its JSON outlive the call.
asio::awaitable<void> name_authors(
    app::RunUses& uses, store::TenantId tenant, const app::EventPage& page, json::array& events
) {
    std::vector<std::string> who;
    for (const auto& [event, place] : page.events) {
        if (const auto by = app::author_of(event); !by.empty()) who.emplace_back(by);
    }
    if (who.empty()) co_return;
    const json::value names = co_await uses.keys.names(tenant, std::move(who));
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto name = text_in(names, app::author_of(page.events[i].event));
        if (!name.empty()) events[i].get_object()["by_name"] = name;
    }
}

asio::awaitable<http::ServerResponse> list_events(app::RunUses& uses, Call call) {
    only_params(call, {"limit", "cursor"});
    const int limit = limit_of(call);
    const std::string cursor = cursor_of(call);
    const auto run =
        or_refuse(co_await app::find_run(uses.store, tenant_of(call), run_param(call)));
    const std::int32_t after = cursor.empty() ? -1 : number_cursor(cursor);
    const auto page = co_await app::list_events(uses, tenant_of(call), run, after, limit);
    json::array data;
    for (const auto& [event, place] : page.events) {
        data.push_back(place ? app::to_json(event, *place) : app::to_json(event));
    }
    co_await name_authors(uses, call.principal.tenant, page, data);
    std::optional<std::string> next;
    if (page.more) next = std::to_string(page.events.back().event.seq);
    co_return page_response(std::move(data), next);
}

// Who skipped steps: API keys by their names. The steps outlive the call.
asio::awaitable<void> name_skippers(
    app::RunUses& uses, store::TenantId tenant, json::array& steps
) {
    std::vector<std::string> who;
    for (const json::value& step : steps) {
        if (const json::value* skipped = find(step, "skipped")) {
            who.emplace_back(text_in(*skipped, "by"));
        }
    }
    if (who.empty()) co_return;
    const json::value names = co_await uses.keys.names(tenant, std::move(who));
    for (json::value& step : steps) {
        json::value* skipped = step.get_object().if_contains("skipped");
        if (skipped == nullptr) continue;
        const std::string_view name = text_in(names, text_in(*skipped, "by"));
        skipped->get_object()["by_name"] = name.empty() ? json::value() : json::value(name);
    }
}

asio::awaitable<http::ServerResponse> list_steps(app::RunUses& uses, Call call) {
    only_params(call, {});
    auto folded = or_refuse(
        co_await app::fold_run(uses.store, uses.programs, tenant_of(call), run_param(call))
    );
    const auto traces = uses.trace_links.of(folded.run.id, {folded.log.front()});
    json::object out;
    out["data"] = app::steps_of(std::move(folded), uses.trace_links);
    co_await name_skippers(uses, call.principal.tenant, out["data"].get_array());
    out["trace_url"] = traces.front().empty() ? json::value() : json::value(traces.front());
    co_return json_response(200, out);
}

asio::awaitable<http::ServerResponse> why_run(app::RunUses& uses, Call call) {
    only_params(call, {});
    const auto why = or_refuse(co_await app::why_run(uses, tenant_of(call), run_param(call)));
    co_return json_response(200, app::to_json(why));
}

asio::awaitable<http::ServerResponse> cancel_run(app::RunUses& uses, Call call) {
    CallBody body(call, true);
    store::CancelOrder order;
    order.reason = body.text("reason", 1000).value_or("cancelled through the API");
    order.force = body.flag("force").value_or(false);
    body.finish();
    const auto answer =
        or_refuse(co_await app::cancel_run(uses, tenant_of(call), run_param(call), std::move(order))
        );
    // Also when the run has ended by now: it had not when it was asked to.
    co_return json_response(answer.asked ? 202 : 200, app::to_json(answer.run));
}

}  // namespace

void add_run_routes(Router& router, app::RunUses& uses) {
    router.add({"GET", "/v1/runs", Scope::runs_read, bound(uses, list_runs), {}});
    router.add({"GET", "/v1/runs/counts", Scope::runs_read, bound(uses, count_runs), {}});
    router.add({"GET", "/v1/runs/{id}", Scope::runs_read, bound(uses, get_run), {}});
    router.add({"GET", "/v1/runs/{id}/events", Scope::runs_read, bound(uses, list_events), {}});
    router.add({"GET", "/v1/runs/{id}/steps", Scope::runs_read, bound(uses, list_steps), {}});
    router.add({"GET", "/v1/runs/{id}/why", Scope::runs_read, bound(uses, why_run), {}});
    router.add({"POST", "/v1/runs/{id}/cancel", Scope::runs_write, bound(uses, cancel_run), {}});
}

}  // namespace pawl::api
