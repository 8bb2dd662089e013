#include "api/http/call_body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/numbers/simulate.hpp"
#include "model/duration.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr Duration since_max = std::chrono::hours(24 * 366);

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
    if (const json::value* given = body.any("definition")) {
        const bool text = given->is_string();
        auto definition =
            parse_definition(text ? std::string(given->get_string()) : json::serialize(*given));
        if (!definition) {
            body.wrong("definition", definition.error().message);
        } else {
            params.definition = std::move(*definition);
        }
    }
    body.finish();
    const auto simulated =
        or_refuse(co_await app::simulate_history(uses, tenant_of(call), std::move(params)));
    co_return json_response(200, app::to_json(simulated));
}

}  // namespace

void add_simulate_routes(Router& router, app::SimulateUses& uses) {
    router.add(
        {"POST", "/v1/workflows/{name}/simulate", Scope::runs_read, bound(uses, simulate), {}}
    );
}

}  // namespace pawl::api
