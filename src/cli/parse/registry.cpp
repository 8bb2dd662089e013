#include "cli/parse/registry.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <map>

namespace pawl::cli {

namespace {

// Made at first use: static objects of other files add to it, in an order that nothing promises.
std::vector<Command>& registered() {
    static std::vector<Command> all;
    return all;
}

// The order of its group, if it has one, then its own.
using Place = std::vector<int>;

std::vector<Command> in_order(std::vector<Command> all) {
    std::map<std::string_view, int> order_of;
    for (const Command& command : all) {
        const bool first = order_of.emplace(command.words, command.order).second;
        PAWL_ASSERT(first);  // two files have the same words
    }
    const auto place_of = [&order_of](const Command& command) {
        const std::size_t space = command.words.find(' ');
        if (space == std::string_view::npos) return Place{command.order};
        const auto group = order_of.find(command.words.substr(0, space));
        PAWL_ASSERT(group != order_of.end());  // no file registers its group
        return Place{group->second, command.order};
    };
    std::stable_sort(all.begin(), all.end(), [&](const Command& one, const Command& other) {
        return place_of(one) < place_of(other);
    });
    return all;
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> sorted = in_order(registered());
    return sorted;
}

void register_command(Command command) {
    registered().push_back(std::move(command));
}

}  // namespace pawl::cli
