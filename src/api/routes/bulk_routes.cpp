#include "api/http/body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "app/runs/bulk_runs.hpp"
#include "app/views/job_json.hpp"
#include "app/views/run_json.hpp"
#include "model/suggest.hpp"
#include "plan/settle.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t reason_max = 1000;

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
    if (action.action == "settle") {
        require(body, object, "node", "is required: the id of a step");
        require(body, object, "as", "is required: completed, failed or retry");
        action.node = body.text("node", name_max).value_or("");
        action.as = body.text("as", name_max).value_or("");
        if (!action.as.empty() && !plan::parse_settled(action.as)) {
            body.wrong("as", "must be completed, failed or retry");
        }
        action.reason = body.text("reason", reason_max).value_or("");
        if (const json::value* data = body.any("data")) action.data = *data;
    }
    if (action.action == "skip" || action.action == "cancel" || action.action == "pause") {
        action.reason = body.text("reason", reason_max).value_or(action.action + " in bulk");
    }
}

std::string read_action(Body& body, const json::object& object) {
    const std::vector<std::string_view> known{
        "cancel", "pause", "resume", "signal", "skip", "settle", "retry", "rerun"};
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

asio::awaitable<http::ServerResponse> bulk(app::RunUses& uses, Call call) {
    only_params(call, {});
    BulkBody asked = read_bulk(call);
    if (asked.dry_run) {
        const auto count =
            or_refuse(co_await app::count_bulk(uses, tenant_of(call), asked.filter, asked.action));
        co_return json_response(200, app::to_json(count, asked.action.action));
    }
    const auto job = or_refuse(co_await app::bulk_runs(
        uses, caller_of(call), std::move(asked.filter), std::move(asked.action)
    ));
    auto response = json_response(202, app::to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    co_return response;
}

}  // namespace

void add_bulk_routes(Router& router, app::RunUses& uses) {
    router.add({"POST", "/v1/runs/bulk", Scope::runs_write, bound(uses, bulk), {}});
}

}  // namespace pawl::api
