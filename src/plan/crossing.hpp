#pragma once

#include "model/template.hpp"
#include "plan/run_state.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pawl::plan {

// Which node of the new version goes on for a node of the old one, by their ids. A node that is not
// in it keeps its id.
using NodeMap = std::map<std::string, std::string>;

// Why a run cannot go on in another version.
struct Obstacle {
    std::string node;  // where; empty: the run as a whole
    std::string reason;

    bool operator==(const Obstacle&) const = default;
};

enum class Impact { unaffected, moves_on, would_break };
std::string_view name(Impact impact);

// What another version means for a run, and why in one sentence.
struct Verdict {
    Impact impact = Impact::unaffected;
    std::string node;
    std::string reason;

    bool operator==(const Verdict&) const = default;
};

// From one version of a workflow to another: what is worked out once for all runs. Borrows both
// definitions. One thread.
class Crossing {
public:
    Crossing(const Definition& from, const Definition& to, NodeMap map);

    // Carries the state of a run over: what it did stays done, and every branch stands where it
    // stood, on the node that goes on for its own. A step that was begun keeps its attempts and its
    // idempotency key, a wait that was begun stays as it is. The state is changed only when nothing
    // stands against it.
    std::optional<Obstacle> carry(RunState& state) const;

    // Unaffected: all that lies ahead of the run is the same in both. Would break: it cannot be
    // carried over, or a step ahead would need what this run does not have.
    Verdict judge(const RunState& state) const;

    const NodeMap& map() const { return map_; }

private:
    struct Ahead {
        std::vector<NodeIndex> nodes;  // from here on, itself included
        bool same = false;             // in both versions
    };
    // A value that a step which is new or changed cannot do without.
    struct Need {
        NodeIndex node = 0;
        Placeholder value;
        std::optional<NodeIndex> step;  // of which it is the outcome
    };

    // What only judge() needs; worked out when it is first asked.
    struct Outlook {
        std::vector<Ahead> ahead;                   // of each old node
        std::vector<std::vector<NodeIndex>> reach;  // of each new node
        std::vector<Need> needs;
    };

    const Outlook& outlook() const;
    NodeIndex target(NodeIndex old) const { return old < nodes_.size() ? nodes_[old] : no_node; }
    Ahead look_ahead(NodeIndex old, const std::vector<bool>& same) const;
    bool same_node(NodeIndex old) const;
    void find_needs(NodeIndex node, std::vector<Need>& needs) const;
    void carry_visits(Visits& visits) const;
    std::optional<Obstacle> carry(Token& token, const RunState& state) const;
    void carry(KeptItem& item, const RunState& state) const;
    std::optional<Obstacle> carry_begun(Token& token, NodeIndex to) const;
    std::optional<Obstacle> carry_records(RunState& state) const;
    std::optional<Obstacle> missing(const RunState& state, const Token& token) const;

    const Definition& from_;
    const Definition& to_;
    NodeMap map_;
    bool equal_;
    std::vector<NodeIndex> nodes_;      // of the old: its index in the new, or no_node
    std::vector<std::uint32_t> edges_;  // the same for edges
    mutable std::optional<Outlook> outlook_;
};

// Nodes reachable from here, itself included: by edges, and by undoing.
std::vector<NodeIndex> reachable(const Definition& definition, NodeIndex from);

}  // namespace pawl::plan
