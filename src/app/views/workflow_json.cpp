#include "app/views/workflow_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::WorkflowVersion& workflow) {
    json::object out;
    PAWL_SHOW(
        out, workflow, (shown, name, version, active), (or_null, label), (shown, draft, retired_at)
    );
    out["canary"] = store::to_json(workflow.canary);
    out["switched_off"] = workflow.off_reason ? json::value(*workflow.off_reason) : json::value();
    PAWL_SHOW(
        out, workflow, (or_null, owner, changed_by), (shown, changed_at, created_at, definition)
    );
    return out;
}

json::object to_json(const store::VersionChange& change) {
    return {
        {"at", to_rfc3339(change.at)},
        {"action", change.action},
        {"version", change.version},
        {"by", change.by.empty() ? json::value() : json::value(change.by)},
        {"detail", change.detail}};
}

}  // namespace pawl::app
