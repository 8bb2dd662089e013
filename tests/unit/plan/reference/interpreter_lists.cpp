// What repeats: loops, and lists of items.
#include "interpreter.hpp"

#include <algorithm>

namespace pawl::reference {

namespace {

std::size_t index(int place) {
    return static_cast<std::size_t>(place);
}

}  // namespace

void Interpreter::pass_loop(const Mark& mark) {
    auto count = std::find_if(counts_.begin(), counts_.end(), [&](const Count& one) {
        return one.place == mark.place && one.item == mark.item;
    });
    if (count == counts_.end()) count = counts_.insert(count, {mark.place, mark.item, 0});
    const bool again = count->rounds++ < rounds;
    if (!again) counts_.erase(count);
    std::sort(counts_.begin(), counts_.end());
    leave(mark, again ? Way::other : Way::usual);
}

// A foreach begins, or its items are over.
void Interpreter::pass_list(const Mark& mark) {
    if (mark.list < 0) {
        Mark owner = mark;
        owner.list = ids_++;
        lists_.push_back({owner.list, mark.place});
        marks_.push_back(owner);
        return begin_items(owner.list);
    }
    const bool failed = list(mark.list).failed > 0;
    drop_list(mark.list);
    Mark owner = mark;
    owner.list = -1;
    ++(failed ? tally_.failed : tally_.passed)[index(mark.place)];
    if (failed) return fail(owner);
    leave(owner, Way::usual);
}

List& Interpreter::list(int id) {
    return *std::find_if(lists_.begin(), lists_.end(), [id](const List& one) {
        return one.id == id;
    });
}

bool Interpreter::has_items(int list) const {
    return std::any_of(items_.begin(), items_.end(), [list](const Item& item) {
        return item.list == list;
    });
}

void Interpreter::begin_items(int id) {
    const auto under_way = [&] {
        return std::count_if(items_.begin(), items_.end(), [id](const Item& item) {
            return item.list == id;
        });
    };
    const int place = list(id).place;
    while (list(id).failed == 0 && list(id).begun < rounds && under_way() < at(place).at_once) {
        ++list(id).begun;
        const int item = ids_++;
        items_.push_back({item, id});
        Mark first;
        first.place = place;
        first.item = item;
        leave(first, Way::other);
    }
}

bool Interpreter::is_item_end(const Mark& mark) const {
    return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
        if (item.id != mark.item) return false;
        return std::any_of(lists_.begin(), lists_.end(), [&](const List& list) {
            return list.id == item.list && list.place == mark.place;
        });
    });
}

void Interpreter::end_if_empty(int item) {
    if (item < 0 || status_ != Status::running) return;
    const bool left = std::any_of(marks_.begin(), marks_.end(), [item](const Mark& mark) {
        return mark.item == item;
    });
    if (!left) end_item(item, false);
}

void Interpreter::end_item(int id, bool failed) {
    const auto item =
        std::find_if(items_.begin(), items_.end(), [id](const Item& one) { return one.id == id; });
    if (item == items_.end()) return;
    const int of = item->list;
    items_.erase(item);
    for (const Mark& mark : std::vector<Mark>(marks_)) {
        if (mark.item == id && mark.list >= 0) drop_list(mark.list);
    }
    std::erase_if(marks_, [id](const Mark& mark) { return mark.item == id; });
    std::erase_if(counts_, [id](const Count& count) { return count.item == id; });
    if (failed) ++list(of).failed;
    begin_items(of);
}

void Interpreter::drop_list(int id) {
    for (const Item& item : std::vector<Item>(items_)) {
        if (item.list != id) continue;
        std::erase(items_, item);
        for (const Mark& mark : std::vector<Mark>(marks_)) {
            if (mark.item == item.id && mark.list >= 0) drop_list(mark.list);
        }
        std::erase_if(marks_, [&](const Mark& mark) { return mark.item == item.id; });
        std::erase_if(counts_, [&](const Count& count) { return count.item == item.id; });
    }
    std::erase_if(lists_, [id](const List& one) { return one.id == id; });
}

}  // namespace pawl::reference
