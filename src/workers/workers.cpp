#include "workers/workers.hpp"

#include "pawl/workflow.hpp"
#include "workers/outreach.hpp"
#include "workers/worker_plans.hpp"

namespace pawl::workers {

namespace {

// A workflow that is told what it is.
class PlannedWorkflow : public Workflow {
public:
    struct Parts {
        std::string id;
        std::string description;
        std::vector<std::string> required;  // fields of the input
        std::vector<StepDef> steps;
        Plan (*plan)(const Run& run);
    };
    explicit PlannedWorkflow(Parts parts) : parts_(std::move(parts)) {}

    std::string id() const override { return parts_.id; }
    std::string version() const override { return "1.0.0"; }
    std::string description() const override { return parts_.description; }
    std::vector<std::string> required_fields() const override { return parts_.required; }
    std::vector<StepDef> steps() const override { return parts_.steps; }
    Plan plan(const Run& run) const override { return parts_.plan(run); }

private:
    Parts parts_;
};

std::vector<PlannedWorkflow::Parts> all_parts() {
    return {
        {"csr",
         "Customer support: drafts an answer to a ticket, has it reviewed, sends it and sees "
         "whether it helped",
         {"ticket_id"},
         csr_steps(),
         plan_csr},
        {"bdr",
         "Business development: a first message to a contact, and a meeting if they want one",
         {"goal"},
         outreach_steps(),
         plan_bdr},
        {"sdr",
         "Sales development: qualifies a lead, answers it, reminds twice, and arranges a "
         "meeting",
         {"interest"},
         sdr_steps(),
         plan_sdr},
        {"va",
         "Virtual assistant: writes a message and, on request, arranges a meeting",
         {"request"},
         outreach_steps(),
         plan_va}};
}

}  // namespace

Connectors make_connectors(const WorkerSettings& settings) {
    auto sessions = std::make_shared<embed::Sessions>(settings.connect);
    Connectors connectors;
    connectors.crm = make_table_crm(sessions);
    connectors.email = make_email_sender(settings.email, sessions);
    connectors.calendar = make_calendar(settings.calendar, sessions);
    connectors.vector = make_knowledge(sessions);
    connectors.model = make_model(settings.model, sessions);
    return connectors;
}

std::vector<std::shared_ptr<Workflow>> make_workflows() {
    std::vector<std::shared_ptr<Workflow>> all;
    for (auto& parts : all_parts()) {
        all.push_back(std::make_shared<PlannedWorkflow>(std::move(parts)));
    }
    return all;
}

std::shared_ptr<Registry> make_workers(const Connectors& connectors) {
    auto registry = std::make_shared<Registry>();
    for (auto& workflow : make_workflows()) registry->add(std::move(workflow));
    add_csr_steps(*registry, connectors);
    add_outreach_steps(*registry, connectors);
    add_sdr_steps(*registry, connectors);
    return registry;
}

}  // namespace pawl::workers
