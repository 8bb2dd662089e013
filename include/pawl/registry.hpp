#pragma once

// The workflows of a program, by name and version, and its steps.

#include "pawl/step.hpp"
#include "pawl/workflow.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl {

// Owns what is added to it. One thread fills it before an engine gets it; the engine only reads it.
// It may hold several versions of one workflow: each run has its own.
class Registry {
public:
    // Throws std::invalid_argument if the workflow declares no step, names one twice or has no
    // version of the form major.minor.patch, or if that version was already added.
    void add(std::shared_ptr<const Workflow> workflow);
    // Throws std::invalid_argument if the name is empty or taken.
    void add(std::shared_ptr<Step> step);

    // Null if there is none. An empty version is the highest one.
    std::shared_ptr<const Workflow> find(std::string_view id, std::string_view version = {}) const;
    std::shared_ptr<Step> find_step(std::string_view name) const;
    // All versions, lowest first.
    std::vector<std::shared_ptr<const Workflow>> workflows() const;
    std::vector<std::shared_ptr<Step>> steps() const;
    // Steps that workflows declare and that are not registered: "csr 1.0.0: fetch_ticket". An
    // engine refuses to start if there are any.
    std::vector<std::string> missing() const;

private:
    std::map<std::pair<std::string, std::vector<int>>, std::shared_ptr<const Workflow>> workflows_;
    std::map<std::string, std::shared_ptr<Step>, std::less<>> steps_;
};

}  // namespace pawl
