#include "workers/workers.hpp"

#include "workers/bdr/bdr.hpp"
#include "workers/csr/csr.hpp"
#include "workers/outreach.hpp"
#include "workers/sdr/sdr.hpp"
#include "workers/va/va.hpp"

namespace pawl::workers {

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

std::shared_ptr<Registry> make_workers(const Connectors& connectors) {
    auto registry = std::make_shared<Registry>();
    add_csr(*registry, connectors);
    registry->add(std::make_shared<Bdr>());
    registry->add(std::make_shared<Sdr>());
    registry->add(std::make_shared<Va>());
    add_outreach_steps(*registry, connectors);
    add_sdr_steps(*registry, connectors);
    return registry;
}

}  // namespace pawl::workers
