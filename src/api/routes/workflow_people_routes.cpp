#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/place_cursor.hpp"
#include "api/http/routes.hpp"
#include "api/services.hpp"
#include "app/events/start_reasons.hpp"
#include "app/numbers/move_people.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t reason_max = 1000;
constexpr std::size_t problems_shown_max = 20;
constexpr int starts_max = 200;

std::vector<RunId> read_runs(Body& body) {
    std::vector<RunId> runs;
    const json::array* list = body.array("runs");
    if (list == nullptr) return runs;
    if (list->empty() || list->size() > std::size_t{app::moved_max}) {
        body.wrong("runs", "must be 1 to 1000 ids of runs");
        return runs;
    }
    for (const json::value& one : *list) {
        const auto id = one.is_string() ? parse_uuid(std::string_view(one.get_string()))
                                        : std::optional<Uuid>();
        if (!id) {
            body.wrong("runs", "must be ids of runs");
            return runs;
        }
        runs.push_back(RunId{*id});
    }
    return runs;
}

app::MoveParams read_move(const Call& call) {
    CallBody body(call);
    app::MoveParams params;
    params.workflow = call.params.at(0);
    const std::string action = body.text("action", 20).value_or("");
    if (action != "release" && action != "exit") body.wrong("action", "must be release or exit");
    params.exit = action == "exit";
    params.at = body.text("at", name_max).value_or("");
    if (params.at.empty()) body.wrong("at", "is required: the step where they are");
    params.reason = body.text("reason", reason_max).value_or("");
    if (params.reason.empty()) body.wrong("reason", "is required; the logs of the runs keep it");
    params.handle = body.text("handle", name_max).value_or("");
    if (params.exit && !params.handle.empty()) {
        body.wrong("handle", "is for release: who exits takes no way out");
    }
    params.version = body.text("version", name_max).value_or("");
    params.runs = read_runs(body);
    params.limit =
        static_cast<int>(body.whole("limit", 1, app::moved_max).value_or(app::moved_max));
    params.by = acting_for(call, body.person("by", name_max));
    const auto cursor = body.text("cursor", 2000);
    if (cursor && !params.runs.empty()) body.wrong("cursor", "does not go with `runs`");
    body.finish();
    if (cursor) params.after = read_place_cursor(*cursor);
    return params;
}

asio::awaitable<http::ServerResponse> move(Services& services, Call call) {
    app::App& app = services.app;
    const auto moved =
        or_refuse(co_await app::move_people(app.funnels, app.runs, tenant_of(call), read_move(call))
        );
    json::array problems;
    for (const app::MoveProblem& one : moved.problems) {
        if (problems.size() == problems_shown_max) break;
        problems.push_back(json::object{{"run", to_string(one.run)}, {"problem", one.problem}});
    }
    json::object out;
    out["reached"] = moved.reached;
    out["failed"] = moved.problems.size();
    out["problems"] = std::move(problems);
    out["next_cursor"] = moved.next ? json::value(write_place_cursor(*moved.next)) : json::value();
    out["has_more"] = moved.next.has_value();
    co_return json_response(202, out);
}

asio::awaitable<http::ServerResponse> starts(Services& services, Call call) {
    only_params(call, {"limit"});
    store::Tenant tenant = tenant_of(call);
    app::App& app = services.app;
    app::StartReasonUses uses{app.repos().inbox, app.repos().funnels, app.versions};
    const int limit = limit_of(call);
    if (limit > starts_max) refuse_parameter("limit", "must be at most 200");
    const auto found =
        or_refuse(co_await app::event_starts(uses, tenant, call.params.at(0), limit));
    json::array data;
    for (const app::EventStart& start : found) data.push_back(app::to_json(start));
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

}  // namespace

void add_workflow_people_routes(Router& router, Services& services) {
    const std::string one = "/v1/workflows/{name}";
    router.add({"POST", one + "/people", Scope::runs_write, bound(services, move), {}});
    router.add({"GET", one + "/starts", Scope::events_read, bound(services, starts), {}});
}

}  // namespace pawl::api
