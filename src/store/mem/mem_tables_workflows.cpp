#include "store/mem/mem_tables.hpp"

#include <algorithm>

// Workflows and their versions. A workflow's head cannot be deleted here, which only SQL can do.
namespace pawl::store {

std::optional<WorkflowId> MemTables::workflow_id(TenantId tenant, const std::string& name) const {
    for (const auto& [id, workflow] : workflows_) {
        if (workflow.tenant == tenant && workflow.name == name) return id;
    }
    return std::nullopt;
}

Applied MemTables::apply_workflow(TenantId tenant, const Definition& definition) {
    const json::value canonical = to_json(definition);
    const auto known = workflow_id(tenant, definition.name);
    const WorkflowId id = known.value_or(static_cast<WorkflowId>(workflows_.size()) + 1);
    const auto head = known ? find_version(id, workflows_.at(id).version) : std::nullopt;
    if (head && head->definition == canonical) {
        workflows_.at(id).active = true;
        return {id, head->version, false};
    }
    // Versions are numbered without gaps and never removed.
    std::int32_t version = 1;
    while (versions_.contains({id, version})) ++version;
    workflows_[id] = {tenant, definition.name, version, true};
    versions_[{id, version}] = {id, tenant, 0, version, definition.name, now, canonical, true};
    return {id, version, true};
}

std::optional<WorkflowVersion> MemTables::find_workflow(TenantId tenant, const std::string& name)
    const {
    const auto id = workflow_id(tenant, name);
    if (!id) return std::nullopt;
    return find_version(*id, workflows_.at(*id).version);
}

std::optional<WorkflowVersion> MemTables::find_version(WorkflowId id, std::int32_t version) const {
    const auto found = versions_.find({id, version});
    if (found == versions_.end()) return std::nullopt;
    const Workflow& workflow = workflows_.at(id);
    WorkflowVersion copy = found->second;
    copy.active = workflow.active && workflow.version == version;
    return copy;
}

std::optional<WorkflowVersion> MemTables::find_version_by_name(
    TenantId tenant, const std::string& name, std::int32_t version
) const {
    const auto id = workflow_id(tenant, name);
    return id ? find_version(*id, version) : std::nullopt;
}

std::vector<WorkflowVersion> MemTables::list_workflows(
    TenantId tenant, const WorkflowFilter& filter
) const {
    std::vector<WorkflowVersion> all;
    for (const auto& [id, workflow] : workflows_) {
        if (workflow.tenant != tenant) continue;
        if (workflow.name <= filter.after || !(workflow.active || filter.inactive)) continue;
        all.push_back(find_version(id, workflow.version).value());
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const auto limit = static_cast<std::size_t>(std::max(filter.limit, 0));
    if (all.size() > limit) all.resize(limit);
    return all;
}

std::vector<WorkflowVersion> MemTables::list_versions(TenantId tenant, const std::string& name)
    const {
    std::vector<WorkflowVersion> all;
    for (std::int32_t version = 1;; ++version) {
        const auto found = find_version_by_name(tenant, name, version);
        if (!found) break;
        all.insert(all.begin(), *found);
    }
    return all;
}

std::optional<Applied> MemTables::activate_workflow(
    TenantId tenant, const std::string& name, std::optional<std::int32_t> version
) {
    const auto id = workflow_id(tenant, name);
    if (!id) return std::nullopt;
    Workflow& workflow = workflows_.at(*id);
    const std::int32_t wanted = version.value_or(workflow.version);
    if (!versions_.contains({*id, wanted})) return std::nullopt;
    const bool changed = !workflow.active || workflow.version != wanted;
    workflow.version = wanted;
    workflow.active = true;
    return Applied{*id, wanted, changed};
}

bool MemTables::deactivate_workflow(TenantId tenant, const std::string& name) {
    const auto id = workflow_id(tenant, name);
    if (id) workflows_.at(*id).active = false;
    return id.has_value();
}

}  // namespace pawl::store
