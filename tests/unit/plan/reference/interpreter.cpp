#include "interpreter.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace pawl::reference {

namespace {

// More than this without a step in between is a circle that does nothing.
constexpr int passes_max = 3000;

std::size_t index(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

Interpreter::Interpreter(const Shape& shape, std::vector<bool> holds) {
    const std::size_t size = shape.places.size();
    tally_ = {std::vector<int>(size), std::vector<int>(size)};
    std::vector<bool> reach(size * size);
    for (const Link& link : shape.links) reach[index(link.from) * size + index(link.to)] = true;
    for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                if (reach[i * size + k] && reach[k * size + j]) reach[i * size + j] = true;
            }
        }
    }
    const bool withdraws =
        std::any_of(shape.places.begin(), shape.places.end(), [](const Place& place) {
            return place.cancel_rest;
        });
    setting_ = std::make_shared<Setting>(Setting{shape, std::move(holds), reach, withdraws});
    enter({}, -1);
}

void Interpreter::enter(Mark mark, int link) {
    mark.via = link;
    mark.since = turn_;
    if (link >= 0) mark.place = shape().links[index(link)].to;
    for (const int firing : mark.late_for) {
        if (firings_[index(firing)] == mark.place) return;  // let in silently
    }
    // For a join that it cannot come to any more nobody is late.
    std::erase_if(mark.late_for, [&](int firing) {
        return !can_reach(mark, firings_[index(firing)]);
    });
    marks_.push_back(std::move(mark));
}

void Interpreter::leave(const Mark& from, Way way) {
    for (std::size_t i = 0; i < shape().links.size(); ++i) {
        const Link& link = shape().links[i];
        if (link.from == from.place && link.way == way) enter(from, static_cast<int>(i));
    }
}

// First come first, and by the order of links when they came at once.
std::vector<std::size_t> Interpreter::in_order() const {
    std::vector<std::size_t> order(marks_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(marks_[a].since, marks_[a].via, a) <
               std::tuple(marks_[b].since, marks_[b].via, b);
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

void Interpreter::finish(std::size_t position, bool succeeded) {
    ++turn_;
    for (const std::size_t i : in_order()) {
        if (at(marks_[i].place).kind != Kind::step || position-- > 0) continue;
        const Mark mark = marks_[i];
        marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(i));
        ++(succeeded ? tally_.passed : tally_.failed)[index(mark.place)];
        if (mark.withdrawn) return;
        if (succeeded) {
            leave(mark, Way::usual);
        } else {
            fail(mark);
        }
        return;
    }
}

void Interpreter::fail(const Mark& mark) {
    const bool caught =
        std::any_of(shape().links.begin(), shape().links.end(), [&](const Link& link) {
            return link.from == mark.place && link.way == Way::other;
        });
    if (caught) return leave(mark, Way::other);
    if (at(mark.place).goes_on) return leave(mark, Way::usual);
    stopping_ = true;
    std::vector<Mark> left;
    for (Mark& other : marks_) withdraw(std::move(other), left);
    marks_ = std::move(left);
}

// Only a step can be under way, and none that was come to in this very moment.
void Interpreter::withdraw(Mark mark, std::vector<Mark>& left) const {
    if (at(mark.place).kind != Kind::step || mark.since == turn_) return;
    mark.withdrawn = true;
    mark.late_for.clear();
    left.push_back(std::move(mark));
}

void Interpreter::pass(std::size_t position) {
    const Mark mark = marks_[position];
    marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(position));
    ++tally_.passed[index(mark.place)];
    const bool fails =
        at(mark.place).kind == Kind::condition && !setting_->holds[index(mark.place)];
    leave(mark, fails ? Way::other : Way::usual);
}

bool Interpreter::is_waited_at(int place) const {
    return std::any_of(marks_.begin(), marks_.end(), [place](const Mark& mark) {
        return mark.place == place;
    });
}

std::vector<std::size_t> Interpreter::waiting_at(int place) const {
    std::vector<std::size_t> waiting;
    for (const std::size_t i : in_order()) {
        if (marks_[i].place == place) waiting.push_back(i);
    }
    return waiting;
}

std::vector<std::size_t> Interpreter::first_by_link(int place) const {
    std::vector<std::size_t> first;
    for (const std::size_t i : waiting_at(place)) {
        const bool seen = std::any_of(first.begin(), first.end(), [&](std::size_t other) {
            return marks_[other].via == marks_[i].via;
        });
        if (!seen) first.push_back(i);
    }
    return first;
}

bool Interpreter::can_reach(const Mark& mark, int place) const {
    return setting_->reach[index(mark.place) * shape().places.size() + index(place)];
}

bool Interpreter::others_can_come(int place) const {
    return std::any_of(marks_.begin(), marks_.end(), [&](const Mark& mark) {
        return mark.place != place && !mark.withdrawn && can_reach(mark, place);
    });
}

std::ptrdiff_t Interpreter::needed_at(int place) const {
    if (at(place).mode == Mode::any) return 1;
    if (at(place).mode == Mode::count) return at(place).count;
    return std::count_if(shape().links.begin(), shape().links.end(), [&](const Link& link) {
        return link.to == place;
    });
}

bool Interpreter::is_enough(int place) const {
    if (at(place).kind != Kind::join || !is_waited_at(place)) return false;
    const auto first = first_by_link(place);
    if (at(place).mode == Mode::chosen) return !others_can_come(place);
    return std::ssize(first) >= needed_at(place);
}

void Interpreter::go_on(int place) {
    const auto first = first_by_link(place);
    const auto waiting = waiting_at(place);
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
    const int firing = static_cast<int>(firings_.size());
    firings_.push_back(place);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        Mark& mark = marks_[i];
        if (std::find(taken.begin(), taken.end(), i) != taken.end()) continue;
        const bool here = mark.place == place;
        if (here && early) continue;  // one more than was needed, of the same lot
        const bool could_come = !here && !mark.withdrawn && can_reach(mark, place);
        if (could_come && join.cancel_rest) {
            withdraw(std::move(mark), left);
            continue;
        }
        if (could_come && early) mark.late_for.push_back(firing);
        left.push_back(std::move(mark));
    }
    marks_ = std::move(left);
    ++tally_.passed[index(place)];
    leave(next, Way::usual);
}

// Joins that still wait and to which nothing can come.
std::vector<int> Interpreter::incomplete() const {
    std::vector<int> places;
    for (int place = 0; place < std::ssize(shape().places); ++place) {
        const bool waits = at(place).kind == Kind::join && is_waited_at(place);
        if (waits && !others_can_come(place)) places.push_back(place);
    }
    return places;
}

void Interpreter::fail_join(int place) {
    const auto waiting = waiting_at(place);
    ++tally_.failed[index(place)];
    const Mark first = marks_[waiting.front()];
    for (const std::size_t other : waiting) {
        if (marks_[other].late_for != first.late_for) question_ = Question::mixed;
    }
    std::erase_if(marks_, [&](const Mark& mark) { return mark.place == place; });
    fail(first);
}

std::vector<Interpreter::Move> Interpreter::moves() const {
    std::vector<Move> list;
    if (status_ != Status::running || stopping_) return list;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const Kind kind = at(marks_[i].place).kind;
        if (kind == Kind::condition || kind == Kind::parallel) list.push_back({i, -1});
    }
    for (std::size_t i = 0; i < shape().places.size(); ++i) {
        if (is_enough(static_cast<int>(i))) list.push_back({0, static_cast<int>(i)});
    }
    // That a join has failed can be told when nothing else moves.
    if (!list.empty()) return list;
    for (const int place : incomplete()) list.push_back({0, place, true});
    return list;
}

void Interpreter::make(const Move& move) {
    if (move.fails) {
        fail_join(move.join);
    } else if (move.join >= 0) {
        go_on(move.join);
    } else {
        pass(move.mark);
    }
    std::sort(marks_.begin(), marks_.end());
}

void Interpreter::close() {
    if (status_ != Status::running) return;
    if (marks_.empty()) {
        status_ = stopping_ ? Status::failed : Status::completed;
    } else if (pending().empty()) {
        question_ = Question::circle;
    }
}

// Forgets what cannot matter any more: firings that nobody is late for, how long ago somebody came
// and, at a step, by which link. Only who came before whom is left.
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
    int budget = passes_max;
    while (!open.empty()) {
        Interpreter now = std::move(open.back());
        open.pop_back();
        if (--budget < 0 || now.marks_.size() > 500) {
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
        if (!now.setting_->withdraws) {  // in whatever order
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
