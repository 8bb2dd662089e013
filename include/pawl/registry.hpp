#pragma once

// What a program has: its workflows, by name and version, and its steps.

#include "pawl/step.hpp"
#include "pawl/workflow.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// Owns what is added to it. Filled by one thread before it is given to an engine, which keeps it
// and only reads it. Several versions of one workflow may be in it: each run has its own.
class Registry {
public:
    // Throws std::invalid_argument when the workflow declares no step, names one twice or has no
    // version of the form major.minor.patch, or when that version is there already.
    void add(std::shared_ptr<const Workflow> workflow);
    // Throws std::invalid_argument when the name is empty or taken.
    void add(std::shared_ptr<Step> step);

    // Null when it is not there. An empty version is the highest one.
    std::shared_ptr<const Workflow> find(std::string_view id, std::string_view version = {}) const;
    std::shared_ptr<Step> find_step(std::string_view name) const;
    // All versions, the lower first.
    std::vector<std::shared_ptr<const Workflow>> workflows() const;
    std::vector<std::shared_ptr<Step>> steps() const;
    // Steps of workflows that nothing is registered for: "csr 1.0.0: fetch_ticket". An engine
    // refuses to start with any.
    std::vector<std::string> missing() const;

private:
    std::map<std::pair<std::string, std::vector<int>>, std::shared_ptr<const Workflow>> workflows_;
    std::map<std::string, std::shared_ptr<Step>, std::less<>> steps_;
};

}  // namespace pawl
