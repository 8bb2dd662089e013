#include "cli/parse/registry.hpp"

#include "cli/parse/args.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace pawl::cli {
namespace {

// The word before the last, which a page of --help belongs to; empty: the first page.
std::string_view group_of(const Command& command) {
    const std::size_t space = command.words.find(' ');
    return space == std::string_view::npos ? "" : command.words.substr(0, space);
}

// A linker that leaves files out would leave the commands out that are in them.
TEST(Registry, HasTheCommandsOfAllFiles) {
    EXPECT_GT(command_names().size(), 60u);
    for (const char* words : {"dev", "runs list", "webhooks redeliver", "help"}) {
        const auto names = command_names();
        EXPECT_EQ(std::count(names.begin(), names.end(), words), 1) << words;
    }
}

// Files register in an order that the linker decides: only the numbers may matter.
TEST(Registry, NoTwoCommandsHaveTheSamePlace) {
    std::map<std::pair<std::string_view, int>, std::string_view> places;
    for (const Command& command : commands()) {
        const auto [place, free] =
            places.emplace(std::pair(group_of(command), command.order), command.words);
        EXPECT_TRUE(free) << command.words << " and " << place->second;
    }
}

TEST(Registry, AGroupStandsBeforeItsCommands) {
    std::string_view group;
    int before = 0;
    for (const Command& command : commands()) {
        if (!command.build) {
            group = command.words;
            before = 0;
        } else if (!group_of(command).empty()) {
            EXPECT_EQ(group_of(command), group);
            EXPECT_LT(before, command.order) << command.words;
            before = command.order;
        }
    }
}

}  // namespace
}  // namespace pawl::cli
