#pragma once

#include "embed/step_pool.hpp"
#include "embed/workflow_plan.hpp"
#include "host/serve.hpp"
#include "store/store.hpp"

#include <map>
#include <memory>

namespace pawl::embed {

struct CodeHostOptions {
    int step_threads = 16;
    std::shared_ptr<Executor> executor = nullptr;
    bool every_tenant = false;  // its steps act for the tenant whose run it is
};

// The C++ workflows and steps of a process, ready for its workers. Outlives serve().
class CodeHost {
public:
    // Throws std::invalid_argument when a workflow names a step that is not there.
    CodeHost(std::shared_ptr<const Registry> registry, CodeHostOptions options);

    // Gives what is here to a process that is about to serve.
    void add_to(host::ServeOptions& options);

    // Publishes the workflows: the highest version of each becomes the head when it is new to the
    // database, unless the head is higher. Every program calls it on start; a repeated call changes
    // nothing, even after an operator went back to an older version.
    asio::awaitable<int> publish(store::Store& store, store::TenantId tenant);

private:
    std::shared_ptr<const Registry> registry_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<WorkflowPlan>> plans_;
    StepPool pool_;
};

}  // namespace pawl::embed
