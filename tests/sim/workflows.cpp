#include "sim/workflows.hpp"

#include "sim/swarm.hpp"

namespace pawl::sim {

namespace {

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
    node.retry.retry_ambiguous = chance(rng, 0.7);
    node.on_failure = chance(rng, 0.5) ? OnFailure::continue_ : OnFailure::abort;
    return node;
}

}  // namespace

Definition random_workflow(Rng& rng, std::string name) {
    Definition definition;
    definition.name = std::move(name);
    const std::size_t count = 1 + rng.below(5);
    for (std::size_t i = 0; i < count; ++i) {
        definition.nodes.push_back(random_node(rng, i));
        if (i == 0) continue;
        definition.edges.push_back({static_cast<NodeIndex>(i - 1), static_cast<NodeIndex>(i)});
    }
    if (chance(rng, 0.3)) definition.timeout = between(rng, seconds(1), seconds(90));
    return definition;
}

}  // namespace pawl::sim
