#include "store/repos/migration_map.hpp"

#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pawl::store {

namespace {

// The steps of one version or of several, and what to call those.
struct KnownSteps {
    std::set<std::string> ids;
    std::string where;
    bool all_read = true;  // a version that cannot be read may have any step
};

void add_steps(KnownSteps& known, const WorkflowVersion& version) {
    const auto definition = definition_from_json(version.definition);
    known.all_read = known.all_read && definition.has_value();
    if (!definition) return;
    for (const Node& node : definition->nodes) known.ids.insert(node.id);
}

std::string missing(const KnownSteps& known, const std::string& id) {
    constexpr std::ptrdiff_t named_max = 30;
    const std::vector<std::string_view> all(known.ids.begin(), known.ids.end());
    const std::vector<std::string_view> named(
        all.begin(), std::next(all.begin(), std::min(std::ssize(all), named_max))
    );
    const std::size_t more = all.size() - named.size();
    std::string guess = suggest(id, all);
    if (guess.empty()) guess = ".";
    if (all.empty()) return fmt::format("there is no step '{}' in {}", id, known.where);
    return fmt::format(
        "there is no step '{}' in {}{} Steps there: {}{}",
        id,
        known.where,
        guess,
        fmt::join(named, ", "),
        more > 0 ? fmt::format(" and {} more", more) : ""
    );
}

asio::awaitable<KnownSteps> steps_before(
    Store& store, TenantId tenant, std::string workflow, RunMigration migration
) {
    KnownSteps known;
    if (migration.from.empty()) {
        known.where = "any other version";
        for (const WorkflowVersion& version : co_await store.list_versions(tenant, workflow)) {
            if (version.version != migration.to) add_steps(known, version);
        }
        co_return known;
    }
    known.where = fmt::format(
        "version{} {}", migration.from.size() > 1 ? "s" : "", fmt::join(migration.from, ", ")
    );
    for (const std::int32_t number : migration.from) {
        const auto version = co_await store.find_version_by_name(tenant, workflow, number);
        if (version) add_steps(known, *version);
    }
    co_return known;
}

}  // namespace

asio::awaitable<std::vector<MapMistake>> mistakes_in_map(
    Store& store, TenantId tenant, std::string workflow, RunMigration migration
) {
    std::vector<MapMistake> mistakes;
    if (migration.map.empty() && migration.exit.empty()) co_return mistakes;
    KnownSteps after;
    after.where = fmt::format("version {}", migration.to);
    const auto target = co_await store.find_version_by_name(tenant, workflow, migration.to);
    if (target) add_steps(after, *target);
    const KnownSteps before = co_await steps_before(store, tenant, workflow, migration);
    for (const auto& [from, to] : migration.map) {
        if (before.all_read && !before.ids.contains(from)) {
            mistakes.push_back({from, to, missing(before, from)});
        } else if (after.all_read && !after.ids.contains(to)) {
            mistakes.push_back({from, to, missing(after, to)});
        }
    }
    for (const std::string& node : migration.exit) {
        if (!before.all_read || before.ids.contains(node)) continue;
        mistakes.push_back({node, "", missing(before, node)});
    }
    co_return mistakes;
}

}  // namespace pawl::store
