#include "base/fair_places.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace pawl {
namespace {

constexpr std::int32_t hostile = 1;
constexpr std::int32_t other = 2;
constexpr std::int32_t third = 3;

std::size_t take_all(FairPlaces<int>& places, std::int32_t tenant) {
    std::size_t taken = 0;
    while (places.take(tenant)) ++taken;
    return taken;
}

TEST(FairPlaces, ATenantAloneGetsAlmostAll) {
    FairPlaces<int> places(512);
    EXPECT_EQ(take_all(places, hostile), 448U);
    FairPlaces<int> few(4);
    EXPECT_EQ(take_all(few, hostile), 3U);
}

TEST(FairPlaces, OneThatHasNothingFindsAPlaceBehindTheGreedy) {
    FairPlaces<int> places(512);
    for (const std::int32_t tenant : {hostile, other, third})
        EXPECT_GT(take_all(places, tenant), 0U);
    EXPECT_TRUE(places.take(4));
}

TEST(FairPlaces, TheProcessItselfComesFirstAndMayHaveAll) {
    FairPlaces<int> places(4);
    EXPECT_EQ(take_all(places, 0), 4U);
    places.wait(hostile, 1);
    places.wait(0, 2);
    places.give_back(0);
    EXPECT_EQ(places.next(), 2);
    places.give_back(0);
    EXPECT_EQ(places.next(), 1);
}

TEST(FairPlaces, WhereFewAreSharedATenantGetsHalfOfWhatIsLeft) {
    FairPlaces<int> places(8, 2);
    EXPECT_EQ(take_all(places, hostile), 4U);
    EXPECT_EQ(take_all(places, other), 2U);
    EXPECT_EQ(take_all(places, third), 1U);
    EXPECT_EQ(take_all(places, 4), 1U);
}

TEST(FairPlaces, TheOnlyPlaceIsForEveryTenant) {
    FairPlaces<int> places(1);
    EXPECT_TRUE(places.take(hostile));
    EXPECT_FALSE(places.take(other));
    places.give_back(hostile);
    EXPECT_TRUE(places.take(other));
    EXPECT_FALSE(FairPlaces<int>(0).take(hostile));
}

TEST(FairPlaces, AFreePlaceGoesToTheTenantThatHasTheFewest) {
    FairPlaces<int> places(4);
    take_all(places, hostile);
    places.take(other);
    for (int i = 0; i < 100; ++i) places.wait(hostile, i);
    places.wait(third, 1000);
    EXPECT_FALSE(places.next());
    places.give_back(hostile);
    EXPECT_EQ(places.next(), 1000);
    EXPECT_FALSE(places.next());
    places.give_back(hostile);
    EXPECT_EQ(places.next(), 0) << "one after the other of its own";
}

TEST(FairPlaces, EqualsTakeTurns) {
    FairPlaces<std::string> places(1);
    places.take(9);
    for (const char* item : {"a1", "a2", "a3"}) places.wait(hostile, item);
    for (const char* item : {"b1", "b2"}) places.wait(other, item);
    std::string order;
    std::int32_t holder = 9;
    for (int i = 0; i < 5; ++i) {
        places.give_back(holder);
        const auto next = places.next();
        ASSERT_TRUE(next);
        order += *next + ' ';
        holder = next->front() == 'a' ? hostile : other;
    }
    EXPECT_EQ(order, "a1 b1 a2 b2 a3 ");
    EXPECT_EQ(places.waiting(), 0U);
}

// Many tenants that ask again as soon as something of theirs is over: one place after the other
// becomes free, and the first of them is for the one that has none.
TEST(FairPlaces, QuickOnesThatComeAgainAndAgainKeepNoOtherWaiting) {
    constexpr int greedy = 20;
    FairPlaces<int> places(64);
    std::deque<std::int32_t> under_way;
    const auto ask = [&](std::int32_t tenant) {
        if (places.take(tenant)) {
            under_way.push_back(tenant);
        } else {
            places.wait(tenant, tenant);
        }
    };
    for (int round = 0; round < 1000; ++round) {
        for (std::int32_t tenant = 1; tenant <= greedy; ++tenant) ask(tenant);
    }
    constexpr std::int32_t late = greedy + 1;
    bool begun = places.take(late);
    if (!begun) places.wait(late, late);
    int turns = 0;
    for (; !begun && turns < 1000; ++turns) {
        const std::int32_t over = under_way.front();
        under_way.pop_front();
        places.give_back(over);
        while (const auto next = places.next()) {
            under_way.push_back(*next);
            begun = begun || *next == late;
        }
        ask(over);
    }
    EXPECT_TRUE(begun);
    EXPECT_LE(turns, 1);
}

TEST(FairPlaces, AWaiterIsNotOvertakenByItsOwnTenant) {
    FairPlaces<int> places(2);
    places.take(hostile);
    places.wait(hostile, 1);
    places.give_back(hostile);
    EXPECT_FALSE(places.take(hostile));
    EXPECT_EQ(places.next(), 1);
}

TEST(FairPlaces, AWaiterThatLeavesTheLineGetsNothing) {
    FairPlaces<int> places(1);
    places.take(hostile);
    const auto first = places.wait(hostile, 1);
    places.wait(other, 2);
    places.wait(other, 3);
    places.leave(hostile, first);
    places.leave_if([](int item) { return item == 2; });
    EXPECT_EQ(places.waiting(), 1U);
    places.give_back(hostile);
    EXPECT_EQ(places.next(), 3);
    places.give_back(other);
    EXPECT_FALSE(places.next());
    EXPECT_EQ(places.taken(), 0U);
}

TEST(FairPlaces, ThousandsOfTenantsComeAndGo) {
    FairPlaces<int> places(8);
    std::vector<std::int32_t> holders;
    std::map<std::int32_t, int> served;
    for (std::int32_t tenant = 1; tenant <= 5000; ++tenant) {
        if (places.take(tenant)) {
            holders.push_back(tenant);
        } else {
            places.wait(tenant, tenant);
        }
    }
    for (std::size_t i = 0; i < holders.size(); ++i) {
        ++served[holders[i]];
        places.give_back(holders[i]);
        while (const auto next = places.next()) holders.push_back(*next);
    }
    EXPECT_EQ(served.size(), 5000U);
    EXPECT_EQ(places.taken(), 0U);
    EXPECT_EQ(places.waiting(), 0U);
}

}  // namespace
}  // namespace pawl
