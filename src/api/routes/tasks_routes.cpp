#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/tasks/task_actions.hpp"
#include "app/views/task_json.hpp"
#include "model/person.hpp"

#include <algorithm>
#include <array>

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 500;
constexpr std::size_t reason_max = 2000;

// What a task can be, and two that say more: its time is over, and it is not open any more.
constexpr std::array<std::string_view, 7> states = {
    "open", "approved", "rejected", "timed_out", "withdrawn", "overdue", "decided"};

store::TaskFilter filter_of(const Call& call) {
    only_params(call, {"state", "assignee", "group", "workflow", "run", "limit", "cursor"});
    store::TaskFilter filter;
    filter.state = text_param(call, "state");
    if (!filter.state.empty() &&
        std::find(states.begin(), states.end(), filter.state) == states.end()) {
        refuse_parameter(
            "state", "must be open, overdue, decided, approved, rejected, timed_out or withdrawn"
        );
    }
    filter.assignee = person_name(text_param(call, "assignee"));
    filter.group = text_param(call, "group");
    filter.workflow = text_param(call, "workflow");
    if (const std::string run = text_param(call, "run"); !run.empty()) {
        const auto id = parse_uuid(run);
        if (!id) refuse_parameter("run", "is not the id of a run");
        filter.run = RunId{*id};
    }
    filter.limit = limit_of(call);
    const std::string cursor = cursor_of(call);
    if (cursor.empty()) return filter;
    filter.before = parse_uuid(cursor);
    if (!filter.before) refuse_parameter("cursor", "is not a next_cursor of a page");
    return filter;
}

asio::awaitable<http::ServerResponse> list_tasks(app::TaskUses& uses, Call call) {
    const auto page = co_await uses.tasks.list(tenant_of(call), filter_of(call));
    std::optional<std::string> next;
    if (page.next) next = to_string(*page.next);
    co_return page_response(page.tasks, next, [](const auto& task) { return app::to_json(task); });
}

asio::awaitable<http::ServerResponse> get_task(app::TaskUses& uses, Call call) {
    only_params(call, {});
    const auto task = or_refuse(co_await app::find_task(uses, tenant_of(call), task_param(call)));
    json::object out = app::to_json(task);
    json::array& audit = out["audit"].emplace_array();
    for (const auto& decision : co_await uses.tasks.decisions(tenant_of(call), task.id)) {
        audit.push_back(app::to_json(decision));
    }
    co_return json_response(200, out);
}

// The body of every action; what an action does not know is refused.
store::TaskAction read_action(const Call& call, store::TaskActionKind kind) {
    using store::TaskActionKind;
    CallBody body(call, true);
    store::TaskAction action;
    action.kind = kind;
    action.by = acting_for(call, body.person("by", name_max));
    action.reason = body.text("reason", reason_max).value_or("");
    if (kind == TaskActionKind::delegate) {
        const auto to = body.person("to", name_max);
        if (!to && body.places().empty())
            body.wrong("to", "is required: the person who takes over");
        action.to = to.value_or("");
    }
    if (kind == TaskActionKind::approve) {
        if (const json::value* data = body.any("data")) action.data = *data;
    }
    if (kind == TaskActionKind::reject && action.reason.empty() && body.places().empty()) {
        body.wrong("reason", "is required: why?");
    }
    body.finish();
    // A program may put a task into other hands, but it does not decide in a person's name.
    const bool hands = kind == TaskActionKind::delegate || kind == TaskActionKind::unclaim;
    action.force = call.principal.scopes.allows(Scope::admin) && (call.principal.person || hands);
    return action;
}

template <store::TaskActionKind kind>
asio::awaitable<http::ServerResponse> act_on(app::TaskUses& uses, Call call) {
    only_params(call, {});
    store::TaskAction action = read_action(call, kind);
    const auto task = or_refuse(
        co_await app::act_on_task(uses, tenant_of(call), task_param(call), std::move(action))
    );
    co_return json_response(200, app::to_json(task));
}

}  // namespace

void add_task_routes(Router& router, app::TaskUses& uses) {
    using store::TaskActionKind;
    const auto read = Scope::tasks_read;
    const auto write = Scope::tasks_write;
    router.add({"GET", "/v1/tasks", read, bound(uses, list_tasks), {}});
    router.add({"GET", "/v1/tasks/{id}", read, bound(uses, get_task), {}});
    const auto add = [&](std::string action, auto handler) {
        router.add({"POST", "/v1/tasks/{id}/" + action, write, bound(uses, handler), {}});
    };
    add("claim", act_on<TaskActionKind::claim>);
    add("unclaim", act_on<TaskActionKind::unclaim>);
    add("delegate", act_on<TaskActionKind::delegate>);
    add("approve", act_on<TaskActionKind::approve>);
    add("reject", act_on<TaskActionKind::reject>);
}

}  // namespace pawl::api
