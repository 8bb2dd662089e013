#pragma once

#include "pawl/workflow.hpp"

namespace pawl::workers {

// Does what a person asks an assistant for: lookup_contact, plan_outreach, human_review,
// send_email, and schedule_meeting when `meeting` is wanted. The input has a contact and the
// request.
class Va : public Workflow {
public:
    std::string id() const override { return "va"; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override {
        return "Virtual assistant: writes a message and, on request, arranges a meeting";
    }
    std::vector<std::string> required_fields() const override { return {"request"}; }
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

}  // namespace pawl::workers
