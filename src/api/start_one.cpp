#include "api/start_one.hpp"

#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"

namespace pawl::api {

asio::awaitable<StartedRun> start_one(
    Services& services, const Call& call, StartBody body, RefuseMissing refuse
) {
    const bool keyed = body.correlation_id.empty() && !call.idempotency_key.empty();
    body.correlation_id = correlation_for(call, std::move(body.correlation_id));
    body.traceparent = traceparent_of(call);
    if (body.triggered_by.empty()) body.triggered_by = door_of(call);
    bool admitted = false;
    for (bool known = true;; known = false) {
        const Chosen chosen = co_await services.programs.chosen(
            call.principal.tenant, body.workflow, choice_of(body), known
        );
        std::vector<ProblemPlace> gaps;
        auto missing = check_input(*chosen.program, body.data, gaps);
        if (missing && chosen.head != 0) continue;  // the version of now may not need it
        if (missing) refuse(std::move(*missing), std::move(gaps));
        if (!admitted) co_await services.admission.admit(tenant_of(call), {&body.data});
        admitted = true;
        engine::StartRequest request = to_request(chosen.program, body);
        request.head = chosen.head;
        const auto started = co_await services.starter.start(std::move(request));
        if (started.outdated) continue;
        if (keyed) co_await refuse_other_start(services, tenant_of(call), started, body);
        co_return StartedRun{chosen.program, started};
    }
}

}  // namespace pawl::api
