#include "embed/code_host.hpp"

#include "base/log.hpp"
#include "embed/code_version.hpp"
#include "embed/definition_of.hpp"

#include <algorithm>
#include <stdexcept>

namespace pawl::embed {

namespace {

// Whether the head of a workflow is a later version of its code than this one.
bool is_older(const Definition& ours, const std::optional<store::WorkflowVersion>& head) {
    if (!head) return false;
    const auto* code = find(head->definition, "code");
    if (code == nullptr || !code->is_string()) return false;
    const auto theirs = parse_code_version(std::string_view(code->get_string()));
    return theirs && *parse_code_version(ours.code) < *theirs;
}

// Whether it was published before: then an operator may have gone back to another version since.
bool is_known(const Definition& ours, const std::vector<store::WorkflowVersion>& versions) {
    return std::any_of(versions.begin(), versions.end(), [&](const auto& version) {
        const auto theirs = definition_from_json(version.definition);
        return theirs && *theirs == ours;
    });
}

}  // namespace

CodeHost::CodeHost(std::shared_ptr<const Registry> registry, CodeHostOptions options)
    : registry_(std::move(registry)),
      pool_(options.step_threads, std::move(options.executor), options.every_tenant) {
    std::string names;
    for (const std::string& one : registry_->missing()) names += (names.empty() ? "" : ", ") + one;
    if (!names.empty()) throw std::invalid_argument("these steps are not registered: " + names);
    for (auto& workflow : registry_->workflows()) {
        plans_[{workflow->id(), workflow->version()}] = std::make_unique<WorkflowPlan>(workflow);
    }
}

void CodeHost::add_to(host::ServeOptions& options) {
    options.add_steps = [this](steps::CodeRegistry& code) {
        for (auto& step : registry_->steps()) {
            code.add_queued(step->name(), pool_.function_for(step));
        }
    };
    options.find_plan = [this](std::string_view name, std::string_view version) {
        const auto found = plans_.find({std::string(name), std::string(version)});
        return found == plans_.end() ? nullptr : found->second.get();
    };
}

asio::awaitable<int> CodeHost::publish(store::Store& store, store::TenantId tenant) {
    int changed = 0;
    for (const auto& workflow : registry_->workflows()) {
        if (registry_->find(workflow->id()) != workflow) continue;
        const Definition definition = definition_of(*workflow).value();
        const auto head = co_await store.find_workflow(tenant, definition.name);
        if (is_older(definition, head)) {
            log::info(
                "a later version of a C++ workflow is active; this program carries on older runs",
                {log::field("workflow", definition.name), log::field("version", definition.code)}
            );
            continue;
        }
        if (head && is_known(definition, co_await store.list_versions(tenant, definition.name))) {
            continue;
        }
        const auto applied =
            co_await store.apply_workflow(store::Author(tenant, "C++"), definition);
        changed += applied.changed ? 1 : 0;
    }
    co_return changed;
}

}  // namespace pawl::embed
