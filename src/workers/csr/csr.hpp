#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"
#include "workers/described.hpp"

namespace pawl::workers {

// Answers a support ticket: fetch_ticket, retrieve_context, draft_response, human_review (unless it
// is not wanted), send_response, confirm_resolution.
class Csr : public Described {
public:
    Csr();
    std::vector<StepDef> steps() const override;
    Plan plan(const Run& run) const override;
};

// The workflow and its steps.
void add_csr(Registry& registry, const Connectors& connectors);

}  // namespace pawl::workers
