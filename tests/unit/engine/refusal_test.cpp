#include "engine/core/flight_parts.hpp"
#include "engine/worker/commit_refusal.hpp"
#include "pg/pg_error.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

Refusal of(const char* sqlstate) {
    pg::PgError::Detail detail;
    detail.sqlstate = sqlstate;
    return refusal_of(pg::PgError(detail).error());
}

TEST(Refusal, TellsRowsFromOutages) {
    EXPECT_EQ(of(""), Refusal::unknown);
    EXPECT_EQ(of("57P01"), Refusal::unknown);
    EXPECT_EQ(of("08006"), Refusal::unknown);
    EXPECT_EQ(of("53100"), Refusal::outage);
    EXPECT_EQ(of("25006"), Refusal::outage);
    EXPECT_EQ(of("42501"), Refusal::outage);
    EXPECT_EQ(of("40P01"), Refusal::passing);
    EXPECT_EQ(of("55P03"), Refusal::passing);
    EXPECT_EQ(of("XX000"), Refusal::passing);
    EXPECT_EQ(of("57014"), Refusal::passing);
    EXPECT_EQ(of("23505"), Refusal::taken);
    EXPECT_EQ(of("23514"), Refusal::row);
    EXPECT_EQ(of("22P05"), Refusal::row);
    EXPECT_EQ(of("54000"), Refusal::row);
    EXPECT_EQ(of("P0001"), Refusal::row);
    EXPECT_EQ(of("PW001"), Refusal::fenced);
    EXPECT_EQ(of("PW002"), Refusal::not_held);
}

TEST(Refusal, NamesTheRunsThatAreNotHeld) {
    Rng rng(1);
    IdMaker ids(rng);
    const RunId first{ids.next(1)};
    const RunId second{ids.next(2)};
    pg::PgError::Detail detail;
    detail.sqlstate = "PW002";
    EXPECT_TRUE(named_runs(pg::PgError(detail).error()).empty());
    detail.detail = to_string(first) + "," + to_string(second);
    EXPECT_EQ(named_runs(pg::PgError(detail).error()), (std::vector{first, second}));
}

TEST(FlightParts, ARunIsNeverDivided) {
    Rng rng(1);
    IdMaker ids(rng);
    Flight flight;
    flight.batch.resend = true;
    for (std::uint64_t i = 0; i < 5; ++i) {
        const RunId run{ids.next(i)};
        flight.runs.push_back(run);
        flight.batch.events.push_back({run, {}});
        flight.batch.events.push_back({run, {}});
        flight.batch.consumed.push_back({static_cast<std::int64_t>(i), run, "cancel", {}});
        if (i % 2 == 0) flight.batch.parks.push_back({run, std::nullopt});
        flight.batch.projections.subscribes.push_back({.run = run});
        flight.batch.projections.ended.push_back(run);
        flight.batch.projections.children.push_back({RunId{}, json::object{{"run", to_string(run)}}}
        );
    }
    const Flight half = take_half(flight);
    const auto check = [](const Flight& part, std::size_t runs, std::size_t parks) {
        EXPECT_EQ(part.runs.size(), runs);
        EXPECT_EQ(part.batch.events.size(), runs * 2);
        EXPECT_EQ(part.batch.consumed.size(), runs);
        EXPECT_EQ(part.batch.parks.size(), parks);
        EXPECT_EQ(part.batch.projections.subscribes.size(), runs);
        EXPECT_EQ(part.batch.projections.ended, part.runs);
        EXPECT_EQ(part.batch.projections.children.size(), runs);
        EXPECT_TRUE(part.batch.resend);
        for (std::size_t i = 0; i < runs; ++i) {
            EXPECT_EQ(part.batch.events[2 * i].run, part.runs[i]);
            EXPECT_EQ(part.batch.events[2 * i + 1].run, part.runs[i]);
        }
    };
    check(flight, 2, 1);
    check(half, 3, 2);
}

}  // namespace
}  // namespace pawl::engine
