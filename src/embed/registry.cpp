#include "pawl/registry.hpp"

#include "embed/code_version.hpp"
#include "embed/definition_of.hpp"

#include <stdexcept>

namespace pawl {

void Registry::add(std::shared_ptr<const Workflow> workflow) {
    if (!workflow) throw std::invalid_argument("there is no workflow to add");
    const std::string name = workflow->id();
    const auto definition = embed::definition_of(*workflow);
    if (!definition) {
        throw std::invalid_argument("the workflow " + name + ": " + definition.error().message);
    }
    std::pair key{name, *embed::parse_code_version(workflow->version())};
    const bool added = workflows_.emplace(std::move(key), workflow).second;
    if (added) return;
    throw std::invalid_argument(
        "the workflow " + name + " " + workflow->version() + " is registered twice"
    );
}

void Registry::add(std::shared_ptr<Step> step) {
    if (!step || step->name().empty()) throw std::invalid_argument("a step needs a name");
    const std::string name = step->name();
    if (steps_.emplace(name, std::move(step)).second) return;
    throw std::invalid_argument("the step " + name + " is registered twice");
}

std::shared_ptr<const Workflow> Registry::find(std::string_view id, std::string_view version)
    const {
    const auto wanted = embed::parse_code_version(version);
    std::shared_ptr<const Workflow> found;
    for (const auto& [key, workflow] : workflows_) {
        if (key.first != id) continue;
        if (version.empty() || key.second == wanted) found = workflow;
    }
    return found;
}

std::shared_ptr<Step> Registry::find_step(std::string_view name) const {
    const auto found = steps_.find(name);
    return found == steps_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Workflow>> Registry::workflows() const {
    std::vector<std::shared_ptr<const Workflow>> all;
    for (const auto& [key, workflow] : workflows_) all.push_back(workflow);
    return all;
}

std::vector<std::shared_ptr<Step>> Registry::steps() const {
    std::vector<std::shared_ptr<Step>> all;
    for (const auto& [name, step] : steps_) all.push_back(step);
    return all;
}

std::vector<std::string> Registry::missing() const {
    std::vector<std::string> names;
    for (const auto& [key, workflow] : workflows_) {
        for (const StepDef& step : workflow->steps()) {
            if (step.type != "code") continue;
            const std::string& wanted = step.runs.empty() ? step.name : step.runs;
            if (find_step(wanted)) continue;
            names.push_back(key.first + " " + workflow->version() + ": " + wanted);
        }
    }
    return names;
}

}  // namespace pawl
