#pragma once

#include "interpreter.hpp"
#include "plan/planner.hpp"

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace pawl::reference {

// The planner and the interpreter side by side, given the same outcomes in the same order.
class Lockstep {
public:
    // Where both stand: what came before makes no difference to what can follow.
    struct Standing {
        std::vector<std::uint32_t> planner;
        std::vector<Interpreter> rules;

        auto operator<=>(const Standing&) const = default;
    };

    // Keeps references to both.
    Lockstep(const Shape& shape, const Definition& definition, const std::vector<bool>& holds);

    bool over() const { return is_terminal(state_.status); }
    std::size_t pending() const { return under_way_.size(); }
    // Whether a token passed a place, by the planner or by the rules.
    bool passed(std::size_t place) const;
    void finish(std::size_t position, bool succeeded);

    // What the two do not agree on; nothing when they do.
    std::optional<std::string> disagreement();
    // The rules leave open what happens, so there is nothing to compare.
    bool open() const;
    // The planner alone: it ends or waits for a step, whatever the rules say.
    bool stuck() const { return !over() && under_way_.empty(); }
    // To be asked when they agree.
    Standing standing() const;

private:
    void feed(plan::Stimulus stimulus);
    void look_what_is_under_way();
    std::optional<std::string> disagreement(const Interpreter& interpreter) const;

    const Definition* definition_;
    // What the rules allow, as far as the planner has not decided between them.
    std::vector<Interpreter> interpreters_;
    plan::RunState state_;
    Tally tally_;
    // By the planner; those that came first in front.
    std::vector<plan::ExecuteStep> under_way_;
};

Definition definition_of(const Shape& shape);

}  // namespace pawl::reference
