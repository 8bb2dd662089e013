#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace pawl::api {

namespace {

using std::chrono::hours;
using std::chrono::minutes;

struct Step {
    const char* name;
    std::int32_t minutes;
    Duration range_max;  // what it is chosen for
};
constexpr std::array<Step, 4> steps{{
    {"1m", 1, hours(3)},
    {"5m", 5, hours(24)},
    {"1h", 60, hours(24 * 14)},
    {"1d", 1440, hours(24 * 400)},
}};
constexpr std::int64_t points_max = 1000;
constexpr std::int64_t workflow_points_max = 100;  // of each workflow of a list

Step step_of(const Call& call, Duration range, std::int64_t most) {
    const std::string written = text_param(call, "step");
    for (const Step& step : steps) {
        const bool fits = range <= step.range_max && range / minutes(step.minutes) < most;
        if (written.empty() ? fits : written == step.name) return step;
    }
    if (written.empty()) {
        const auto days = std::min<std::int64_t>(400, most);
        refuse_parameter("from", fmt::format("must be at most {} days before `to`", days));
    }
    refuse_parameter("step", "must be 1m, 5m, 1h or 1d");
}

// Where the piece begins that a moment is in.
Instant floored(Instant at, std::int32_t step_minutes) {
    const auto step = minutes(step_minutes);
    const auto since = at.time_since_epoch();
    return Instant(since - since % step);
}

struct AskedRange {
    store::RateRange range;
    Step step;
};

AskedRange range_of(const Call& call, std::int64_t most) {
    const Instant until = time_param(call, "to").value_or(wall_now());
    const Instant from = time_param(call, "from").value_or(until - hours(24));
    if (from >= until) refuse_parameter("from", "must be before `to`");
    const Step step = step_of(call, until - from, most);
    if ((until - from) / minutes(step.minutes) >= most) {
        refuse_parameter("step", fmt::format("would give more than {} points", most));
    }
    store::RateRange range;
    range.from = floored(from, step.minutes);
    range.until = until;
    range.step_minutes = step.minutes;
    return {std::move(range), step};
}

asio::awaitable<http::ServerResponse> over_time(Services& services, Call call) {
    only_params(call, {"from", "to", "step", "workflow"});
    auto [range, step] = range_of(call, points_max);
    range.workflow = text_param(call, "workflow");
    const auto rates =
        co_await services.app.repos().run_rates.read(call.principal.tenant, std::move(range));
    json::array data;
    for (const store::RunRate& rate : rates) {
        data.push_back(json::object{
            {"at", to_rfc3339(rate.at)},
            {"started", rate.started},
            {"completed", rate.completed},
            {"failed", rate.failed},
            {"cancelled", rate.cancelled}});
    }
    co_return json_response(200, json::object{{"step", step.name}, {"data", std::move(data)}});
}

asio::awaitable<http::ServerResponse> overview(Services& services, Call call) {
    only_params(call, {});
    store::Overviews& overviews = services.app.repos().overviews;
    json::object out = co_await overviews.of_tenant(tenant_of(call));
    out["service"] = nullptr;
    // It is about all tenants.
    if (call.principal.tenant == default_tenant) {
        out["service"] = co_await overviews.of_service(tenant_of(call));
    }
    co_return json_response(200, out);
}

json::object to_json(const store::WorkflowRates& rates, const store::RateRange& range) {
    const auto step = minutes(range.step_minutes);
    const auto points =
        static_cast<std::size_t>((range.until - range.from - Duration(1)) / step) + 1;
    std::vector<std::int64_t> started(points), failed(points);
    store::RunRate sum;
    for (const store::RunRate& piece : rates.pieces) {
        const auto place = static_cast<std::size_t>((piece.at - range.from) / step);
        if (place < points) {
            started[place] = piece.started;
            failed[place] = piece.failed;
        }
        sum.started += piece.started;
        sum.completed += piece.completed;
        sum.failed += piece.failed;
        sum.cancelled += piece.cancelled;
    }
    return {
        {"workflow", rates.workflow},
        {"open", rates.open},
        {"started", sum.started},
        {"completed", sum.completed},
        {"failed", sum.failed},
        {"cancelled", sum.cancelled},
        {"started_over_time", json::value_from(started)},
        {"failed_over_time", json::value_from(failed)}};
}

asio::awaitable<http::ServerResponse> by_workflow(Services& services, Call call) {
    only_params(call, {"from", "to", "step", "limit", "cursor"});
    auto [range, step] = range_of(call, workflow_points_max);
    range.workflow = cursor_of(call);
    const int limit = limit_of(call);
    auto rates = co_await services.app.repos().run_rates.by_workflow(
        call.principal.tenant, range, limit + 1
    );
    std::optional<std::string> next;
    if (cut_to(rates, limit)) next = rates.back().workflow;
    co_return page_response(rates, next, [&range](const auto& one) { return to_json(one, range); });
}

}  // namespace

void add_run_figures_routes(Router& router, Services& services) {
    router.add({"GET", "/v1/runs/rates", Scope::runs_read, bound(services, over_time), {}});
    router.add({"GET", "/v1/overview", Scope::runs_read, bound(services, overview), {}});
    router.add(
        {"GET", "/v1/runs/rates/workflows", Scope::runs_read, bound(services, by_workflow), {}}
    );
}

}  // namespace pawl::api
