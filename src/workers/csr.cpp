#include "base/json.hpp"
#include "workers/review.hpp"
#include "workers/worker_plans.hpp"

#include <boost/json/array.hpp>

namespace pawl::workers {

namespace {

json::object fetch_input(const Run& run) {
    json::object input{{"ticket_id", run.text("ticket_id")}};
    const json::object& given = run.input->get_object();
    for (const std::string_view key : {"customer_id", "ticket"}) {
        if (const json::value* value = given.if_contains(key)) input[key] = *value;
    }
    return input;
}

std::string status_of(Reviewed::State state) {
    return state == Reviewed::State::timed_out ? "review_timed_out" : "handed_over";
}

// No reply came in time, or the reply said that it helped.
bool is_resolved(const StepView& confirmed) {
    if (confirmed.outcome == "timeout") return true;
    const json::value* data = find(*confirmed.result, "data");
    const json::value* resolved = data == nullptr ? nullptr : find(*data, "resolved");
    return resolved != nullptr && resolved->is_bool() && resolved->get_bool();
}

}  // namespace

std::vector<StepDef> csr_steps() {
    return {
        {.name = "fetch_ticket", .runs = "csr.fetch_ticket"},
        {.name = "retrieve_context", .runs = "csr.retrieve_context"},
        {.name = "draft_response",
         .runs = "csr.draft_response",
         .attempts = 4,
         .timeout = std::chrono::minutes(2)},
        review_step(),
        {.name = "send_response", .runs = "csr.send_response", .timeout = std::chrono::minutes(1)},
        {.name = "confirm_resolution", .type = "wait"},
        {.name = "close_ticket", .runs = "csr.close_ticket"}};
}

Plan plan_csr(const Run& run) {
    Plan next;
    const StepView* fetched = next.run_step(run, "fetch_ticket", fetch_input(run));
    if (fetched == nullptr) return next;
    const json::value& ticket = *fetched->result;
    const std::string about = text_of(&ticket, "subject") + "\n" + text_of(&ticket, "body");
    const StepView* known = next.run_step(run, "retrieve_context", {{"text", about}, {"limit", 5}});
    if (known == nullptr) return next;

    const Reviewed reviewed = draft_and_review(
        next,
        run,
        "draft_response",
        {{"ticket", ticket}, {"context", *known->result}},
        "Answer to: " + text_of(&ticket, "subject")
    );
    if (reviewed.state == Reviewed::State::pending) return next;
    const std::string ticket_id = text_of(&ticket, "id");
    if (reviewed.state != Reviewed::State::approved) {
        next.finish({{"ticket_id", ticket_id}, {"status", status_of(reviewed.state)}});
        return next;
    }

    const StepView* sent = next.run_step(
        run,
        "send_response",
        {{"to", text_of(&ticket, "email")},
         {"subject", reviewed.subject},
         {"body", reviewed.body},
         {"review", reviewed.review}}
    );
    if (sent == nullptr) return next;
    const auto within = run.text("confirm_within");
    const StepView* confirmed = next.step(
        run,
        "confirm_resolution",
        {{"event", "ticket.replied"},
         {"key", ticket_id},
         {"timeout", within.empty() ? std::string_view("3d") : within}}
    );
    if (confirmed == nullptr) return next;
    const std::string status = is_resolved(*confirmed) ? "resolved" : "reopened";
    const StepView* closed = next.run_step(
        run,
        "close_ticket",
        {{"ticket_id", ticket_id},
         {"contact", text_of(&ticket, "contact")},
         {"status", status},
         {"text", reviewed.body}}
    );
    if (closed == nullptr) return next;
    next.finish(
        {{"ticket_id", ticket_id},
         {"status", status},
         {"message_id", text_of(sent->result, "message_id")},
         {"review", reviewed.review},
         {"spent", spent_in(run)}}
    );
    return next;
}

}  // namespace pawl::workers
