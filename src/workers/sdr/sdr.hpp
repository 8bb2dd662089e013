#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"
#include "workers/described.hpp"

namespace pawl::workers {

// Follows up on a contact who showed interest: lookup_contact, retrieve_context, qualify_lead,
// plan_outreach, human_review, send_email, await_reply (reminding twice), schedule_meeting. The
// input has a contact and what they are interested in.
class Sdr : public Described {
public:
    Sdr();
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

// What its own steps do.
void add_sdr_steps(Registry& registry, const Connectors& connectors);

}  // namespace pawl::workers
