#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"

namespace pawl::workers {

// Answers a support ticket: fetch_ticket, retrieve_context, draft_response, human_review (unless it
// is not wanted), send_response, confirm_resolution.
class Csr : public Workflow {
public:
    std::string id() const override { return "csr"; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override {
        return "Customer support: drafts an answer to a ticket, has it reviewed, sends it and sees "
               "whether it helped";
    }
    std::vector<std::string> required_fields() const override { return {"ticket_id"}; }
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

// The workflow and its steps.
void add_csr(Registry& registry, const Connectors& connectors);

}  // namespace pawl::workers
