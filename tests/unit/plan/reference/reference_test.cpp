#include "play.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace pawl::reference {
namespace {

bool is_accepted(const Shape& shape) {
    return definition_from_json(to_json(definition_of(shape))).has_value();
}

// PAWL_REFERENCE_ALL=3/16 is the third of sixteen shares of all shapes.
struct Share {
    std::size_t number = 0;  // 0: not asked for
    std::size_t of = 1;
};

Share share_asked_for() {
    Share share;
    const char* text = std::getenv("PAWL_REFERENCE_ALL");
    if (text != nullptr) std::sscanf(text, "%zu/%zu", &share.number, &share.of);
    if (share.number > share.of) throw std::invalid_argument("PAWL_REFERENCE_ALL: 1/16 to 16/16");
    return share;
}

// Collects what disagrees and says the smallest.
class Report {
public:
    void play(const Shape& shape) {
        Play play(shape, rng_);
        auto found = play.run();
        ++shapes_;
        outcomes_ += play.outcomes();
        cut_short_ += play.cut_short() ? 1 : 0;
        left_open_ += play.left_open() ? 1 : 0;
        EXPECT_TRUE(play.goes_back() || !play.left_open()) << describe(shape);
        if (!found) return;
        ++wrong_;
        const auto size = [](const Found& f) { return f.shape.size() + f.orders.size(); };
        if (!smallest_ || size(*found) < size(*smallest_)) smallest_ = std::move(found);
    }

    ~Report() {
        EXPECT_GT(outcomes_, shapes_);
        const auto record = [](const char* what, std::size_t count) {
            testing::Test::RecordProperty(what, std::to_string(count));
        };
        record("shapes", shapes_);
        record("outcomes", outcomes_);
        record("cut_short", cut_short_);
        record("left_open", left_open_);
        if (!smallest_) return;
        ADD_FAILURE() << wrong_ << " of " << shapes_ << " shapes disagree; the smallest:\n"
                      << smallest_->shape << "\n"
                      << smallest_->orders << "\n"
                      << smallest_->what;
    }

private:
    Rng rng_{1};
    std::size_t shapes_ = 0;
    std::size_t outcomes_ = 0;
    std::size_t cut_short_ = 0;
    std::size_t left_open_ = 0;
    std::size_t wrong_ = 0;
    std::optional<Found> smallest_;
};

TEST(Reference, AllShapesOfUpToThreePlaces) {
    Report report;
    for (int size = 1; size <= 3; ++size) {
        for_each_shape(size, [&](const Shape& shape) {
            EXPECT_TRUE(is_accepted(shape)) << describe(shape);
            report.play(shape);
        });
    }
}

TEST(Reference, AllShapesOfFourPlaces) {
    Report report;
    for_each_shape(4, [&](const Shape& shape) { report.play(shape); });
}

TEST(Reference, AllShapesOfFivePlaces) {
    const Share share = share_asked_for();
    if (share.number == 0) GTEST_SKIP() << "takes long: CONTRIBUTING.md tells how to play them";
    Report report;
    std::size_t count = 0;
    for_each_shape(5, [&](const Shape& shape) {
        if (count++ % share.of == share.number % share.of) report.play(shape);
    });
}

TEST(Reference, ShapesOfFivePlaces) {
    Report report;
    Rng rng(5);
    for (int i = 0; i < 10'000; ++i) report.play(random_shape(rng, 5, false));
}

// A circle in which nothing is done is not accepted.
void play_surrounded(Report& report, const Shape& shape) {
    for (const Around around : all_around) {
        const Shape whole = surrounded(shape, around);
        if (is_accepted(whole)) report.play(whole);
    }
}

// A share of all shapes of so many places; another one when that is asked for.
void play_share(int size, Share usual) {
    const Share asked = share_asked_for();
    const Share share = asked.number == 0 ? usual : asked;
    Report report;
    std::size_t count = 0;
    for_each_shape(size, [&](const Shape& shape) {
        if (count++ % share.of == share.number % share.of) play_surrounded(report, shape);
    });
}

TEST(Reference, CirclesLoopsAndListsAroundThreePlaces) {
    for (int size = 1; size <= 3; ++size) play_share(size, {1, 1});
}

TEST(Reference, CirclesLoopsAndListsAroundFourPlaces) {
    play_share(4, {1, 100});
}

TEST(Reference, ShapesWithALinkBack) {
    Report report;
    Rng rng(6);
    for (int i = 0; i < 3'000; ++i) {
        const Shape shape = random_shape(rng, 2 + static_cast<int>(rng.below(4)), true);
        // A circle in which nothing is done is not.
        if (is_accepted(shape)) report.play(shape);
    }
}

// --- What the planner once did otherwise. ---

void expect_agreement(
    const Shape& shape, const std::vector<bool>& holds, const std::vector<Outcome>& outcomes
) {
    const Definition definition = definition_of(shape);
    Lockstep both(shape, definition, holds);
    for (const auto& [position, succeeded] : outcomes) both.finish(position, succeeded);
    EXPECT_EQ(both.disagreement().value_or("none"), "none") << describe(shape);
}

TEST(Reference, ChosenGoesOnOnceWithAllThatCame) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::step}, {Kind::join, Mode::chosen}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}};
    expect_agreement(shape, {}, {{0, true}, {0, true}, {0, true}, {0, true}});
}

TEST(Reference, AnyLetsInSilentlyWhatCameInTheSameMoment) {
    const Shape shape{
        {{Kind::parallel},
         {Kind::condition},
         {Kind::parallel},
         {Kind::condition},
         {Kind::join, Mode::any}},
        {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 4}, {3, 4, Way::other}}};
    expect_agreement(shape, {false, true, false, true, false}, {});
}

TEST(Reference, CountDoesNotFailOnASecondOneByTheSameLink) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::condition}, {Kind::join, Mode::count, 2}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}};
    expect_agreement(shape, {false, false, true, false}, {{0, true}, {0, true}});
}

TEST(Reference, AllWithdrawsTheRestToo) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::join, Mode::all, 2, true}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 1}}};
    expect_agreement(shape, {}, {{0, true}, {0, true}});
}

TEST(Reference, WhatIsLateDoesNotCountForTheNextTime) {
    const Shape shape{
        {{Kind::parallel},
         {Kind::condition},
         {Kind::step},
         {Kind::step, Mode::chosen, 2, false, true},
         {Kind::join, Mode::count, 2}},
        {{0, 1},
         {0, 2},
         {1, 2, Way::other},
         {1, 3, Way::other},
         {2, 3, Way::other},
         {2, 4},
         {3, 4},
         {4, 3}}};
    expect_agreement(shape, std::vector<bool>(5), {{1, true}, {1, true}, {1, true}, {0, true}});
}

TEST(Reference, AJoinFailsOnce) {
    const Shape shape{
        {{Kind::condition},
         {Kind::condition},
         {Kind::step},
         {Kind::join, Mode::all},
         {Kind::parallel}},
        {{0, 1},
         {0, 2, Way::other},
         {0, 3, Way::other},
         {1, 3, Way::other},
         {2, 3},
         {3, 4, Way::other}}};
    expect_agreement(shape, std::vector<bool>(5), {{0, true}});
}

// Joins inside a circle wait for what comes in this round, inner ones first.
TEST(Reference, NestedJoinsInACircleGoOnInsideOut) {
    const Shape shape{
        {{Kind::step},
         {Kind::step},
         {Kind::step},
         {Kind::join},
         {Kind::step},
         {Kind::join},
         {Kind::step}},
        {{0, 1}, {0, 2}, {0, 5}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 0}}};
    expect_agreement(
        shape, {}, {{0, true}, {0, true}, {0, true}, {0, true}, {0, true}, {0, true}, {0, true}}
    );
}

TEST(Reference, AJoinFailsLast) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::join, Mode::all}, {Kind::join, Mode::any, 2, true}},
        {{0, 1, Way::other}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}};
    expect_agreement(shape, {}, {{0, true}});
}

}  // namespace
}  // namespace pawl::reference
