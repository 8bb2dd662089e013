#pragma once

#include "workers/described.hpp"

namespace pawl::workers {

// Writes to a new contact and meets them if they want to: lookup_contact, plan_outreach,
// human_review, send_email, await_reply, schedule_meeting. The input has a contact and the goal.
class Bdr : public Described {
public:
    Bdr();
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

}  // namespace pawl::workers
