#include "store/old_weeks.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class Partitions : public OldWeeks {
protected:
    int ensure(int weeks) { return db_.loop().run(db_.pg().ensure_partitions(weeks)); }
};

TEST_F(Partitions, AreMadeAheadAndOnlyOnce) {
    EXPECT_EQ(ensure(4), 0);  // the migration did
    EXPECT_EQ(ensure(6), 4);  // two weeks, two tables
    EXPECT_EQ(ensure(6), 0);
    EXPECT_EQ(
        partition_of(start_at(0s)),
        session_.value("select 'pawl.event_' || "
                       "to_char(date_trunc('week', now() at time zone 'UTC'), 'YYYYMMDD')")
    );
    EXPECT_NE(partition_of(start_at(-5 * 24h * 7)), "pawl.event_default");
}

TEST_F(Partitions, TenCallersAtOnce) {
    std::vector<asio::awaitable<int>> calls;
    calls.reserve(10);
    for (int i = 0; i < 10; ++i) calls.push_back(db_.pg().ensure_partitions(8));
    int made = 0;
    for (const int one : db_.loop().run_all(std::move(calls))) made += one;
    EXPECT_EQ(made, 8);
}

TEST_F(Partitions, ARunOutsideEveryWeekGoesToTheDefault) {
    const auto worker = db_.worker();
    const auto far = start_at(-365 * 24h, worker);
    const auto ancient = start_at(3650 * 24h, worker);
    EXPECT_EQ(partition_of(far), "pawl.event_default");
    EXPECT_EQ(partition_of(ancient), "pawl.event_default");
    db_.commit(closing(worker, far));
    EXPECT_EQ(db_.status(far), "completed");
}

TEST_F(Partitions, RowsInTheDefaultDoNotStopTheWeeksAfter) {
    const auto early = start_at(-6 * 7 * 24h);  // a clock that runs six weeks ahead
    EXPECT_EQ(partition_of(early), "pawl.event_default");
    // Weeks 5 to 8 for runs; for events all but the sixth.
    EXPECT_EQ(ensure(8), 7);
    EXPECT_EQ(ensure(8), 0);
    EXPECT_EQ(db_.log(early).size(), 1u);
    EXPECT_NE(partition_of(start_at(-7 * 7 * 24h)), "pawl.event_default");
}

// A transaction that starts or commits runs holds these locks.
TEST_F(Partitions, AreMadeWhileTheLogIsInUse) {
    Session user(db_.database().url());
    user.script("begin; lock table only pawl.event, only pawl.run in row exclusive mode");
    EXPECT_EQ(ensure(6), 4);
    user.script("rollback");
}

TEST_F(Partitions, Uuid7IsOrderedByTimeAndAgreesWithTheCode) {
    const auto ids = session_.column(
        "select pawl.uuid7()::text from generate_series(1, 5), "
        "lateral (select pg_sleep(0.002 + 0 * generate_series)) as pause"
    );
    ASSERT_EQ(ids.size(), 5u);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = parse_uuid(ids[i]).value();
        EXPECT_EQ(id.bytes[6] >> 4, 7);
        EXPECT_EQ(id.bytes[8] >> 6, 2);
        const auto ms = unix_ms_of(id);
        const auto now =
            std::chrono::duration_cast<std::chrono::milliseconds>(db_.now().time_since_epoch());
        EXPECT_NEAR(static_cast<double>(ms), static_cast<double>(now.count()), 10000);
        if (i > 0) EXPECT_LT(ids[i - 1], ids[i]);
    }
    // The bound of an instant is the smallest id of that millisecond, in both languages.
    const auto at = db_.now();
    const auto ms = at.time_since_epoch().count() / 1000;
    const auto bound = parse_uuid(session_.value(fmt::format(
        "select pawl.uuid7_bound('epoch'::timestamptz + interval '{} milliseconds')::text", ms
    )));
    EXPECT_EQ(unix_ms_of(bound.value()), static_cast<std::uint64_t>(ms));
    EXPECT_LE(bound.value(), run_id_at(at).uuid);
}

}  // namespace
}  // namespace pawl::test
