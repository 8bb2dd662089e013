#include "app/numbers/funnel.hpp"

#include "app/refusal.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

constexpr Duration hour = std::chrono::hours(1);

Instant floor_hour(Instant at) {
    return Instant(std::chrono::floor<std::chrono::hours>(at.time_since_epoch()));
}

Instant ceil_hour(Instant at) {
    const Instant below = floor_hour(at);
    return below == at ? at : below + hour;
}

// The version that was asked for, else the head: what nodes and edges are drawn by.
asio::awaitable<Result<store::WorkflowVersion>> version_of(
    FunnelUses& uses, store::Tenant tenant, const std::string& workflow, const std::string& version
) {
    if (version.empty()) co_return co_await find_workflow(uses.versions, tenant.id, workflow);
    co_return co_await find_version(uses.versions, tenant.id, workflow, version);
}

// Those of each key, by key.
std::map<std::string, std::vector<store::FunnelCount>> by_key(std::vector<store::FunnelCount> rows
) {
    std::map<std::string, std::vector<store::FunnelCount>> groups;
    for (store::FunnelCount& row : rows) groups[row.key].push_back(std::move(row));
    return groups;
}

std::optional<std::int64_t> people_of(
    const std::vector<store::FunnelCount>& people, const std::string& key
) {
    for (const store::FunnelCount& row : people) {
        if (row.key == key) return row.count;
    }
    return std::nullopt;
}

}  // namespace

asio::awaitable<Result<Funnel>> find_funnel(
    FunnelUses& uses, store::Tenant tenant, FunnelParams params
) {
    const auto version = co_await version_of(uses, tenant, params.workflow, params.version);
    if (!version) co_return version.error();
    auto definition = definition_from_json(version->definition);
    if (!definition) co_return definition.error();
    Funnel funnel;
    funnel.workflow = params.workflow;
    funnel.by = params.by;
    if (!params.version.empty()) funnel.version = version->version;
    if (params.from) funnel.from = floor_hour(*params.from);
    if (params.to) funnel.to = ceil_hour(*params.to);
    if (funnel.from && funnel.to && *funnel.from >= *funnel.to) {
        co_return Error{Errc::invalid, "`from` must be before `to`", {}};
    }
    store::FunnelCounts counts = co_await uses.funnels.counts(
        tenant, {version->id, funnel.from, funnel.to, funnel.version, params.by}
    );
    funnel.as_of = counts.as_of;
    funnel.rebuilding = counts.rebuilding;
    funnel.counted = counts.counted;
    funnel.counted_from = counts.counted_from;
    // People are counted over all versions and channels.
    const bool countable = !funnel.version && params.by != "channel" && params.by != "version";
    std::vector<store::FunnelCount> now;
    for (store::FunnelCount& row : counts.now) {
        if (row.what == "inside") {
            funnel.inside += row.count;
        } else {
            now.push_back(std::move(row));
        }
    }
    if (params.by.empty()) {
        for (store::FunnelCount& row : now) counts.rows.push_back(std::move(row));
        funnel.all = group_numbers(*definition, "", counts.rows);
        if (countable) funnel.all.people = people_of(counts.people, "").value_or(0);
        co_return funnel;
    }
    for (const auto& [key, rows] : by_key(std::move(counts.rows))) {
        funnel.groups.push_back(group_numbers(*definition, key, rows));
        if (countable) {
            funnel.groups.back().people = people_of(counts.people, key).value_or(0);
        }
    }
    if (params.by == "variant") {
        funnel.comparisons = compare_variants(*definition, funnel.groups, params.metric);
    }
    co_return funnel;
}

asio::awaitable<Result<Funnel>> count_workflow(
    FunnelUses& uses, store::Tenant tenant, std::string workflow
) {
    co_await uses.funnels.count_workflow(tenant, workflow);
    FunnelParams params;
    params.workflow = std::move(workflow);
    co_return co_await find_funnel(uses, tenant, std::move(params));
}

asio::awaitable<Result<std::vector<store::PersonPlace>>> find_people(
    FunnelUses& uses, store::Tenant tenant, PlaceParams params
) {
    const auto version = co_await version_of(uses, tenant, params.workflow, params.version);
    if (!version) co_return version.error();
    store::PlaceFilter filter;
    filter.workflow = version->id;
    filter.at = std::move(params.at);
    filter.state = std::move(params.state);
    if (!params.version.empty()) filter.version = version->version;
    filter.from = params.from;
    filter.to = params.to;
    filter.after = std::move(params.after);
    filter.limit = params.limit;
    co_return co_await uses.funnels.places(tenant, std::move(filter));
}

}  // namespace pawl::app
