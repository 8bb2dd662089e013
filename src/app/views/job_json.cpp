#include "app/views/job_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::Job& job) {
    json::object out;
    out["id"] = to_string(job.id);
    out["kind"] = job.kind;
    out["status"] = job.status;
    out["total"] = job.total;
    out["done"] = job.done;
    out["failed"] = job.failed;
    out["error"] = text_or_null(job.error);
    if (const json::value* action = find(job.request, "action")) out["action"] = *action;
    const json::value* dry_run = find(job.request, "dry_run");
    if (dry_run != nullptr && dry_run->is_bool()) out["dry_run"] = *dry_run;
    out["workflow"] = text_or_null(std::string(text_in(job.filter, "workflow")));
    if (job.schedule) out["schedule"] = *job.schedule;
    if (job.slot) out["slot"] = to_rfc3339(*job.slot);
    out["examples"] = job.examples;
    out["counts"] = job.counts;
    out["created_at"] = to_rfc3339(job.created_at);
    out["updated_at"] = to_rfc3339(job.updated_at);
    return out;
}

}  // namespace pawl::app
