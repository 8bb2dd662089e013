#include "app/views/workflow_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::WorkflowVersion& workflow) {
    json::object out;
    out["name"] = workflow.name;
    out["version"] = workflow.version;
    out["active"] = workflow.active;
    out["label"] = text_or_null(workflow.label);
    out["draft"] = workflow.draft;
    out["retired_at"] = time_or_null(workflow.retired_at);
    out["canary"] = store::to_json(workflow.canary);
    out["switched_off"] = workflow.off_reason ? json::value(*workflow.off_reason) : json::value();
    out["created_at"] = to_rfc3339(workflow.created_at);
    out["definition"] = workflow.definition;
    return out;
}

json::object to_json(const store::VersionChange& change) {
    return {
        {"at", to_rfc3339(change.at)},
        {"action", change.action},
        {"version", change.version},
        {"detail", change.detail}};
}

}  // namespace pawl::app
