#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"

#include <vector>

namespace pawl::workers {

// What the workers plan, each a pure function, and steps that one of them alone has. What the steps
// do is registered apart from them.

// Answers a support ticket: fetch_ticket, retrieve_context, draft_response, human_review (unless it
// is not wanted), send_response, confirm_resolution.
Plan plan_csr(const Run& run);
std::vector<StepDef> csr_steps();
void add_csr_steps(Registry& registry, const Connectors& connectors);

// Writes to a new contact and meets them if they want to: lookup_contact, plan_outreach,
// human_review, send_email, await_reply, schedule_meeting. The input has a contact and the goal.
Plan plan_bdr(const Run& run);

// Follows up on a contact who showed interest: lookup_contact, retrieve_context, qualify_lead,
// plan_outreach, human_review, send_email, await_reply (reminding twice), schedule_meeting. The
// input has a contact and what they are interested in.
Plan plan_sdr(const Run& run);
std::vector<StepDef> sdr_steps();
void add_sdr_steps(Registry& registry, const Connectors& connectors);

// Does what a person asks an assistant for: lookup_contact, plan_outreach, human_review,
// send_email, and schedule_meeting when `meeting` is wanted. The input has a contact and the
// request.
Plan plan_va(const Run& run);

}  // namespace pawl::workers
