#include "api/http/body.hpp"
#include "api/http/job_id.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "api/shapes.hpp"
#include "api/task_actions.hpp"
#include "base/spoken.hpp"
#include "model/suggest.hpp"
#include "store/repos/bulk.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t reason_max = 1000;
constexpr int sample_size = 10;

struct BulkBody {
    store::BulkAction action;
    store::RunFilter filter;
    bool dry_run = false;
};

void require(Body& body, const json::object& object, std::string_view key, std::string detail) {
    if (!object.contains(key)) body.wrong(key, std::move(detail));
}

// What belongs to this action; anything else in the body is then unknown.
void read_details(Body& body, const json::object& object, store::BulkAction& action) {
    if (action.action == "signal") {
        require(body, object, "name", "is required: which message");
        action.name = body.text("name", name_max).value_or("");
        if (const json::value* data = body.any("data")) action.data = *data;
        return;
    }
    if (action.action == "skip") {
        require(body, object, "node", "is required: the id of a step");
        require(body, object, "reason", "is required; the runs' logs keep it");
        action.node = body.text("node", name_max).value_or("");
        if (const json::value* value = body.any("value")) action.value = *value;
    }
    if (action.action == "skip" || action.action == "cancel" || action.action == "pause") {
        action.reason = body.text("reason", reason_max).value_or(action.action + " in bulk");
    }
}

std::string read_action(Body& body, const json::object& object) {
    const std::vector<std::string_view> known{
        "cancel", "pause", "resume", "signal", "skip", "retry", "rerun"};
    require(body, object, "action", fmt::format("is required: {}", fmt::join(known, ", ")));
    auto action = body.text("action", name_max);
    if (!action) return {};
    if (std::find(known.begin(), known.end(), *action) == known.end()) {
        body.wrong(
            "action",
            fmt::format("must be one of {}{}", fmt::join(known, ", "), suggest(*action, known))
        );
    }
    return *action;
}

BulkBody read_bulk(const Call& call) {
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    BulkBody bulk;
    bulk.action.action = read_action(body, object);
    bulk.action.by = acting_for(call, body.person("by", name_max));
    bulk.action.limit =
        body.whole("limit", 1, store::bulk_limit_max).value_or(store::bulk_limit_default);
    read_details(body, object, bulk.action);
    if (const json::object* filter = body.object("filter")) {
        Body part(*filter, places, "/filter");
        bulk.filter = read_run_filter(part);
    }
    const bool all = body.flag("all").value_or(false);
    bulk.dry_run = body.flag("dry_run").value_or(false);
    body.refuse_unknown();
    refuse_if_wrong(places);
    if (!store::has_condition(bulk.filter) && !all) {
        refuse_places(
            "say which runs: a condition in \"filter\", or \"all\": true",
            {{"/filter", "", "needs at least one condition"}}
        );
    }
    auto fitting = store::fitting(bulk.filter, bulk.action.action);
    if (!fitting) {
        refuse_places(fitting.error().message, {{"/filter/status", "", "does not fit the action"}});
    }
    bulk.filter = std::move(*fitting);
    return bulk;
}

// A job as large as nobody meant is refused; nothing has been done then.
void refuse_too_many(const store::RunCount& count, std::int64_t limit) {
    if (count.complete && count.total <= limit) return;
    refuse_places(
        fmt::format(
            "{}{} {}, and the limit is {}: narrow the filter, or raise \"limit\" ({} at most)",
            count.complete ? "" : "more than ",
            counted(static_cast<std::uint64_t>(count.total), "run"),
            count.total == 1 ? "matches" : "match",
            limit,
            store::bulk_limit_max
        ),
        {{"/limit", "", "is less than the number of runs that match"}}
    );
}

asio::awaitable<http::ServerResponse> bulk_runs(Services& services, Call call) {
    only_params(call, {});
    const BulkBody bulk = read_bulk(call);
    const bool unretried = bulk.action.action == "retry";
    const auto count = co_await services.jobs.count_runs(
        tenant_of(call), bulk.filter, unretried, sample_size, store::bulk_limit_max
    );
    if (bulk.dry_run) {
        json::array sample;
        for (const RunId& run : count.sample) sample.emplace_back(to_string(run));
        co_return json_response(
            200,
            json::object{
                {"dry_run", true},
                {"action", bulk.action.action},
                {"total", count.total},
                {"complete", count.complete},
                {"sample", std::move(sample)}}
        );
    }
    refuse_too_many(count, bulk.action.limit);
    const auto job = co_await services.jobs.create_bulk(
        job_id(call, "bulk"),
        call.principal.tenant,
        bulk.filter,
        store::to_request(bulk.action),
        count.total
    );
    services.job_runner.look();
    auto response = json_response(202, to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    co_return response;
}

}  // namespace

void add_bulk_routes(Router& router, Services& services) {
    router.add({"POST", "/v1/runs/bulk", Scope::runs_write, bound(services, bulk_runs), {}});
}

}  // namespace pawl::api
