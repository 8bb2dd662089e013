#include "app/views/task_json.hpp"

#include "app/views/json_parts.hpp"

#include <boost/json/value_from.hpp>

namespace pawl::app {

json::object to_json(const store::HumanTask& task) {
    json::object out;
    out["id"] = to_string(task.id);
    out["run_id"] = to_string(task.run);
    out["workflow"] = task.workflow;
    out["step"] = task.node;
    PAWL_SHOW(
        out,
        task,
        (or_null, subject),
        (shown, state, title),
        (or_null, description),
        (shown, data, form),
        (or_null, assignee, group),
        (shown, approvers, approvals_needed, approved_by, rejections_needed, rejected_by, excluded),
        (or_null, escalated_to, claimed_by),
        (shown, due_at, opened_at, decided_at),
        (or_null, decided_by, reason),
        (shown, key_names)
    );
    return out;
}

json::object to_json(const store::TaskDecision& decision) {
    json::object out;
    PAWL_SHOW(out, decision, (shown, at, action, by), (or_null, by_name, reason), (shown, data));
    return out;
}

}  // namespace pawl::app
