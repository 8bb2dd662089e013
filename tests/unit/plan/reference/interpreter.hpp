#pragma once

#include "circles.hpp"
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

// A position: on a step that is under way, waiting at a join, or on a foreach whose items are.
struct Mark {
    int place = 0;
    int via = -1;               // the link it came by
    std::vector<int> late_for;  // firings of joins that went on without it
    int since = 0;              // the turn in which it came
    bool withdrawn = false;     // nothing comes after it: how its step ends is only noted
    int item = -1;              // of which it is a part; -1: the run itself
    int list = -1;              // of its items, on a foreach that has begun

    auto operator<=>(const Mark&) const = default;
};

// An item of a foreach that is under way, or that has something under way.
struct Item {
    int id = 0;
    int list = 0;
    int around = -1;  // the item that its foreach is in
    bool failed = false;

    auto operator<=>(const Item&) const = default;
};

// A foreach that is under way.
struct List {
    int id = 0;
    int place = 0;
    int begun = 0;
    int failed = 0;

    auto operator<=>(const List&) const = default;
};

// How often a loop has gone round.
struct Count {
    int place = 0;
    int item = -1;
    int rounds = 0;

    auto operator<=>(const Count&) const = default;
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
// What can come to a join is what can in the same round of every circle that the join is in the
// middle of (Circles); what waits at the head of such a circle belongs to the next round, and
// a mark that begins one is no longer late for a join in it. A loop goes by `each` so many times
// and then on; entered from outside, it counts anew. A foreach goes on when its items are over.
// What is in an item knows nothing of the others; it ends where it has no link on, or at its
// foreach. What fails in an item and is not caught withdraws that item, after that no further one
// begins, and the foreach fails when those under way are over.
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

    // The step at this position of pending() has ended; several, when it may be one of several. To
    // be settled.
    std::vector<Interpreter> finished(std::size_t position, bool succeeded) const;
    // What can become of it in one moment: more than one thing only when joins withdraw others.
    std::vector<Interpreter> settled() &&;
    // Where it stands, whatever came before: two that stand alike go on alike.
    Interpreter without_tally() const;

    auto operator<=>(const Interpreter&) const = default;

private:
    struct Move {
        std::size_t mark = 0;  // that passes
        int join = -1;         // or the join that goes on
        int item = -1;         // in which
        bool fails = false;    // that join has failed
    };

    // What does not change.
    struct Setting {
        const Shape& shape;
        std::vector<bool> holds;
        Circles circles;
        bool ordered = false;  // which of several things comes first makes a difference
    };

    void finish(std::size_t mark, bool succeeded);
    std::vector<Move> moves() const;
    void make(const Move& move);
    void tidy();
    void enter(Mark mark, int link);
    void leave(const Mark& from, Way way);
    void pass(std::size_t mark);
    void fail(const Mark& mark);
    bool can_be_awaited(const Mark& mark) const;
    void withdraw(std::vector<Mark>& marks) const;
    bool is_enough(int place, int item) const;
    void go_on(int place, int item);
    bool is_incomplete(int place, int item) const;
    void fail_join(int place, int item);
    void fire(int place, const std::vector<std::size_t>& taken);
    void close();
    bool is_waited_at(int place, int item) const;
    std::vector<std::size_t> waiting_at(int place, int item) const;
    std::vector<std::size_t> first_by_link(int place, int item) const;
    std::ptrdiff_t needed_at(int place) const;
    bool can_reach(const Mark& mark, int place) const;
    bool others_can_come(int place, int item) const;
    void pass_loop(const Mark& mark);
    void pass_list(const Mark& mark);
    List& list(int id);
    bool has_items(int list) const;
    void begin_items(int list);
    void fail_item(int item);
    void withdraw_in(int item);
    bool is_in(const Mark& mark, int item) const;
    bool is_empty(int item) const;
    void end_if_empty(int item);
    bool is_item_end(const Mark& mark) const;
    void drop_list(int list);
    std::vector<std::size_t> in_order() const;
    const Shape& shape() const { return setting_->shape; }
    const Place& at(int place) const { return shape().places[static_cast<std::size_t>(place)]; }

    std::shared_ptr<const Setting> setting_;
    std::vector<Mark> marks_;
    std::vector<Item> items_;
    std::vector<List> lists_;
    std::vector<Count> counts_;
    int ids_ = 0;
    std::vector<int> firings_;  // the join of each firing that a mark is late for
    Tally tally_;
    Status status_ = Status::running;
    bool stopping_ = false;  // it has failed, and waits for what is under way
    int turn_ = 0;
    Question question_ = Question::none;
};

}  // namespace pawl::reference
