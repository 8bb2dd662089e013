#include "sim/workflows.hpp"

#include "sim/swarm.hpp"

namespace pawl::sim {

namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

Node random_node(Rng& rng, std::size_t index) {
    Node node;
    node.id = "n" + std::to_string(index);
    node.has_templates = false;
    if (chance(rng, 0.25)) {
        node.type = NodeType::wait;
        const Duration wait = chance(rng, 0.5) ? between(rng, milliseconds(1), milliseconds(900))
                                               : between(rng, seconds(2), seconds(60));
        const auto ms = std::chrono::duration_cast<milliseconds>(wait);
        node.config["duration"] = std::to_string(ms.count()) + "ms";
        return node;
    }
    node.config["function"] = "effect";
    node.retry.attempts = 1 + static_cast<int>(rng.below(4));
    node.retry.base = between(rng, milliseconds(0), seconds(3));
    node.retry.cap = seconds(20);
    node.retry.ambiguous = chance(rng, 0.7) ? Ambiguous::retry : Ambiguous::fail;
    node.on_failure = chance(rng, 0.5) ? OnFailure::continue_ : OnFailure::abort;
    return node;
}

}  // namespace

namespace {

// Grows a graph from left to right: every part is entered from the ends of the part before it.
class Graph {
public:
    Graph(Rng& rng, Definition& definition) : rng_(rng), definition_(definition) {}

    void part() {
        switch (rng_.below(7)) {
            case 0: return branches();
            case 1: return foreach_part();
            case 2: return loop_part();
            case 3: return signal_part();
            default: step(); return;
        }
    }

private:
    NodeIndex add(Node node) {
        const auto index = static_cast<NodeIndex>(definition_.nodes.size());
        node.id = "n" + std::to_string(index);
        node.has_templates = false;
        definition_.nodes.push_back(std::move(node));
        return index;
    }
    NodeIndex add(NodeType type, json::object config = {}) {
        Node node;
        node.type = type;
        node.config = std::move(config);
        return add(std::move(node));
    }
    void edge(NodeIndex from, NodeIndex to, std::string handle = "default") {
        definition_.edges.push_back({from, to, std::move(handle), nullptr});
    }
    void enter(NodeIndex node) {
        for (const auto& [from, handle] : ends_) edge(from, node, handle);
        ends_.clear();
    }
    NodeIndex random_step() {
        const NodeIndex index = add(random_node(rng_, 0));
        // Some failures are caught, some steps are undone.
        if (definition_.nodes[index].type != NodeType::wait && chance(rng_, 0.3)) {
            const NodeIndex undo = add(random_node(rng_, 0));
            if (chance(rng_, 0.5)) {
                definition_.nodes[index].compensate = definition_.nodes[undo].id;
            } else {
                edge(index, undo, "error");
            }
        }
        return index;
    }
    void step() {
        const NodeIndex index = random_step();
        enter(index);
        ends_ = {{index, "default"}};
    }
    void branches() {
        const NodeIndex split = add(NodeType::parallel);
        enter(split);
        const char* const modes[] = {"chosen", "all", "any", "count"};
        json::object config{{"mode", modes[rng_.below(4)]}, {"cancel_rest", chance(rng_, 0.5)}};
        if (config["mode"] == "count") config["count"] = 2;
        // Not by chance: the seeds of regressions.txt mean the graphs that they always meant.
        if (config["cancel_rest"] == true) config["undo_rest"] = definition_.nodes.size() % 2 == 0;
        const std::size_t count = 2 + rng_.below(2);
        std::vector<NodeIndex> steps;
        for (std::size_t i = 0; i < count; ++i) steps.push_back(random_step());
        const NodeIndex join = add(NodeType::join, std::move(config));
        for (const NodeIndex one : steps) {
            edge(split, one);
            edge(one, join);
        }
        ends_ = {{join, "default"}};
    }
    void foreach_part() {
        json::array items(rng_.below(6));
        const NodeIndex each =
            add(NodeType::foreach_,
                {{"items", std::move(items)},
                 {"concurrency", 1 + static_cast<int>(rng_.below(3))},
                 {"tolerated_failures", static_cast<int>(rng_.below(3))}});
        enter(each);
        edge(each, random_step(), "each");
        ends_ = {{each, "default"}};
    }
    void loop_part() {
        const NodeIndex loop = add(NodeType::loop, {{"times", static_cast<int>(rng_.below(4))}});
        enter(loop);
        const NodeIndex body = random_step();
        edge(loop, body, "each");
        edge(body, loop);
        ends_ = {{loop, "default"}};
    }
    void signal_part() {
        const NodeIndex wait = add(NodeType::wait, {{"signal", "go"}, {"timeout", "30s"}});
        enter(wait);
        ends_ = {{wait, "default"}, {wait, "timeout"}};
    }

    Rng& rng_;
    Definition& definition_;
    std::vector<std::pair<NodeIndex, std::string>> ends_;
};

}  // namespace

Definition random_workflow(Rng& rng, std::string name) {
    Definition definition;
    definition.name = std::move(name);
    if (chance(rng, 0.5)) {
        Graph graph(rng, definition);
        for (std::size_t i = 0, count = 1 + rng.below(4); i < count; ++i) graph.part();
        if (chance(rng, 0.3)) definition.timeout = between(rng, seconds(1), seconds(90));
        return definition;
    }
    const std::size_t count = 1 + rng.below(5);
    for (std::size_t i = 0; i < count; ++i) {
        definition.nodes.push_back(random_node(rng, i));
        if (i == 0) continue;
        definition.edges.push_back(
            {static_cast<NodeIndex>(i - 1), static_cast<NodeIndex>(i), "default", nullptr}
        );
    }
    if (chance(rng, 0.3)) definition.timeout = between(rng, seconds(1), seconds(90));
    return definition;
}

}  // namespace pawl::sim
