#include "interpreter.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace pawl::reference {

namespace {

// More than this without a step in between is a circle that does nothing, or branches without end.
constexpr int passes_max = 3000;
constexpr int passes_max_in_rounds = 200;

std::size_t index(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

Interpreter::Interpreter(const Shape& shape, std::vector<bool> holds) {
    const std::size_t size = shape.places.size();
    tally_ = {std::vector<int>(size), std::vector<int>(size)};
    Circles circles(shape);
    // What begins a new round may come to a join before that has gone on with the round before.
    const bool ordered =
        std::any_of(shape.places.begin(), shape.places.end(), [&](const Place& place) {
            return place.cancel_rest || place.kind == Kind::loop ||
                   (place.kind == Kind::join && circles.any());
        });
    setting_ =
        std::make_shared<Setting>(Setting{shape, std::move(holds), std::move(circles), ordered});
    enter({}, -1);
}

void Interpreter::enter(Mark mark, int link) {
    mark.via = link;
    mark.since = turn_;
    const Circles& circles = setting_->circles;
    if (link >= 0) mark.place = shape().links[index(link)].to;
    if (is_item_end(mark)) return;
    for (const int firing : mark.late_for) {
        if (firings_[index(firing)] == mark.place) return;  // let in silently
    }
    // A mark is not late for a join that it cannot reach any more, or only in another round.
    std::erase_if(mark.late_for, [&](int firing) {
        const int join = firings_[index(firing)];
        return !circles.leads(mark.place, join) || (link >= 0 && circles.anew(link, join));
    });
    if (link >= 0 && !circles.in_body(mark.place, shape().links[index(link)].from)) {
        std::erase_if(counts_, [&](const Count& count) {
            return count.place == mark.place && count.item == mark.item;
        });
    }
    marks_.push_back(std::move(mark));
}

void Interpreter::leave(const Mark& from, Way way) {
    for (std::size_t i = 0; i < shape().links.size(); ++i) {
        const Link& link = shape().links[i];
        if (link.from == from.place && link.way == way) enter(from, static_cast<int>(i));
    }
    end_if_empty(from.item);
}

// First come first, and by the order of links when they came at once.
std::vector<std::size_t> Interpreter::in_order() const {
    std::vector<std::size_t> order(marks_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(marks_[a].since, marks_[a].via, marks_[a].item, a) <
               std::tuple(marks_[b].since, marks_[b].via, marks_[b].item, b);
    });
    return order;
}

std::vector<int> Interpreter::pending() const {
    std::vector<int> places;
    for (const std::size_t i : in_order()) {
        if (at(marks_[i].place).kind == Kind::step) places.push_back(marks_[i].place);
    }
    return places;
}

std::vector<Interpreter> Interpreter::finished(std::size_t position, bool succeeded) const {
    std::vector<std::size_t> steps;
    for (const std::size_t i : in_order()) {
        if (at(marks_[i].place).kind == Kind::step) steps.push_back(i);
    }
    const Mark& chosen = marks_[steps.at(position)];
    // Those that came at once by the same link look alike from outside.
    std::vector<Interpreter> possible;
    std::set<Mark> seen;
    for (const std::size_t i : steps) {
        const Mark& mark = marks_[i];
        const bool alike = std::tuple(mark.since, mark.via, mark.item, mark.place) ==
                           std::tuple(chosen.since, chosen.via, chosen.item, chosen.place);
        if (alike && seen.insert(mark).second) possible.emplace_back(*this).finish(i, succeeded);
    }
    return possible;
}

void Interpreter::finish(std::size_t i, bool succeeded) {
    ++turn_;
    const Mark mark = marks_[i];
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(i));
    ++(succeeded ? tally_.passed : tally_.failed)[index(mark.place)];
    if (mark.withdrawn) {
        end_if_empty(mark.item);
    } else if (succeeded) {
        leave(mark, Way::usual);
    } else {
        fail(mark);
    }
}

void Interpreter::fail(const Mark& mark) {
    const Kind kind = at(mark.place).kind;
    const bool caught =
        (kind == Kind::step || kind == Kind::join) &&
        std::any_of(shape().links.begin(), shape().links.end(), [&](const Link& link) {
            return link.from == mark.place && link.way == Way::other;
        });
    if (caught) return leave(mark, Way::other);
    if (at(mark.place).goes_on) return leave(mark, Way::usual);
    if (mark.item >= 0) return fail_item(mark.item);
    stopping_ = true;
    lists_.clear();
    items_.clear();
    counts_.clear();
    withdraw(marks_);
}

// Only a step can be under way, and none that was reached in this very moment.
bool Interpreter::can_be_awaited(const Mark& mark) const {
    return mark.withdrawn || (at(mark.place).kind == Kind::step && mark.since != turn_);
}

void Interpreter::withdraw(std::vector<Mark>& marks) const {
    std::erase_if(marks, [this](const Mark& mark) { return !can_be_awaited(mark); });
    for (Mark& mark : marks) {
        mark.withdrawn = true;
        mark.late_for.clear();
    }
}

void Interpreter::pass(std::size_t position) {
    const Mark mark = marks_[position];
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(position));
    if (at(mark.place).kind == Kind::foreach) return pass_list(mark);
    ++tally_.passed[index(mark.place)];
    if (at(mark.place).kind == Kind::loop) return pass_loop(mark);
    const bool fails =
        at(mark.place).kind == Kind::condition && !setting_->holds[index(mark.place)];
    leave(mark, fails ? Way::other : Way::usual);
}

bool Interpreter::is_waited_at(int place, int item) const {
    return std::any_of(marks_.begin(), marks_.end(), [=](const Mark& mark) {
        return mark.place == place && mark.item == item;
    });
}

std::vector<std::size_t> Interpreter::waiting_at(int place, int item) const {
    std::vector<std::size_t> waiting;
    for (const std::size_t i : in_order()) {
        if (marks_[i].place == place && marks_[i].item == item) waiting.push_back(i);
    }
    return waiting;
}

std::vector<std::size_t> Interpreter::first_by_link(int place, int item) const {
    std::vector<std::size_t> first;
    for (const std::size_t i : waiting_at(place, item)) {
        const bool seen = std::any_of(first.begin(), first.end(), [&](std::size_t other) {
            return marks_[other].via == marks_[i].via;
        });
        if (!seen) first.push_back(i);
    }
    return first;
}

bool Interpreter::can_reach(const Mark& mark, int place) const {
    const bool waits = at(mark.place).kind == Kind::join;
    if (waits && setting_->circles.holds(mark.place, place)) return false;  // its next round
    return setting_->circles.leads(mark.place, place);
}

bool Interpreter::others_can_come(int place, int item) const {
    return std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) {
        if (mark.place == place || mark.item != item || mark.withdrawn) return false;
        return can_reach(mark, place);
    });
}

std::ptrdiff_t Interpreter::needed_at(int place) const {
    if (at(place).mode == Mode::any) return 1;
    if (at(place).mode == Mode::count) return at(place).count;
    return std::count_if(shape().links.begin(), shape().links.end(), [&](const Link& link) {
        return link.to == place;
    });
}

bool Interpreter::is_enough(int place, int item) const {
    if (at(place).kind != Kind::join || !is_waited_at(place, item)) return false;
    const auto first = first_by_link(place, item);
    if (at(place).mode == Mode::chosen) return !others_can_come(place, item);
    return std::ssize(first) >= needed_at(place);
}

void Interpreter::go_on(int place, int item) {
    const auto first = first_by_link(place, item);
    const auto waiting = waiting_at(place, item);
    if (at(place).mode == Mode::chosen) return fire(place, waiting);
    fire(place, {first.begin(), first.begin() + needed_at(place)});
}

void Interpreter::fire(int place, const std::vector<std::size_t>& taken) {
    const Place& join = at(place);
    const bool early = join.mode == Mode::any || join.mode == Mode::count;
    // What goes on is late for another join if all that it is made of is.
    Mark next = marks_[taken.front()];
    for (const std::size_t i : taken) {
        if (marks_[i].late_for != next.late_for) question_ = Question::mixed;
        std::erase_if(next.late_for, [&](int firing) {
            const auto& late = marks_[i].late_for;
            return std::find(late.begin(), late.end(), firing) == late.end();
        });
    }
    std::vector<Mark> left;
    std::vector<Mark> rest;
    std::vector<int> withdrawn;
    const int firing = static_cast<int>(firings_.size());
    firings_.push_back(place);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        Mark& mark = marks_[i];
        if (std::find(taken.begin(), taken.end(), i) != taken.end()) continue;
        const bool same = mark.item == next.item;
        const bool here = mark.place == place && same;
        if (here && early) continue;  // one more than was needed, of the same lot
        const bool comes = !here && same && !mark.withdrawn && can_reach(mark, place);
        if (comes && join.cancel_rest) {
            if (mark.list >= 0) withdrawn.push_back(mark.list);
            rest.push_back(std::move(mark));
            continue;
        }
        if (comes && early) mark.late_for.push_back(firing);
        left.push_back(std::move(mark));
    }
    marks_ = std::move(left);
    withdraw(rest);
    std::move(rest.begin(), rest.end(), std::back_inserter(marks_));
    for (const int list : withdrawn) drop_list(list);
    ++tally_.passed[index(place)];
    leave(next, Way::usual);
}

// It still waits, and nothing can come.
bool Interpreter::is_incomplete(int place, int item) const {
    return at(place).kind == Kind::join && is_waited_at(place, item) &&
           !others_can_come(place, item);
}

void Interpreter::fail_join(int place, int item) {
    const auto waiting = waiting_at(place, item);
    ++tally_.failed[index(place)];
    const Mark first = marks_[waiting.front()];
    for (const std::size_t other : waiting) {
        if (marks_[other].late_for != first.late_for) question_ = Question::mixed;
    }
    std::erase_if(marks_, [&](const Mark& mark) {
        return mark.place == place && mark.item == item;
    });
    fail(first);
}

std::vector<Interpreter::Move> Interpreter::moves() const {
    std::vector<Move> list;
    if (status_ != Status::running || stopping_) return list;
    std::vector<Move> waiting;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const Mark& mark = marks_[i];
        const Kind kind = at(mark.place).kind;
        if (kind == Kind::step || (mark.list >= 0 && has_items(mark.list))) continue;
        if (kind != Kind::join) {
            list.push_back({i});
        } else if (waiting_at(mark.place, mark.item).front() == i) {
            waiting.push_back({i, mark.place, mark.item});
        }
    }
    for (const Move& join : waiting) {
        if (is_enough(join.join, join.item)) list.push_back(join);
    }
    // That a join has failed can be told when nothing else moves.
    if (!list.empty()) return list;
    for (Move join : waiting) {
        join.fails = true;
        if (is_incomplete(join.join, join.item)) list.push_back(join);
    }
    return list;
}

void Interpreter::make(const Move& move) {
    if (move.fails) {
        fail_join(move.join, move.item);
    } else if (move.join >= 0) {
        go_on(move.join, move.item);
    } else {
        pass(move.mark);
    }
    std::sort(marks_.begin(), marks_.end());
}

void Interpreter::close() {
    if (status_ != Status::running) return;
    if (marks_.empty()) {
        status_ = stopping_ ? Status::failed : Status::completed;
        return;
    }
    const auto moves_in = [&](int item) {
        return std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) {
            return mark.item == item && !mark.withdrawn && at(mark.place).kind != Kind::join;
        });
    };
    for (const Mark& mark : marks_) {
        const bool waits = at(mark.place).kind == Kind::join;
        if (waits && !moves_in(mark.item)) question_ = Question::circle;
    }
}

// Forgets what cannot matter any more: firings that no mark is late for, how long ago a mark came
// and, at a step, by which link. Only the order of arrival is left.
void Interpreter::tidy() {
    std::set<int> used;
    for (const Mark& mark : marks_) used.insert(mark.late_for.begin(), mark.late_for.end());
    std::vector<int> firings;
    for (const int firing : used) firings.push_back(firings_[index(firing)]);
    firings_ = std::move(firings);
    const std::vector<Mark> before = marks_;
    turn_ = 0;
    std::pair<int, int> last{-1, -1};
    for (const std::size_t i : in_order()) {
        const std::pair came{before[i].since, before[i].via};
        if (came != std::exchange(last, came)) ++turn_;
        marks_[i].since = turn_;
        if (at(marks_[i].place).kind == Kind::step) marks_[i].via = -1;
        for (int& firing : marks_[i].late_for) {
            firing = static_cast<int>(std::distance(used.begin(), used.find(firing)));
        }
    }
    std::sort(marks_.begin(), marks_.end());
}

Interpreter Interpreter::without_tally() const {
    Interpreter same = *this;
    same.tally_ = {};
    return same;
}

std::vector<Interpreter> Interpreter::settled() && {
    std::set<Interpreter> seen;
    std::vector<Interpreter> open;
    open.push_back(std::move(*this));
    std::vector<Interpreter> done;
    int budget = open.front().setting_->circles.any() ? passes_max_in_rounds : passes_max;
    while (!open.empty()) {
        Interpreter now = std::move(open.back());
        open.pop_back();
        if (--budget < 0 || now.marks_.size() > 50) {
            now.question_ = Question::endless;
            return {now};
        }
        const auto moves = now.moves();
        if (moves.empty()) {
            now.close();
            now.tidy();
            done.push_back(std::move(now));
            continue;
        }
        if (!now.setting_->ordered) {  // in whatever order
            now.make(moves.front());
            open.push_back(std::move(now));
            continue;
        }
        for (const Move& move : moves) {
            Interpreter next = now;
            next.make(move);
            if (seen.insert(next).second) open.push_back(std::move(next));
        }
    }
    return done;
}

}  // namespace pawl::reference
