#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"

namespace pawl::workers {

// Follows up on a contact who showed interest: lookup_contact, retrieve_context, qualify_lead,
// plan_outreach, human_review, send_email, await_reply (reminding twice), schedule_meeting. The
// input has a contact and what they are interested in.
class Sdr : public Workflow {
public:
    std::string id() const override { return "sdr"; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override {
        return "Sales development: qualifies a lead, answers it, reminds twice, and arranges a "
               "meeting";
    }
    std::vector<std::string> required_fields() const override { return {"interest"}; }
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

// What its own steps do.
void add_sdr_steps(Registry& registry, const Connectors& connectors);

}  // namespace pawl::workers
