#pragma once

#include "interpreter.hpp"
#include "plan/planner.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace pawl::reference {

// The planner and the interpreter side by side, given the same outcomes in the same order.
class Lockstep {
public:
    // Keeps references to both.
    Lockstep(const Shape& shape, const Definition& definition, const std::vector<bool>& holds);

    bool over() const { return is_terminal(state_.status); }
    std::size_t pending() const { return under_way().size(); }
    void finish(std::size_t position, bool succeeded);

    // What the two do not agree on; nothing when they do.
    std::optional<std::string> disagreement();
    // The rules leave open what happens, so there is nothing to compare.
    bool open() const;
    // The planner alone: it ends or waits for a step, whatever the rules say.
    bool stuck() const;

private:
    struct Under {
        plan::ExecuteStep step;
        std::pair<int, std::uint32_t> came;  // turn, link
    };

    void feed(plan::Stimulus stimulus);
    std::vector<Under> under_way() const;
    std::optional<std::string> disagreement(const Interpreter& interpreter) const;

    const Definition* definition_;
    // What the rules allow, as far as the planner has not decided between them.
    std::vector<Interpreter> interpreters_;
    plan::RunState state_;
    Tally tally_;
    // When a token came to the place where it is.
    std::map<std::tuple<std::uint32_t, NodeIndex, std::uint32_t>, int> since_;
    int turn_ = 0;
};

Definition definition_of(const Shape& shape);

}  // namespace pawl::reference
