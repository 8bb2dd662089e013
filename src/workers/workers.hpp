#pragma once

#include "pawl/registry.hpp"
#include "workers/connectors/connectors.hpp"

#include <memory>
#include <vector>

namespace pawl::workers {

// What the workers are set up with. Email and model may be filled in until their first call, when
// they are not known before the process listens (the sandbox of `pawl dev`).
struct WorkerSettings {
    pg::ConnectOptions connect;
    std::shared_ptr<ModelSettings> model = std::make_shared<ModelSettings>();
    std::shared_ptr<steps::EmailSettings> email = std::make_shared<steps::EmailSettings>();
    CalendarSettings calendar;
};

Connectors make_connectors(const WorkerSettings& settings);

// csr, bdr, sdr and va.
std::vector<std::shared_ptr<Workflow>> make_workflows();
// The same with what their steps do.
std::shared_ptr<Registry> make_workers(const Connectors& connectors);

}  // namespace pawl::workers
