#include "workers/outreach.hpp"

#include "base/json.hpp"

namespace pawl::workers {

std::vector<StepDef> outreach_steps() {
    return {
        {.name = "lookup_contact", .runs = "outreach.lookup_contact"},
        {.name = "plan_outreach",
         .runs = "outreach.plan_outreach",
         .attempts = 4,
         .timeout = std::chrono::minutes(2)},
        review_step(),
        {.name = "send_email", .runs = "outreach.send_email", .timeout = std::chrono::minutes(1)},
        {.name = "await_reply", .type = "wait"},
        {.name = "schedule_meeting", .runs = "outreach.schedule_meeting"},
        {.name = "record_outcome", .runs = "outreach.record_outcome"}};
}

const json::value* lookup_contact(Plan& next, const Run& run) {
    json::object input;
    const json::object* given = run.input->if_object();
    for (const std::string_view key : {"contact_id", "email", "contact"}) {
        const json::value* value = given == nullptr ? nullptr : given->if_contains(key);
        if (value != nullptr) input[key] = *value;
    }
    const StepView* found = next.run_step(run, "lookup_contact", std::move(input));
    return found == nullptr ? nullptr : found->result;
}

Outreach reach_out(
    Plan& next, const Run& run, const json::value& contact, std::string role, json::object about
) {
    Outreach outreach;
    about["role"] = role;
    about["contact"] = contact;
    const Reviewed reviewed = draft_and_review(
        next, run, "plan_outreach", about, "Message to " + text_of(&contact, "name")
    );
    if (reviewed.state == Reviewed::State::pending) return outreach;
    outreach.review = reviewed.review;
    if (reviewed.state != Reviewed::State::approved) {
        outreach.pending = false;
        outreach.status =
            reviewed.state == Reviewed::State::timed_out ? "review_timed_out" : "handed_over";
        return outreach;
    }
    outreach.subject = reviewed.subject;
    outreach.sent = next.run_step(
        run,
        "send_email",
        {{"to", text_of(&contact, "email")},
         {"subject", reviewed.subject},
         {"body", reviewed.body},
         {"review", reviewed.review}}
    );
    outreach.pending = outreach.sent == nullptr;
    return outreach;
}

const StepView* await_reply(
    Plan& next, const Run& run, const json::value& contact, std::string_view key
) {
    const auto within = run.text("reply_within");
    return next.step(
        run,
        "await_reply",
        {{"event", "contact.replied"},
         {"key", text_of(&contact, "id")},
         {"timeout", within.empty() ? std::string_view("5d") : within}},
        key
    );
}

std::string reply_of(const StepView& answered) {
    if (answered.outcome == "timeout") return "no_reply";
    const json::value* data = find(*answered.result, "data");
    const json::value* interested = data == nullptr ? nullptr : find(*data, "interested");
    const bool yes = interested != nullptr && interested->is_bool() && interested->get_bool();
    return yes ? "interested" : "declined";
}

const StepView* schedule_meeting(
    Plan& next, const Run& run, const json::value& contact, const std::string& title
) {
    const auto* minutes = find(*run.input, "minutes");
    return next.run_step(
        run,
        "schedule_meeting",
        {{"title", title},
         {"attendee", text_of(&contact, "email")},
         {"minutes", whole_number(minutes).value_or(30)}}
    );
}

bool meet_if_interested(
    Plan& next, const Run& run, const json::value& contact, std::string title, json::object& out
) {
    if (out["status"] != "interested") return true;
    const StepView* meeting = schedule_meeting(next, run, contact, title);
    if (meeting == nullptr) return false;
    out["status"] = "meeting";
    out["starts_at"] = text_of(meeting->result, "starts_at");
    return true;
}

void conclude(Plan& next, const Run& run, const json::value& contact, json::object output) {
    const StepView* noted = next.run_step(
        run, "record_outcome", {{"contact", text_of(&contact, "id")}, {"outcome", output}}
    );
    if (noted == nullptr) return;
    output["spent"] = spent_in(run);
    next.finish(std::move(output));
}

}  // namespace pawl::workers
