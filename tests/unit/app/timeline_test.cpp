#include "app/messages/timeline.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

constexpr Instant begin{std::chrono::hours(24 * 365 * 50)};

// Ids carry their time.
RunId run_at(int second) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                        (begin + std::chrono::seconds(second)).time_since_epoch()
    )
                        .count();
    RunId id;
    for (std::size_t i = 0; i < 6; ++i) {
        id.uuid.bytes[i] =
            static_cast<std::uint8_t>(static_cast<std::uint64_t>(ms) >> (40 - 8 * i));
    }
    return id;
}

store::RunPage runs(std::initializer_list<int> seconds) {
    store::RunPage page;
    for (const int second : seconds) {
        store::RunSummary run;
        run.id = run_at(second);
        page.runs.push_back(std::move(run));
    }
    return page;
}

std::vector<store::PersonItem> items(std::initializer_list<int> seconds) {
    std::vector<store::PersonItem> all;
    for (const int second : seconds) {
        all.push_back(
            {{begin + std::chrono::seconds(second), "message", std::to_string(second)}, {}}
        );
    }
    return all;
}

std::vector<int> seconds_of(const Timeline& timeline) {
    std::vector<int> seconds;
    for (const TimelineEntry& entry : timeline.entries) {
        seconds.push_back(static_cast<int>(
            std::chrono::duration_cast<std::chrono::seconds>(at(entry) - begin).count()
        ));
    }
    return seconds;
}

TEST(Timeline, TwoWalksBecomeOne) {
    const auto page = merged(runs({9, 5, 1}), items({8, 7, 2}), {}, 10);
    EXPECT_EQ(seconds_of(page), (std::vector{9, 8, 7, 5, 2, 1}));
    EXPECT_FALSE(page.next);
}

TEST(Timeline, ACursorSaysHowFarEachHasCome) {
    const auto page = merged(runs({9, 5, 1}), items({8, 7, 2}), {}, 3);
    EXPECT_EQ(seconds_of(page), (std::vector{9, 8, 7}));
    ASSERT_TRUE(page.next);
    EXPECT_EQ(page.next->run, run_at(9));
    EXPECT_EQ(page.next->item->id, "7");
    const auto second = merged(runs({5, 1}), items({2}), *page.next, 3);
    EXPECT_EQ(seconds_of(second), (std::vector{5, 2, 1}));
    EXPECT_FALSE(second.next);
}

TEST(Timeline, NothingIsShownBelowRunsThatWereNotLookedAt) {
    auto some = runs({9});
    some.next = run_at(6);
    const auto page = merged(std::move(some), items({8, 5}), {}, 10);
    EXPECT_EQ(seconds_of(page), (std::vector{9, 8}));
    ASSERT_TRUE(page.next);
    EXPECT_EQ(page.next->run, run_at(6));
    EXPECT_EQ(page.next->item->id, "8");
}

TEST(Timeline, CursorsAreReadAsTheyWereWritten) {
    TimelineCursor cursor;
    cursor.run = run_at(3);
    cursor.item = {begin + std::chrono::microseconds(123456), "fact", "line/a b/\"x\""};
    const auto read = parse_timeline_cursor(to_text(cursor));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->run, cursor.run);
    EXPECT_EQ(read->item->at, cursor.item->at);
    EXPECT_EQ(read->item->kind, "fact");
    EXPECT_EQ(read->item->id, cursor.item->id);
    for (const char* wrong : {"", "x", "[]", R"({"run": "x"})", R"({"at": "yesterday"})"}) {
        EXPECT_FALSE(parse_timeline_cursor(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace pawl::app
