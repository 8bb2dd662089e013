#include "base/json.hpp"
#include "workers/outreach.hpp"
#include "workers/worker_plans.hpp"

namespace pawl::workers {

Plan plan_va(const Run& run) {
    Plan next;
    const json::value* contact = lookup_contact(next, run);
    if (contact == nullptr) return next;
    json::object about{{"request", run.text("request")}};
    json::object output{{"status", "sent"}};
    const json::value* wanted = find(*run.input, "meeting");
    if (wanted != nullptr && wanted->is_bool() && wanted->get_bool()) {
        // First the time, so that the message can name it.
        const StepView* meeting =
            schedule_meeting(next, run, *contact, std::string(run.text("request")));
        if (meeting == nullptr) return next;
        output["starts_at"] = text_of(meeting->result, "starts_at");
        about["meeting_at"] = output["starts_at"];
    }
    const Outreach outreach = reach_out(next, run, *contact, "va", std::move(about));
    if (outreach.pending) return next;
    if (!outreach.status.empty()) output["status"] = outreach.status;
    output["review"] = outreach.review;
    conclude(next, run, *contact, std::move(output));
    return next;
}

}  // namespace pawl::workers
