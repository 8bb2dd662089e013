#include "base/json.hpp"
#include "workers/outreach.hpp"
#include "workers/worker_plans.hpp"

namespace pawl::workers {

Plan plan_bdr(const Run& run) {
    Plan next;
    const json::value* contact = lookup_contact(next, run);
    if (contact == nullptr) return next;
    const Outreach outreach = reach_out(next, run, *contact, "bdr", {{"goal", run.text("goal")}});
    if (outreach.pending) return next;
    if (!outreach.status.empty()) {
        conclude(next, run, *contact, {{"status", outreach.status}});
        return next;
    }
    const StepView* answered = await_reply(next, run, *contact);
    if (answered == nullptr) return next;
    const std::string reply = reply_of(*answered);
    json::object output{{"status", reply}, {"review", outreach.review}};
    if (!meet_if_interested(next, run, *contact, outreach.subject, output)) return next;
    conclude(next, run, *contact, std::move(output));
    return next;
}

}  // namespace pawl::workers
