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
        case Kind::loop:
            node.type = NodeType::loop;
            node.config = {{"times", rounds}};
            break;
        case Kind::foreach:
            node.type = NodeType::foreach_;
            node.config = {{"items", json::array(rounds)}, {"concurrency", place.at_once}};
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
        } else if (kind == Kind::loop || kind == Kind::foreach) {
            edge.handle = link.way == Way::usual ? "default" : "each";
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
        if (shape.places[i].kind != Kind::condition) continue;
        input[fmt::format("c{}", i)] = static_cast<bool>(holds[i]);
    }
    const Event started = plan::run_started(1, 1, std::move(input), "", definition);
    plan::evolve(*definition_, state_, started);
    feed(plan::Resumed{});
}

void Lockstep::feed(plan::Stimulus stimulus) {
    plan::Work work{under_way_, {}};
    if (const auto* finished = std::get_if<plan::StepFinished>(&stimulus)) {
        std::erase_if(work.under_way, [&](const auto& s) { return s.token == finished->token; });
    }
    plan::Moment moment;
    moment.work = &work;
    for (const Event& event : plan::decide(*definition_, state_, std::move(stimulus), moment)) {
        const auto node = definition_->find(event.node);
        if (!node) continue;
        // A late arrival at a join is recorded, but passes nothing.
        const bool joined = event.type == EventType::joined && find(event.data, "late") == nullptr;
        const bool passed = event.type == EventType::step_completed ||
                            event.type == EventType::node_passed || joined;
        if (passed) ++tally_.passed[*node];
        if (event.type == EventType::step_failed) ++tally_.failed[*node];
    }
    look_what_is_under_way();
}

// First come first, and by the order of links when they came at once.
void Lockstep::look_what_is_under_way() {
    auto fresh = plan::wants(state_, {}).steps;
    std::vector<plan::ExecuteStep> still;
    for (plan::ExecuteStep& step : under_way_) {
        const plan::Token* token = state_.find_token(step.token);
        // What is withdrawn is not wanted any more, but comes to its end.
        const bool withdrawn = token != nullptr && token->withdrawn && token->node == step.node &&
                               token->visit == step.visit;
        const bool left = std::erase(fresh, step) == 1 || withdrawn;
        if (left) still.push_back(std::move(step));
    }
    const auto came = [this](const plan::ExecuteStep& step) {
        return std::pair(state_.find_token(step.token)->via, step.frame);
    };
    std::stable_sort(fresh.begin(), fresh.end(), [&](const auto& a, const auto& b) {
        return came(a) < came(b);
    });
    under_way_ = std::move(still);
    std::move(fresh.begin(), fresh.end(), std::back_inserter(under_way_));
}

void Lockstep::finish(std::size_t position, bool succeeded) {
    plan::StepFinished finished;
    finished.token = under_way_.at(position).token;
    finished.attempt = under_way_.at(position).attempt;
    if (!succeeded) finished.error = StepError{ErrorClass::permanent, "boom", "it broke", {}};
    std::vector<Interpreter> after;
    for (const Interpreter& interpreter : interpreters_) {
        for (Interpreter& next : interpreter.finished(position, succeeded)) {
            auto possible = std::move(next).settled();
            std::move(possible.begin(), possible.end(), std::back_inserter(after));
        }
    }
    interpreters_ = std::move(after);
    feed(std::move(finished));
}

// Of the planner: its tokens in their order, those that are late for a join, and which step is
// which. What it remembers of the past (results, errors, how often it came somewhere) does not
// decide about a way, the names of tokens neither. Of those that agree the tallies are the same.
Lockstep::Standing Lockstep::standing() const {
    Standing standing;
    auto& planner = standing.planner;
    const auto add_position = [&](plan::TokenId id) {
        planner.push_back(static_cast<std::uint32_t>(state_.find_token(id) - state_.tokens.data()));
    };
    for (const plan::Token& token : state_.tokens) {
        const bool joins = token.phase == plan::TokenPhase::joining;
        planner.insert(
            planner.end(), {token.node, joins ? token.via + 1 : 0, token.withdrawn, token.frame}
        );
    }
    constexpr std::uint32_t separator = 1000;
    for (const plan::LoopCount& count : state_.loops) {
        planner.insert(planner.end(), {separator, count.node, count.frame, count.rounds});
    }
    for (const plan::Iteration& list : state_.iterations) {
        planner.insert(planner.end(), {separator, list.node, list.begun, list.open, list.failed});
    }
    for (const plan::Frame& frame : state_.frames) {
        if (frame.error && !frame.closed) planner.insert(planner.end(), {separator, frame.id});
    }
    for (const plan::FiredJoin& join : state_.fired) {
        planner.insert(planner.end(), {separator, join.node});
        for (const plan::TokenId id : join.stragglers) add_position(id);
    }
    planner.push_back(separator);
    for (const plan::ExecuteStep& step : under_way_) add_position(step.token);
    for (const Interpreter& each : interpreters_) standing.rules.push_back(each.without_tally());
    std::sort(standing.rules.begin(), standing.rules.end());
    return standing;
}

bool Lockstep::passed(std::size_t place) const {
    const auto& rules = interpreters_;
    return tally_.passed[place] > 0 ||
           std::any_of(rules.begin(), rules.end(), [place](const Interpreter& each) {
               return each.tally().passed[place] > 0;
           });
}

bool Lockstep::open() const {
    return std::any_of(interpreters_.begin(), interpreters_.end(), [](const Interpreter& each) {
        return each.question() != Question::none;
    });
}

std::optional<std::string> Lockstep::disagreement() {
    std::optional<std::string> first;
    std::erase_if(interpreters_, [&](const Interpreter& interpreter) {
        auto wrong = disagreement(interpreter);
        if (wrong && !first) first = wrong;
        return wrong.has_value();
    });
    std::sort(interpreters_.begin(), interpreters_.end());
    const auto same = std::unique(interpreters_.begin(), interpreters_.end());
    interpreters_.erase(same, interpreters_.end());
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
    const bool fails = wanted == RunStatus::failed || state_.stopping;
    for (std::size_t i = 0; fails && i < rules.passed.size(); ++i) {
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
    for (const auto& step : under_way_) planned.push_back(static_cast<int>(step.node));
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
