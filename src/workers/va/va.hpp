#pragma once

#include "workers/described.hpp"

namespace pawl::workers {

// Does what a person asks an assistant for: lookup_contact, plan_outreach, human_review,
// send_email, and schedule_meeting when `meeting` is wanted. The input has a contact and the
// request.
class Va : public Described {
public:
    Va();
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

}  // namespace pawl::workers
