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
    out["subject"] = text_or_null(task.subject);
    out["state"] = task.state;
    out["title"] = task.title;
    out["description"] = text_or_null(task.description);
    out["data"] = task.data;
    out["form"] = task.form;
    out["assignee"] = text_or_null(task.assignee);
    out["group"] = text_or_null(task.group);
    out["approvers"] = json::value_from(task.approvers);
    out["approvals_needed"] = task.approvals_needed;
    out["approved_by"] = json::value_from(task.approved_by);
    out["rejections_needed"] = task.rejections_needed;
    out["rejected_by"] = json::value_from(task.rejected_by);
    out["excluded"] = json::value_from(task.excluded);
    out["escalated_to"] = text_or_null(task.escalated_to);
    out["claimed_by"] = text_or_null(task.claimed_by);
    out["due_at"] = time_or_null(task.due_at);
    out["opened_at"] = to_rfc3339(task.opened_at);
    out["decided_at"] = time_or_null(task.decided_at);
    out["decided_by"] = text_or_null(task.decided_by);
    out["reason"] = text_or_null(task.reason);
    return out;
}

json::object to_json(const store::TaskDecision& decision) {
    json::object out;
    out["at"] = to_rfc3339(decision.at);
    out["action"] = decision.action;
    out["by"] = decision.by;
    out["reason"] = text_or_null(decision.reason);
    out["data"] = decision.data;
    return out;
}

}  // namespace pawl::app
