#pragma once

#include "graph.hpp"

#include <compare>
#include <memory>
#include <vector>

namespace pawl::reference {

enum class Status { running, completed, failed };

// How often each place was passed, and how often it failed.
struct Tally {
    std::vector<int> passed;
    std::vector<int> failed;

    auto operator<=>(const Tally&) const = default;
};

// A position: on a step that is under way, or waiting at a join.
struct Mark {
    int place = 0;
    int via = -1;               // the link it came by
    std::vector<int> late_for;  // firings of joins that went on without it
    int since = 0;              // the turn in which it came
    bool withdrawn = false;     // nothing comes after it: how its step ends is only noted

    auto operator<=>(const Mark&) const = default;
};

enum class Question {
    none,
    circle,   // joins wait for each other: the rules say nothing
    endless,  // it went round more often than a run may
    mixed,    // what goes on is made of something late for another join, and something that is not
};

// One run by the rules, as plainly as they can be written down:
//
// A join waits for what comes by its links. `all` goes on when every link has brought something,
// `any` when one has and `count` when n have; what comes later of those that could have come is let
// in silently. `chosen` goes on when nothing else can come, with all that came. When too little can
// come, the join fails (join_incomplete). With cancel_rest, what could still have come is withdrawn
// when it goes on. Every other place lets everything pass. A step or a join that fails
// goes by its error link, or goes on, or stops the run, which withdraws everything. A step that is
// under way when it is withdrawn comes to its end, and nothing comes after it. The run is over when
// nothing is left of it.
//
// In one moment, between two steps, much can pass, in any order; that a join has failed can be told
// when nothing else moves.
class Interpreter {
public:
    // `holds` tells what the condition at a place answers. Keeps a reference to the shape.
    Interpreter(const Shape& shape, std::vector<bool> holds);

    Status status() const { return status_; }
    const Tally& tally() const { return tally_; }
    // The steps under way, those that came first in front; places that come up twice are under way
    // twice.
    std::vector<int> pending() const;
    // Set when something came up in which the rules or the planner are in question; what follows is
    // not compared.
    Question question() const { return question_; }

    // The step at this position of pending() has ended. To be settled.
    void finish(std::size_t position, bool succeeded);
    // What can become of it in one moment: more than one thing only when joins withdraw others.
    std::vector<Interpreter> settled() &&;
    // Where it stands, whatever came before: two that stand alike go on alike.
    Interpreter without_tally() const;

    auto operator<=>(const Interpreter&) const = default;

private:
    struct Move {
        std::size_t mark = 0;  // that passes
        int join = -1;         // or the join that goes on
        bool fails = false;    // that join has failed
    };

    // What does not change.
    struct Setting {
        const Shape& shape;
        std::vector<bool> holds;
        std::vector<bool> reach;  // from * size + to: by at least one link
        bool withdraws = false;   // some join does
    };

    std::vector<Move> moves() const;
    void make(const Move& move);
    void tidy();
    void enter(Mark mark, int link);
    void leave(const Mark& from, Way way);
    void pass(std::size_t mark);
    void fail(const Mark& mark);
    void withdraw(Mark mark, std::vector<Mark>& left) const;
    bool is_enough(int place) const;
    void go_on(int place);
    std::vector<int> incomplete() const;
    void fail_join(int place);
    void fire(int place, const std::vector<std::size_t>& taken);
    void close();
    bool is_waited_at(int place) const;
    std::vector<std::size_t> waiting_at(int place) const;
    std::vector<std::size_t> first_by_link(int place) const;
    std::ptrdiff_t needed_at(int place) const;
    bool can_reach(const Mark& mark, int place) const;
    bool others_can_come(int place) const;
    std::vector<std::size_t> in_order() const;
    const Shape& shape() const { return setting_->shape; }
    const Place& at(int place) const { return shape().places[static_cast<std::size_t>(place)]; }

    std::shared_ptr<const Setting> setting_;
    std::vector<Mark> marks_;
    std::vector<int> firings_;  // the join of each firing that somebody is late for
    Tally tally_;
    Status status_ = Status::running;
    bool stopping_ = false;  // it has failed, and waits for what is under way
    int turn_ = 0;
    Question question_ = Question::none;
};

}  // namespace pawl::reference
