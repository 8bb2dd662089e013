#pragma once

#include "workflows/connectors/calendar.hpp"
#include "workflows/connectors/crm.hpp"
#include "workflows/connectors/email.hpp"
#include "workflows/connectors/model.hpp"
#include "workflows/connectors/vector.hpp"

#include <memory>

namespace pawl::workflows {

// What the steps of the workers reach the world by. Shared by all steps and threads.
struct Connectors {
    std::shared_ptr<Crm> crm;
    std::shared_ptr<EmailSender> email;
    std::shared_ptr<Calendar> calendar;
    std::shared_ptr<VectorStore> vector;
    std::shared_ptr<Model> model;
};

}  // namespace pawl::workflows
