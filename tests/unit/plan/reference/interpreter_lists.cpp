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
    const auto fails = [&] {
        return list(id).failed > 0 ||
               std::any_of(items_.begin(), items_.end(), [id](const Item& item) {
                   return item.list == id && item.failed;
               });
    };
    const int place = list(id).place;
    const auto owner = std::find_if(marks_.begin(), marks_.end(), [id](const Mark& mark) {
        return mark.list == id;
    });
    const int around = owner->item;
    while (!fails() && list(id).begun < rounds && under_way() < at(place).at_once) {
        ++list(id).begun;
        const int item = ids_++;
        items_.push_back({item, id, around});
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

bool Interpreter::is_in(const Mark& mark, int id) const {
    int at = mark.item;
    while (at >= 0 && at != id) {
        const auto item = std::find_if(items_.begin(), items_.end(), [at](const Item& one) {
            return one.id == at;
        });
        at = item == items_.end() ? -1 : item->around;
    }
    return at == id;
}

bool Interpreter::is_empty(int item) const {
    return std::none_of(marks_.begin(), marks_.end(), [&](const Mark& mark) {
        return is_in(mark, item);
    });
}

// The last one of its list lets the foreach go on. One whose list is withdrawn was perhaps the last
// thing in the item around it.
void Interpreter::end_if_empty(int id) {
    while (id >= 0 && is_empty(id)) {
        const auto found = std::find_if(items_.begin(), items_.end(), [id](const Item& one) {
            return one.id == id;
        });
        if (found == items_.end()) return;
        const Item item = *found;
        items_.erase(found);
        std::erase_if(counts_, [id](const Count& count) { return count.item == id; });
        const bool listed = std::any_of(lists_.begin(), lists_.end(), [&](const List& one) {
            return one.id == item.list;
        });
        if (listed) {
            if (item.failed) ++list(item.list).failed;
            return begin_items(item.list);
        }
        id = item.around;
    }
}

void Interpreter::fail_item(int id) {
    for (Item& item : items_) item.failed = item.failed || item.id == id;
    withdraw_in(id);
    end_if_empty(id);
}

// What is under way in it is awaited, and nothing else is left.
void Interpreter::withdraw_in(int item) {
    std::vector<Mark> inside;
    for (const Mark& mark : marks_) {
        if (mark.item == item) inside.push_back(mark);
    }
    std::erase_if(marks_, [item](const Mark& mark) { return mark.item == item; });
    std::vector<Mark> left = inside;
    withdraw(left);
    std::move(left.begin(), left.end(), std::back_inserter(marks_));
    for (const Mark& mark : inside) {
        if (mark.list >= 0) drop_list(mark.list);
    }
    std::erase_if(counts_, [item](const Count& count) { return count.item == item; });
}

void Interpreter::drop_list(int id) {
    std::erase_if(lists_, [id](const List& one) { return one.id == id; });
    for (const Item& item : std::vector<Item>(items_)) {
        if (item.list != id) continue;
        withdraw_in(item.id);
        if (is_empty(item.id))
            std::erase_if(items_, [&](const Item& one) { return one.id == item.id; });
    }
}

}  // namespace pawl::reference
