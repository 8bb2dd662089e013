#include "api/http/body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/start_body.hpp"
#include "api/streams/run_end.hpp"
#include "app/runs/start_run.hpp"
#include "app/views/run_json.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t batch_max = 1000;
constexpr Duration wait_max = std::chrono::seconds(60);

std::optional<Duration> wait_of(const Call& call) {
    const std::string text = text_param(call, "wait");
    if (text.empty()) return std::nullopt;
    const auto wait = parse_duration(text);
    if (!wait || *wait > wait_max) refuse_parameter("wait", "must be a time like 30s, at most 60s");
    return *wait;
}

http::ServerResponse with_location(http::ServerResponse response, RunId run) {
    response.headers.push_back({"Location", "/v1/runs/" + to_string(run)});
    return response;
}

asio::awaitable<http::ServerResponse> start_run(Services& services, Call call) {
    only_params(call, {"wait"});
    const auto wait = wait_of(call);
    std::vector<ProblemPlace> places;
    app::StartParams params = read_start(call.object(), places);
    refuse_if_wrong(std::move(places));
    // Before anything is begun: the caller that is refused may send the same again.
    LongRequests::Place place;
    if (wait) place = services.long_requests.take(call.principal.tenant);
    const auto [program, started] =
        or_refuse(co_await app::start_run(services.app.runs, caller_of(call), std::move(params)));
    if (wait) {
        const auto run = co_await wait_for_end(services, tenant_of(call), started.run, *wait);
        json::object out = app::to_json(run);
        out["created"] = started.created;
        co_return with_location(json_response(app::is_closed(run) ? 200 : 202, out), run.id);
    }
    co_return with_location(
        json_response(started.created ? 201 : 200, app::to_json(*program, started)), started.run
    );
}

std::vector<app::StartParams> read_batch(const json::object& object) {
    std::vector<ProblemPlace> places;
    std::vector<app::StartParams> bodies;
    Body body(object, places);
    const json::array* runs = body.array("runs");
    body.refuse_unknown();
    if (runs == nullptr && places.empty()) body.wrong("runs", "is required");
    if (runs != nullptr && (runs->empty() || runs->size() > batch_max)) {
        body.wrong("runs", fmt::format("must have 1 to {} runs", batch_max));
    }
    refuse_if_wrong(places);
    for (std::size_t i = 0; i < runs->size(); ++i) {
        const std::string pointer = fmt::format("/runs/{}", i);
        const json::object* run = (*runs)[i].if_object();
        if (run == nullptr) {
            places.push_back({pointer, "", "must be an object"});
        } else {
            bodies.push_back(read_start(*run, places, pointer));
        }
    }
    refuse_if_wrong(std::move(places));
    return bodies;
}

asio::awaitable<http::ServerResponse> start_runs(Services& services, Call call) {
    only_params(call, {});
    const auto runs = or_refuse(
        co_await app::start_runs(services.app.runs, caller_of(call), read_batch(call.object()))
    );
    json::array data;
    for (const auto& [program, started] : runs) data.push_back(app::to_json(*program, started));
    co_return json_response(201, json::object{{"data", std::move(data)}});
}

}  // namespace

void add_start_routes(Router& router, Services& services) {
    const auto write = Scope::runs_write;
    router.add(as_traffic({"POST", "/v1/runs", write, bound(services, start_run), {}}));
    router.add(as_traffic({"POST", "/v1/runs/batch", write, bound(services, start_runs), {}}));
}

}  // namespace pawl::api
