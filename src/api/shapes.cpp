#include "api/shapes.hpp"

#include "base/json.hpp"
#include "model/duration.hpp"

#include <boost/json/value_from.hpp>

#include <algorithm>

namespace pawl::api {

namespace {

json::value time_or_null(const std::optional<Instant>& at) {
    return at ? json::value(to_rfc3339(*at)) : json::value();
}

json::value id_or_null(const std::optional<RunId>& id) {
    return id ? json::value(to_string(*id)) : json::value();
}

}  // namespace

Instant created_at(RunId run) {
    return Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value() : json::value(text);
}

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

json::object to_json(const store::RunSummary& run) {
    json::object out;
    out["id"] = to_string(run.id);
    out["workflow"] = run.workflow;
    out["version"] = run.version;
    out["status"] = run.status;
    out["subject"] = text_or_null(run.subject);
    out["created_at"] = to_rfc3339(created_at(run.id));
    // The clock that dates ids is another one, and may be ahead: no run ends before it began.
    const auto closed_at =
        run.closed_at ? std::optional(std::max(*run.closed_at, created_at(run.id))) : std::nullopt;
    out["closed_at"] = time_or_null(closed_at);
    out["due_at"] = time_or_null(run.due_at);
    out["output"] = run.output;
    out["error"] = run.error;
    return out;
}

json::object to_json(const store::RunDetails& run) {
    json::object out = to_json(static_cast<const store::RunSummary&>(run));
    out["priority"] = run.priority;
    out["correlation_id"] = text_or_null(run.correlation_id);
    out["triggered_by"] = text_or_null(run.triggered_by);
    out["parent"] = id_or_null(run.parent);
    out["retried_as"] = id_or_null(run.retried_as);
    out["input"] = run.input;
    return out;
}

void put_times_in_order(RunId run, std::vector<Event>& log) {
    Instant last = created_at(run);
    for (Event& event : log) last = event.at = std::max(event.at, last);
}

json::object to_json(const Event& event) {
    json::object out;
    out["seq"] = event.seq;
    out["at"] = to_rfc3339(event.at);
    out["type"] = name(event.type);
    if (!event.node.empty()) out["step"] = event.node;
    if (event.attempt != 0) out["attempt"] = event.attempt;
    if (!event.data.is_null()) out["data"] = event.data;
    if (!event.error.is_null()) out["error"] = event.error;
    return out;
}

void add_place(json::object& out, const Event& event, const plan::EventPlace& place) {
    // In a line every event is of the first visit of the only branch.
    const bool only = event.token == 0 && place.visit == 1 && place.items.empty();
    if (place.visit == 0 || only) return;
    out["branch"] = event.token;
    out["visit"] = place.visit;
    if (!place.items.empty()) out["item"] = json::array(place.items.begin(), place.items.end());
}

json::object to_json(const Event& event, const plan::EventPlace& place) {
    json::object out = to_json(event);
    add_place(out, event, place);
    return out;
}

json::object to_json(const store::DeadLetter& letter) {
    json::object out;
    out["run_id"] = to_string(letter.run);
    out["workflow"] = letter.workflow;
    out["version"] = letter.version;
    out["step"] = text_or_null(letter.step);
    out["error"] = letter.error;
    out["fingerprint"] = letter.fingerprint;
    out["at"] = to_rfc3339(letter.at);
    out["replayed_as"] = id_or_null(letter.replayed_as);
    out["replayed_at"] = time_or_null(letter.replayed_at);
    return out;
}

json::object to_json(const store::DeadLetterGroup& group) {
    json::object out;
    out["fingerprint"] = group.fingerprint;
    out["workflow"] = group.workflow;
    out["step"] = text_or_null(group.step);
    out["message"] = group.message;
    out["count"] = group.count;
    out["first_at"] = to_rfc3339(group.first_at);
    out["last_at"] = to_rfc3339(group.last_at);
    out["sample_run_id"] = to_string(group.sample_run);
    return out;
}

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
    out["examples"] = job.examples;
    out["counts"] = job.counts;
    out["created_at"] = to_rfc3339(job.created_at);
    out["updated_at"] = to_rfc3339(job.updated_at);
    return out;
}

json::object to_json(const store::ScheduleDetails& schedule) {
    json::object out;
    out["id"] = schedule.id;
    out["workflow"] = schedule.workflow_name;
    out["trigger"] = schedule.place;
    out["cron"] = schedule.cron;
    out["timezone"] = schedule.timezone;
    out["overlap"] = name(schedule.overlap);
    out["catch_up"] = format_duration(schedule.catch_up);
    out["jitter"] = format_duration(schedule.jitter);
    out["input"] = schedule.input;
    const bool paused = schedule.paused_at.has_value();
    const bool failing = !schedule.problem.empty();
    out["status"] = !schedule.active ? "inactive"
                    : paused         ? "paused"
                    : failing        ? "failing"
                                     : "active";
    out["problem"] = text_or_null(schedule.problem);
    out["paused_at"] = time_or_null(schedule.paused_at);
    out["pause_reason"] = text_or_null(schedule.pause_reason);
    const bool fires = schedule.active && !paused;
    out["next_at"] = fires ? time_or_null(schedule.next_at) : json::value();
    out["last_slot"] = time_or_null(schedule.last_slot);
    out["last_run_id"] = id_or_null(schedule.last_run);
    out["fired"] = schedule.fired;
    out["skipped"] = schedule.skipped;
    out["missed"] = schedule.missed;
    out["backfill"] = nullptr;
    if (schedule.backfill_at && schedule.backfill_to) {
        out["backfill"] = {
            {"next_at", to_rfc3339(*schedule.backfill_at)},
            {"to", to_rfc3339(*schedule.backfill_to)}};
    }
    return out;
}

json::object to_json(const store::InboxEvent& event) {
    json::object out;
    out["id"] = event.id;
    out["name"] = event.name;
    out["key"] = text_or_null(event.key);
    out["subject"] = text_or_null(event.subject);
    out["source"] = text_or_null(event.source);
    out["time"] = time_or_null(event.time);
    out["data"] = event.data;
    out["at"] = to_rfc3339(event.at);
    out["state"] = event.pending ? "pending" : "matched";
    out["problem"] = text_or_null(event.problem);
    return out;
}

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

json::object to_json(const engine::Program& program, const engine::Started& started) {
    json::object out;
    out["id"] = to_string(started.run);
    out["workflow"] = program.definition.name;
    out["version"] = program.version;
    out["created"] = started.created;
    return out;
}

bool is_closed(const store::RunSummary& run) {
    return run.status == "completed" || run.status == "failed" || run.status == "cancelled";
}

}  // namespace pawl::api
