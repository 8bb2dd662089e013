#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/numbers/trial.hpp"
#include "model/duration.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr Duration since_max = std::chrono::hours(24 * 366);

// As YAML or JSON; nothing: there is none, or it is wrong.
std::optional<Definition> read_definition(Body& body) {
    const json::value* given = body.any("definition");
    if (given == nullptr) return std::nullopt;
    const bool text = given->is_string();
    auto definition =
        parse_definition(text ? std::string(given->get_string()) : json::serialize(*given));
    if (definition) return std::move(*definition);
    body.wrong("definition", definition.error().message);
    return std::nullopt;
}

asio::awaitable<http::ServerResponse> rehearse(app::SimulateUses& uses, Call call) {
    CallBody body(call);
    app::TrialParams params;
    if (!body.members().contains("definition")) {
        body.wrong("definition", "is required: what to try, as YAML or JSON");
    }
    if (auto definition = read_definition(body)) params.definition = std::move(*definition);
    if (const json::object* test = body.object("test")) params.test = *test;
    body.finish();
    const auto trial = or_refuse(co_await app::try_out(uses, tenant_of(call), std::move(params)));
    co_return json_response(200, app::to_json(trial));
}

asio::awaitable<http::ServerResponse> simulate(app::SimulateUses& uses, Call call) {
    CallBody body(call, true);
    app::SimulateParams params;
    params.workflow = call.params.at(0);
    if (const auto since = body.text("since", 30)) {
        const auto duration = parse_duration(*since);
        if (!duration) {
            body.wrong("since", duration.error().message);
        } else if (*duration <= Duration::zero() || *duration > since_max) {
            body.wrong("since", "must be more than 0 and at most 366d");
        } else {
            params.since = *duration;
        }
    }
    params.limit =
        static_cast<int>(body.whole("limit", 1, app::simulated_max).value_or(params.limit));
    params.definition = read_definition(body);
    body.finish();
    const auto simulated =
        or_refuse(co_await app::simulate_history(uses, tenant_of(call), std::move(params)));
    co_return json_response(200, app::to_json(simulated));
}

}  // namespace

void add_simulate_routes(Router& router, app::SimulateUses& uses) {
    router.add({"POST", "/v1/workflows/rehearse", Scope::runs_read, bound(uses, rehearse), {}});
    router.add(
        {"POST", "/v1/workflows/{name}/simulate", Scope::runs_read, bound(uses, simulate), {}}
    );
}

}  // namespace pawl::api
