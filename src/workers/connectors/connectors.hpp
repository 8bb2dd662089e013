#pragma once

#include "workers/connectors/calendar.hpp"
#include "workers/connectors/crm.hpp"
#include "workers/connectors/email_connector.hpp"
#include "workers/connectors/model.hpp"
#include "workers/connectors/vector.hpp"

#include <memory>

namespace pawl::workers {

// What the steps of the workers reach the world by. Shared by all steps and threads.
struct Connectors {
    std::shared_ptr<Crm> crm;
    std::shared_ptr<EmailSender> email;
    std::shared_ptr<Calendar> calendar;
    std::shared_ptr<VectorStore> vector;
    std::shared_ptr<Model> model;
};

}  // namespace pawl::workers
