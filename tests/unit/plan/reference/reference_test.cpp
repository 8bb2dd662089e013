#include "lockstep.hpp"
#include "shapes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pawl::reference {
namespace {

struct Found {
    std::string shape;
    std::string orders;  // which step ended, and how, in turn
    std::string what;
};

// Plays a shape through everything that can happen to it, up to a number of plays; above that,
// through plays chosen by chance.
class Play {
public:
    Play(const Shape& shape, Rng& rng)
        : shape_(shape), definition_(definition_of(shape)), rng_(rng) {}

    std::optional<Found> run() {
        std::vector<std::size_t> conditions;
        for (std::size_t i = 0; i < shape_.places.size(); ++i) {
            if (shape_.places[i].kind == Kind::condition) conditions.push_back(i);
        }
        for (std::uint32_t bits = 0; bits < 1U << conditions.size() && !found_; ++bits) {
            std::vector<bool> holds(shape_.places.size());
            for (std::size_t i = 0; i < conditions.size(); ++i) {
                holds[conditions[i]] = (bits >> i & 1U) != 0;
            }
            orders_ = fmt::format("conditions {}:", fmt::join(holds, ""));
            explore(Lockstep(shape_, definition_, holds), 0);
        }
        return std::move(found_);
    }
    std::size_t plays() const { return plays_; }

private:
    static constexpr std::size_t all_up_to = 300;
    static constexpr int steps_max = 9;

    bool look(Lockstep& both) {
        std::optional<std::string> wrong;
        if (both.open()) {
            if (both.stuck()) wrong = "the planner is stuck";
        } else {
            wrong = both.disagreement();
        }
        if (wrong) found_ = Found{describe(shape_), orders_, *wrong};
        return wrong.has_value();
    }

    void explore(Lockstep both, int depth) {
        if (look(both) || both.open()) return;
        if (both.over() || depth == steps_max) {
            ++plays_;
            return;
        }
        const std::size_t choices = 2 * both.pending();
        const bool all = plays_ < all_up_to;
        const std::size_t only = rng_.below(choices);
        for (std::size_t i = 0; i < choices && !found_; ++i) {
            if (!all && i != only) continue;
            const std::size_t before = orders_.size();
            const bool succeeded = i % 2 == 0;
            orders_ += fmt::format(" {}{}", i / 2, succeeded ? "" : "!");
            Lockstep next = both;
            next.finish(i / 2, succeeded);
            explore(std::move(next), depth + 1);
            orders_.resize(before);
        }
    }

    const Shape& shape_;
    const Definition definition_;
    Rng& rng_;
    std::string orders_;
    std::optional<Found> found_;
    std::size_t plays_ = 0;
};

// Collects what disagrees and says the smallest.
class Report {
public:
    // A definition that is refused is not played.
    void play(const Shape& shape) {
        const auto valid = definition_from_json(to_json(definition_of(shape)));
        if (!valid) return;
        Play play(shape, rng_);
        auto found = play.run();
        ++shapes_;
        plays_ += play.plays();
        if (!found) return;
        ++wrong_;
        const auto size = [](const Found& f) { return f.shape.size() + f.orders.size(); };
        if (!smallest_ || size(*found) < size(*smallest_)) smallest_ = std::move(found);
    }

    ~Report() {
        EXPECT_GT(plays_, shapes_);
        testing::Test::RecordProperty("shapes", std::to_string(shapes_));
        testing::Test::RecordProperty("plays", std::to_string(plays_));
        if (!smallest_) return;
        ADD_FAILURE() << wrong_ << " of " << shapes_ << " shapes disagree; the smallest:\n"
                      << smallest_->shape << "\n"
                      << smallest_->orders << "\n"
                      << smallest_->what;
    }

private:
    Rng rng_{1};
    std::size_t shapes_ = 0;
    std::size_t plays_ = 0;
    std::size_t wrong_ = 0;
    std::optional<Found> smallest_;
};

TEST(Reference, all_shapes_of_up_to_three_places) {
    Report report;
    for (int size = 1; size <= 3; ++size) {
        for_each_shape(size, [&](const Shape& shape) { report.play(shape); });
    }
}

TEST(Reference, all_shapes_of_four_places) {
    Report report;
    for_each_shape(4, [&](const Shape& shape) { report.play(shape); });
}

// When it is set: all of five places, and many more of those that are chosen by chance.
bool plays_all() {
    return std::getenv("PAWL_REFERENCE_ALL") != nullptr;
}

int share() {
    return plays_all() ? 1 : 10;
}

TEST(Reference, all_shapes_of_five_places) {
    if (!plays_all()) GTEST_SKIP() << "PAWL_REFERENCE_ALL=1 plays all of them";
    Report report;
    for_each_shape(5, [&](const Shape& shape) { report.play(shape); });
}

TEST(Reference, shapes_of_five_places) {
    Report report;
    Rng rng(5);
    for (int i = 0; i < 30'000 / share(); ++i) report.play(random_shape(rng, 5, false));
}

TEST(Reference, shapes_with_a_link_back) {
    Report report;
    Rng rng(6);
    for (int i = 0; i < 30'000 / share(); ++i) {
        report.play(random_shape(rng, 2 + static_cast<int>(rng.below(4)), true));
    }
}

// --- What the planner once did otherwise. ---

struct Moment {
    std::size_t position;
    bool succeeded;
};

void expect_agreement(
    const Shape& shape, const std::vector<bool>& holds, const std::vector<Moment>& moments
) {
    const Definition definition = definition_of(shape);
    Lockstep both(shape, definition, holds);
    for (const auto& [position, succeeded] : moments) both.finish(position, succeeded);
    EXPECT_EQ(both.disagreement().value_or("none"), "none") << describe(shape);
}

TEST(Reference, chosen_goes_on_once_with_all_that_came) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::step}, {Kind::join, Mode::chosen}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}};
    expect_agreement(shape, {}, {{0, true}, {0, true}, {0, true}, {0, true}});
}

TEST(Reference, any_lets_in_silently_what_came_in_the_same_moment) {
    const Shape shape{
        {{Kind::parallel},
         {Kind::condition},
         {Kind::parallel},
         {Kind::condition},
         {Kind::join, Mode::any}},
        {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 4}, {3, 4, Way::other}}};
    expect_agreement(shape, {false, true, false, true, false}, {});
}

TEST(Reference, count_does_not_fail_on_a_second_one_by_the_same_link) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::condition}, {Kind::join, Mode::count, 2}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}};
    expect_agreement(shape, {false, false, true, false}, {{0, true}, {0, true}});
}

TEST(Reference, all_withdraws_the_rest_too) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::join, Mode::all, 2, true}},
        {{0, 1}, {0, 2}, {1, 2}, {1, 1}}};
    expect_agreement(shape, {}, {{0, true}, {0, true}});
}

TEST(Reference, what_is_late_does_not_count_for_the_next_time) {
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

TEST(Reference, a_join_fails_once) {
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

TEST(Reference, a_join_fails_last) {
    const Shape shape{
        {{Kind::step}, {Kind::step}, {Kind::join, Mode::all}, {Kind::join, Mode::any, 2, true}},
        {{0, 1, Way::other}, {0, 2}, {0, 3}, {1, 2}, {2, 3}}};
    expect_agreement(shape, {}, {{0, true}});
}

}  // namespace
}  // namespace pawl::reference
