#include "app/views/job_json.hpp"

#include "app/views/json_parts.hpp"

namespace pawl::app {

json::object to_json(const store::Job& job) {
    json::object out;
    PAWL_SHOW(out, job, (shown, id, kind, status, total, done, failed), (or_null, error));
    if (const json::value* action = find(job.request, "action")) out["action"] = *action;
    const json::value* dry_run = find(job.request, "dry_run");
    if (dry_run != nullptr && dry_run->is_bool()) out["dry_run"] = *dry_run;
    out["workflow"] = or_null(std::string(text_in(job.filter, "workflow")));
    if (job.schedule) out["schedule"] = *job.schedule;
    if (job.slot) out["slot"] = to_rfc3339(*job.slot);
    PAWL_SHOW(out, job, (shown, examples, counts, created_at, updated_at));
    return out;
}

}  // namespace pawl::app
