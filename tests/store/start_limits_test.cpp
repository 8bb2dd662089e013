#include "engine/start/start_limits.hpp"

#include "store/under_test.hpp"

#include <fmt/core.h>

// How many runs a tenant may start a second: the same through every door.
namespace pawl::test {
namespace {

class StartLimitsPg : public ::testing::Test {
protected:
    StartLimitsPg() {
        db_.apply(parse_definition("name: nap\nsteps: [{name: a, wait: 1h}]").value());
    }
    void allow(int starts_per_second) {
        session_.script(fmt::format(
            "update pawl.tenant set starts_per_second_max = {} where id = 1", starts_per_second
        ));
    }
    // As if all runs had begun at another time: ids carry it.
    void move_starts(const std::string& interval) {
        session_.script(
            "update pawl.live_run set run_id = (left(pawl.uuid7_bound(now() + interval '" +
            interval + "')::text, 24) || right(run_id::text, 12))::uuid"
        );
    }
    // By a process that knows nothing yet, such as a command.
    bool admits() {
        store::Tenants tenants(db_.pool());
        engine::StartLimits limits(tenants);
        return !db_.loop().run(limits.admit({}, 1, 0)).has_value();
    }
    std::string start(int count) {
        return session_.value(
            fmt::format("select count(pawl.start('nap'))::text from generate_series(1, {})", count)
        );
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

TEST_F(StartLimitsPg, ANewProcessCountsWhatBeganInTheLastSecond) {
    start(2);
    allow(2);
    move_starts("1 hour");
    EXPECT_FALSE(admits());
    move_starts("-1 hour");
    EXPECT_TRUE(admits());
}

TEST_F(StartLimitsPg, StartsFromSqlAreCountedToo) {
    allow(2);
    EXPECT_THROW(start(3), std::runtime_error) << "of one statement, so of one second";
    EXPECT_EQ(start(2), "2");
    move_starts("1 hour");
    EXPECT_THROW(start(1), std::runtime_error);
    move_starts("-1 hour");
    EXPECT_EQ(start(1), "1");
    move_starts("-1 hour");
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.start_many('nap', '[{}, {}, {}, {}]')"), "4"
    ) << "more than a second's worth is taken whole";
}

}  // namespace
}  // namespace pawl::test
