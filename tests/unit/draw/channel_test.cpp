#include "draw/channel.hpp"

#include "base/rng.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pawl::draw {
namespace {

// Every square that a wire's vertical parts use, as (column, row); rows are twice the tracks, so
// that a wire that ends at a track and one that starts below it do not meet.
std::multiset<std::pair<int, int>> uprights(
    const Wire& wire, const std::vector<Leg>& legs, int rows
) {
    std::multiset<std::pair<int, int>> squares;
    const auto down = [&](int column, int from, int to) {
        for (int row = from; row <= to; ++row) squares.emplace(column, row);
    };
    if (legs.empty()) {
        down(wire.begin, 0, rows);
        return squares;
    }
    if (wire.from_top) down(legs.front().begin, 0, 2 * legs.front().track + 1);
    for (std::size_t i = 1; i < legs.size(); ++i) {
        down(legs[i].begin, 2 * legs[i - 1].track + 1, 2 * legs[i].track + 1);
    }
    if (wire.to_bottom) down(legs.back().end, 2 * legs.back().track + 1, rows);
    return squares;
}

TEST(DrawChannel, StraightWiresNeedNoTrack) {
    const Routing routing = route({{3, 3}, {7, 7}});
    EXPECT_EQ(routing.tracks, 0);
}

TEST(DrawChannel, WiresThatDoNotMeetShareATrack) {
    EXPECT_EQ(route({{1, 4}, {6, 9}}).tracks, 1);
    EXPECT_EQ(route({{1, 6}, {5, 9}}).tracks, 2);
}

TEST(DrawChannel, TwoThatChangePlacesGetPastEachOther) {
    const Routing routing = route({{2, 8}, {8, 2}});
    EXPECT_EQ(routing.tracks, 3);
    EXPECT_EQ(routing.legs[0].size() + routing.legs[1].size(), 3U) << "one goes aside";
}

TEST(DrawChannel, NoTwoWiresShareAStretch) {
    Rng rng(5);
    for (int round = 0; round < 3000; ++round) {
        std::vector<int> tops(12);
        std::vector<int> bottoms(12);
        for (int i = 0; i < 12; ++i) tops[static_cast<std::size_t>(i)] = i;
        bottoms = tops;
        const auto shuffle = [&](std::vector<int>& list) {
            for (std::size_t i = list.size(); i > 1; --i)
                std::swap(list[i - 1], list[rng.below(i)]);
        };
        shuffle(tops);
        shuffle(bottoms);
        std::vector<Wire> wires;
        for (std::size_t i = 0; i < rng.below(12); ++i) wires.push_back({tops[i], bottoms[i]});
        if (rng.below(2) == 0) wires.push_back({tops[11], 30, true, false});
        if (rng.below(2) == 0) wires.push_back({32, bottoms[11], false, true});
        const Routing routing = route(wires, {30, 32});
        std::multiset<std::pair<int, int>> used;
        std::multiset<std::pair<int, int>> across;  // (track, column)
        for (std::size_t i = 0; i < wires.size(); ++i) {
            used.merge(uprights(wires[i], routing.legs[i], 2 * routing.tracks));
            for (const Leg& leg : routing.legs[i]) {
                ASSERT_LT(leg.track, routing.tracks);
                for (int x = std::min(leg.begin, leg.end); x <= std::max(leg.begin, leg.end); ++x) {
                    across.emplace(leg.track, x);
                }
            }
        }
        // A wire with two legs turns twice in one column, which counts it twice at the turns.
        std::set<std::pair<int, int>> seen;
        for (const auto& square : across) ASSERT_TRUE(seen.insert(square).second);
        for (const auto& square : used) {
            std::size_t owners = 0;
            for (std::size_t i = 0; i < wires.size(); ++i) {
                owners += uprights(wires[i], routing.legs[i], 2 * routing.tracks).contains(square);
            }
            ASSERT_EQ(owners, 1U) << "round " << round;
        }
    }
}

}  // namespace
}  // namespace pawl::draw
