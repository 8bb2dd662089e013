#pragma once

#include "pawl/workflow.hpp"

namespace pawl::workers {

// Writes to a new contact and meets them if they want to: lookup_contact, plan_outreach,
// human_review, send_email, await_reply, schedule_meeting. The input has a contact and the goal.
class Bdr : public Workflow {
public:
    std::string id() const override { return "bdr"; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override {
        return "Business development: a first message to a contact, and a meeting if they want one";
    }
    std::vector<std::string> required_fields() const override { return {"goal"}; }
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

}  // namespace pawl::workers
