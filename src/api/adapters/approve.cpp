#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/app.hpp"
#include "app/runs/folded_run.hpp"
#include "app/views/task_json.hpp"

// Document 002: POST /workflows/{run}/approve and /reject.
namespace pawl::api {

namespace {

// The task that is meant: the only open one of the run, or the one of that step.
asio::awaitable<store::HumanTask> open_task_of(
    app::App& app, store::Tenant tenant, RunId run, std::string step
) {
    or_refuse(co_await app::find_run(app.repos().store, tenant, run));
    store::TaskFilter filter;
    filter.state = "open";
    filter.run = run;
    auto page = co_await app.tasks.tasks.list(tenant, std::move(filter));
    if (!step.empty()) {
        std::erase_if(page.tasks, [&step](const auto& task) { return task.node != step; });
    }
    if (page.tasks.empty()) {
        refuse(409, "nothing_to_approve", "no step of this run waits for a person");
    }
    if (page.tasks.size() > 1) {
        std::string steps;
        for (const auto& task : page.tasks) steps += (steps.empty() ? "" : ", ") + task.node;
        refuse(409, "which_step", "several steps wait for a person; say which: step = " + steps);
    }
    co_return std::move(page.tasks.front());
}

asio::awaitable<http::ServerResponse> decide(app::App& app, Call call, bool may_approve) {
    CallBody body(call, true);
    const std::string step = body.text("step", 100).value_or("");
    const bool approved = may_approve && body.flag("approved").value_or(true);
    store::TaskAction action;
    action.kind = approved ? store::TaskActionKind::approve : store::TaskActionKind::reject;
    action.by = acting_for(call, body.person("by", 500));
    action.reason = body.text("reason", 2000).value_or("");
    if (const json::value* payload = body.any("payload"); payload != nullptr && approved) {
        action.data = *payload;
    }
    body.finish();
    const auto task = co_await open_task_of(app, tenant_of(call), run_param(call), step);
    const auto after =
        or_refuse(co_await app::act_on_task(app.tasks, tenant_of(call), task.id, std::move(action))
        );
    co_return json_response(200, app::to_json(after));
}

asio::awaitable<http::ServerResponse> approve(app::App& app, Call call) {
    return decide(app, std::move(call), true);
}

asio::awaitable<http::ServerResponse> reject(app::App& app, Call call) {
    return decide(app, std::move(call), false);
}

}  // namespace

void add_approve_routes(Router& router, app::App& app) {
    router.add({"POST", "/workflows/{run}/approve", Scope::tasks_write, bound(app, approve), {}});
    router.add({"POST", "/workflows/{run}/reject", Scope::tasks_write, bound(app, reject), {}});
}

}  // namespace pawl::api
