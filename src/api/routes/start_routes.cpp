#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/shapes.hpp"
#include "api/start_one.hpp"
#include "api/streams/run_end.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <map>

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
    StartBody body = read_start(call.object(), places);
    refuse_if_wrong(std::move(places));
    // Before anything is begun: the caller that is refused may send the same again.
    LongRequests::Place place;
    if (wait) place = services.long_requests.take(call.principal.tenant);
    const auto [program, started] = co_await start_one(services, call, std::move(body));
    if (wait) {
        const auto run = co_await wait_for_end(services, tenant_of(call), started.run, *wait);
        json::object out = to_json(run);
        out["created"] = started.created;
        co_return with_location(json_response(is_closed(run) ? 200 : 202, out), run.id);
    }
    co_return with_location(
        json_response(started.created ? 201 : 200, to_json(*program, started)), started.run
    );
}

// The definition of each of a batch; the heads are looked up together.
asio::awaitable<std::vector<engine::ProgramPtr>> programs_of(
    Services& services, std::int32_t tenant, const std::vector<StartBody>& bodies
) {
    std::map<std::string, store::Head> heads;
    std::vector<engine::ProgramPtr> programs;
    for (const StartBody& body : bodies) {
        std::optional<Problem> problem;
        try {
            auto head = heads.find(body.workflow);
            if (head == heads.end()) {
                auto found = co_await services.programs.head(tenant, body.workflow);
                head = heads.emplace(body.workflow, std::move(found)).first;
            }
            programs.push_back(
                co_await services.programs.started(tenant, head->second, choice_of(body))
            );
        } catch (const Refused& refused) {
            problem = refused.problem();
        }
        if (!problem) continue;
        problem->detail = fmt::format("runs[{}]: {}", programs.size(), problem->detail);
        throw Refused(std::move(*problem));
    }
    co_return programs;
}

std::vector<StartBody> read_batch(const json::object& object) {
    std::vector<ProblemPlace> places;
    std::vector<StartBody> bodies;
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
    std::vector<StartBody> bodies = read_batch(call.object());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        std::string given = std::move(bodies[i].correlation_id);
        bodies[i].correlation_id = correlation_for(call, std::move(given), i);
    }
    const auto programs = co_await programs_of(services, call.principal.tenant, bodies);
    std::vector<ProblemPlace> gaps;
    std::string first;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        auto missing =
            check_input(*programs.at(i), bodies[i].data, gaps, fmt::format("/runs/{}/data", i));
        if (missing && first.empty()) first = fmt::format("runs[{}]: {}", i, *missing);
    }
    if (!first.empty()) refuse_missing(std::move(first), std::move(gaps));
    std::vector<const json::value*> data_of_all;
    for (const StartBody& body : bodies) data_of_all.push_back(&body.data);
    co_await services.admission.admit(tenant_of(call), std::move(data_of_all));
    std::vector<engine::StartRequest> requests;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].traceparent = traceparent_of(call);
        requests.push_back(to_request(programs[i], std::move(bodies[i])));
    }
    const auto started = co_await services.starter.start_all(std::move(requests));
    json::array data;
    for (std::size_t i = 0; i < started.size(); ++i) {
        data.push_back(to_json(*programs[i], started[i]));
    }
    co_return json_response(201, json::object{{"data", std::move(data)}});
}

}  // namespace

void add_start_routes(Router& router, Services& services) {
    router.add({"POST", "/v1/runs", Scope::runs_write, bound(services, start_run), {}});
    router.add({"POST", "/v1/runs/batch", Scope::runs_write, bound(services, start_runs), {}});
}

}  // namespace pawl::api
