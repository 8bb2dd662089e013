#include "lockstep.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::reference {

namespace {

const char* mode_name(Mode mode) {
    const char* const names[] = {"chosen", "all", "any", "count"};
    return names[static_cast<int>(mode)];
}

Node node_of(const Place& place, std::size_t index) {
    Node node;
    node.id = fmt::format("n{}", index);
    node.has_templates = false;
    node.retry.attempts = 1;
    if (place.goes_on) node.on_failure = OnFailure::continue_;
    switch (place.kind) {
        case Kind::step:
            node.type = NodeType::code;
            node.config = {{"function", "f"}};
            break;
        case Kind::condition:
            node.type = NodeType::condition;
            node.config = {
                {"path", fmt::format("input.c{}", index)}, {"operator", "="}, {"value", true}};
            break;
        case Kind::parallel: node.type = NodeType::parallel; break;
        case Kind::join:
            node.type = NodeType::join;
            node.config = {{"mode", mode_name(place.mode)}, {"cancel_rest", place.cancel_rest}};
            if (place.mode == Mode::count) node.config["count"] = place.count;
            break;
    }
    return node;
}

std::string_view status_name(Status status) {
    const char* const names[] = {"running", "completed", "failed"};
    return names[static_cast<int>(status)];
}

}  // namespace

Definition definition_of(const Shape& shape) {
    Definition definition;
    definition.name = "shape";
    for (std::size_t i = 0; i < shape.places.size(); ++i) {
        definition.nodes.push_back(node_of(shape.places[i], i));
    }
    for (const Link& link : shape.links) {
        Edge edge;
        edge.from = static_cast<NodeIndex>(link.from);
        edge.to = static_cast<NodeIndex>(link.to);
        const Kind kind = shape.places[edge.from].kind;
        if (kind == Kind::condition) {
            edge.handle = link.way == Way::usual ? "true" : "false";
        } else if (link.way == Way::other) {
            edge.handle = "error";
        }
        definition.edges.push_back(std::move(edge));
    }
    return definition;
}

Lockstep::Lockstep(const Shape& shape, const Definition& definition, const std::vector<bool>& holds)
    : definition_(&definition) {
    interpreters_ = Interpreter(shape, holds).settled();
    tally_ = {std::vector<int>(shape.places.size()), std::vector<int>(shape.places.size())};
    json::object input;
    for (std::size_t i = 0; i < holds.size(); ++i) {
        input[fmt::format("c{}", i)] = static_cast<bool>(holds[i]);
    }
    const Event started = plan::run_started(1, 1, std::move(input), "", definition);
    plan::evolve(*definition_, state_, started);
    feed(plan::Resumed{});
}

void Lockstep::feed(plan::Stimulus stimulus) {
    for (const Event& event : plan::decide(*definition_, state_, std::move(stimulus), {})) {
        const auto node = definition_->find(event.node);
        if (!node) continue;
        // Somebody who came late to a join is noted, but passes nothing.
        const bool joined = event.type == EventType::joined && find(event.data, "late") == nullptr;
        const bool passed = event.type == EventType::step_completed ||
                            event.type == EventType::node_passed || joined;
        if (passed) ++tally_.passed[*node];
        if (event.type == EventType::step_failed) ++tally_.failed[*node];
    }
    for (const plan::Token& token : state_.tokens) {
        since_.try_emplace({token.id, token.node, token.visit}, turn_);
    }
}

std::vector<Lockstep::Under> Lockstep::under_way() const {
    std::vector<Under> found;
    for (const plan::ExecuteStep& step : plan::wants(state_, {}).steps) {
        const plan::Token* token = state_.find_token(step.token);
        found.push_back({step, {since_.at({step.token, step.node, step.visit}), token->via}});
    }
    std::stable_sort(found.begin(), found.end(), [](const Under& a, const Under& b) {
        return a.came < b.came;
    });
    return found;
}

void Lockstep::finish(std::size_t position, bool succeeded) {
    plan::StepFinished finished;
    const auto under = under_way();
    finished.token = under.at(position).step.token;
    finished.attempt = under.at(position).step.attempt;
    if (!succeeded) finished.error = StepError{ErrorClass::permanent, "boom", "it broke", {}};
    std::vector<Interpreter> after;
    for (Interpreter& interpreter : interpreters_) {
        interpreter.finish(position, succeeded);
        for (Interpreter& possible : interpreter.settled()) after.push_back(std::move(possible));
    }
    interpreters_ = std::move(after);
    ++turn_;
    feed(std::move(finished));
}

bool Lockstep::stuck() const {
    return !is_terminal(state_.status) && plan::wants(state_, {}).steps.empty();
}

bool Lockstep::open() const {
    return std::any_of(interpreters_.begin(), interpreters_.end(), [](const Interpreter& each) {
        return each.question() != Question::none;
    });
}

std::optional<std::string> Lockstep::disagreement() {
    std::vector<Interpreter> agreeing;
    std::optional<std::string> first;
    for (const Interpreter& interpreter : interpreters_) {
        const auto wrong = disagreement(interpreter);
        if (!wrong) agreeing.push_back(interpreter);
        if (wrong && !first) first = wrong;
    }
    interpreters_ = std::move(agreeing);
    return interpreters_.empty() ? first : std::nullopt;
}

std::optional<std::string> Lockstep::disagreement(const Interpreter& interpreter) const {
    const RunStatus wanted = interpreter.status() == Status::completed ? RunStatus::completed
                             : interpreter.status() == Status::failed  ? RunStatus::failed
                                                                       : RunStatus::running;
    if (state_.status != wanted) {
        return fmt::format(
            "by the rules it is {}, by the planner {}",
            status_name(interpreter.status()),
            name(state_.status)
        );
    }
    // What else passed in the moment in which a run fails is left open, but never a step.
    Tally rules = interpreter.tally();
    Tally planned_tally = tally_;
    for (std::size_t i = 0; wanted == RunStatus::failed && i < rules.passed.size(); ++i) {
        if (definition_->nodes[i].type == NodeType::code) continue;
        rules.passed[i] = planned_tally.passed[i] = 0;
        rules.failed[i] = planned_tally.failed[i] = 0;
    }
    if (rules != planned_tally) {
        return fmt::format(
            "by the rules the places were passed {} times and failed {} times, by the planner {} "
            "and {}",
            fmt::join(rules.passed, ","),
            fmt::join(rules.failed, ","),
            fmt::join(planned_tally.passed, ","),
            fmt::join(planned_tally.failed, ",")
        );
    }
    std::vector<int> planned;
    for (const Under& under : under_way()) planned.push_back(static_cast<int>(under.step.node));
    if (interpreter.pending() != planned) {
        return fmt::format(
            "by the rules the steps at {} are under way, by the planner those at {}",
            fmt::join(interpreter.pending(), ","),
            fmt::join(planned, ",")
        );
    }
    return std::nullopt;
}

}  // namespace pawl::reference
