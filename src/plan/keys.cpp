#include "plan/planner.hpp"

#include <fmt/core.h>

// The names under which steps are known outside, and children inside.
namespace pawl::plan {

namespace {

// Whose names the keys of a run have.
struct Chain {
    std::string_view first;   // what was never undone
    std::string_view anew;    // what may have been undone
    std::string_view branch;  // what only its own log can tell from something else
};

Chain chain_of(const RunState& state, std::string_view run_id) {
    Chain chain;
    chain.first = state.first_run.empty() ? run_id : state.first_run;
    chain.anew = state.anew_run.empty() ? chain.first : state.anew_run;
    chain.branch = state.branch_run.empty() ? chain.anew : state.branch_run;
    return chain;
}

// Of what it undoes: the run that did that, however many go on from there and undo it too.
std::string_view key_run_of(const RunState& state, std::size_t record, std::string_view own) {
    if (record >= state.records.size()) return own;
    const std::int32_t seq = state.records[record].seq;
    for (const Owner& owner : state.owners) {
        if (seq <= owner.until) return owner.run;
    }
    return own;
}

std::string_view line_run(
    const Node& node, const RunState& state, const ExecuteStep& step, const Chain& chain
) {
    if (step.undoes) return key_run_of(state, *step.undoes, chain.branch);
    // What a branch or an item does is something new: which token stands for it may be another one
    // this time. So is what was undone.
    if (step.token != 0) return chain.branch;
    return node.compensate.empty() ? chain.first : chain.anew;
}

const Node* node_of(const Definition& definition, const ExecuteStep& step) {
    return step.node < definition.nodes.size() ? &definition.nodes[step.node] : nullptr;
}

bool is_item_on_main_line(const Node& node, const RunState& state, const ExecuteStep& step) {
    if (node.type != NodeType::foreach_ || step.undoes || step.token == 0) return false;
    const Frame* frame = state.find_frame(step.frame);
    return frame != nullptr && frame->parent == 0 && frame->token == 0;
}

}  // namespace

std::string_view key_run(
    const Definition& definition,
    const RunState& state,
    const ExecuteStep& step,
    std::string_view run_id
) {
    const Node* node = node_of(definition, step);
    // A child belongs to the run that started it: a retry starts another one.
    if (!node || node->type == NodeType::call || node->type == NodeType::foreach_) return run_id;
    return line_run(*node, state, step, chain_of(state, run_id));
}

std::string_view call_until(
    const Definition& definition,
    const RunState& state,
    const ExecuteStep& step,
    std::string_view run_id
) {
    const Chain chain = chain_of(state, run_id);
    const Node* node = node_of(definition, step);
    if (!node) return run_id;
    // The values of items on the main line tell them apart.
    if (!is_item_on_main_line(*node, state, step)) return line_run(*node, state, step, chain);
    return node->compensate.empty() ? chain.first : chain.anew;
}

std::string idempotency_key(
    std::string_view run_id, const Definition& definition, const ExecuteStep& step
) {
    std::string_view node = step.came_to;
    if (node.empty() && step.node < definition.nodes.size()) node = definition.nodes[step.node].id;
    // Of what it undoes: however often that is tried.
    if (step.undoes) return fmt::format("{}:undo-{}:{}", run_id, *step.undoes, node);
    return fmt::format("{}:{}:{}:{}", run_id, step.token, node, step.visit);
}

std::string child_key(std::string_view idempotency_key, std::int16_t since) {
    return fmt::format("call:{}:{}", idempotency_key, since);
}

}  // namespace pawl::plan
