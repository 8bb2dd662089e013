#pragma once

#include "app/versions/version_uses.hpp"
#include "model/experiment.hpp"
#include "store/repos/funnels.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pawl::app {

// What the use cases of numbers work with. All of it outlives them.
struct FunnelUses {
    store::Funnels& funnels;
    VersionUses& versions;
};

struct FunnelParams {
    std::string workflow;
    std::optional<Instant> from, to;   // widened to full hours
    std::string version;               // a number or a label; empty: all
    std::string by;                    // variant, channel, day, version
    std::string metric = "converted";  // what variants are compared by
};

// Counts by word, and by what they add: handle, reason, code.
struct Tally {
    std::map<std::string, std::int64_t> sums;
    std::map<std::string, std::map<std::string, std::int64_t>> details;

    void add(const std::string& what, const std::string& detail, std::int64_t count);
    std::int64_t sum(const std::string& what) const;
};

struct NodeNumbers {
    std::string node;
    std::string type;  // empty: not in this version
    std::int64_t entered = 0;
    Tally tally;
};

struct EdgeNumbers {
    std::string from, handle, to;
    std::int64_t count = 0;
};

// Of whole runs and of all nodes together; `people`: each counted once, where that is known.
struct GroupNumbers {
    std::string key;
    std::optional<std::int64_t> people;
    Tally runs;
    Tally steps;
    std::vector<NodeNumbers> nodes;
    std::vector<EdgeNumbers> edges;
};

// The variants of a split against each other.
struct Comparison {
    std::string split;
    std::string metric;
    std::vector<Arm> arms;
    Verdict verdict;
};

struct Funnel {
    std::string workflow;
    std::optional<std::int32_t> version;
    std::string by;
    std::optional<Instant> from, to, as_of;
    bool rebuilding = false;
    bool counted = false;                 // whether runs that begin now count
    std::optional<Instant> counted_from;  // none: all of them
    std::int64_t inside = 0;
    GroupNumbers all;  // without `by`; with it, sums of nothing
    std::vector<GroupNumbers> groups;
    std::vector<Comparison> comparisons;
};

inline constexpr std::string_view metrics_known[] = {
    "converted", "completed", "opened", "clicked", "replied"};

// Numbers of a group, in the order of the definition; nodes of other versions come last. Pure.
GroupNumbers group_numbers(
    const Definition& definition, std::string key, const std::vector<store::FunnelCount>& rows
);
// How the variants of each split do, from groups by variant. Pure.
std::vector<Comparison> compare_variants(
    const Definition& definition, const std::vector<GroupNumbers>& groups, const std::string& metric
);

asio::awaitable<Result<Funnel>> find_funnel(
    FunnelUses& uses, store::Tenant tenant, FunnelParams params
);

// Lets the runs of a workflow count that is no journey.
asio::awaitable<Result<Funnel>> count_workflow(
    FunnelUses& uses, store::Tenant tenant, std::string workflow
);

struct PlaceParams {
    std::string workflow;
    std::string at;
    std::string state;
    std::string version;
    std::optional<Instant> from, to;  // of runs that have ended
    std::optional<store::PlaceCursor> after;
    int limit = 50;
};
// One more than the limit when there are more.
asio::awaitable<Result<std::vector<store::PersonPlace>>> find_people(
    FunnelUses& uses, store::Tenant tenant, PlaceParams params
);

}  // namespace pawl::app
