#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"
#include "workers/review.hpp"

#include <string>
#include <vector>

namespace pawl::workers {

// What bdr, sdr and va share: they write to a contact and may meet them. The first half is pure and
// for plans; add_outreach_steps registers what the steps do.

// lookup_contact, plan_outreach, human_review, send_email, await_reply, schedule_meeting,
// record_outcome.
std::vector<StepDef> outreach_steps();

// The contact that the input names (contact_id, email, or contact with everything); null: not yet.
const json::value* lookup_contact(Plan& next, const Run& run);

// Writes, has it reviewed and sends it. `role` says how it is written: bdr, sdr or va; `key` tells
// several messages of one run apart.
struct Outreach {
    bool pending = true;
    std::string status;   // empty: it was sent; else why not
    std::string subject;  // of what was sent
    json::object review;
    const StepView* sent = nullptr;
};
Outreach reach_out(
    Plan& next, const Run& run, const json::value& contact, std::string role, json::object about
);

// Waits for the event contact.replied with the contact's id; null: not yet.
const StepView* await_reply(
    Plan& next, const Run& run, const json::value& contact, std::string_view key = {}
);
// What came of it: "no_reply", "interested" or "declined".
std::string reply_of(const StepView& answered);

const StepView* schedule_meeting(
    Plan& next, const Run& run, const json::value& contact, const std::string& title
);

// Once the contact is interested: arranges a meeting and notes it in `out`. False: not yet.
bool meet_if_interested(
    Plan& next, const Run& run, const json::value& contact, std::string title, json::object& out
);

// Notes in the CRM how it ended, then ends the run with it.
void conclude(Plan& next, const Run& run, const json::value& contact, json::object output);

void add_outreach_steps(Registry& registry, const Connectors& connectors);

}  // namespace pawl::workers
