#include "base/rng.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

RunId run_id_at(Instant at) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    Rng rng;
    return RunId{make_uuid7(static_cast<std::uint64_t>(ms.count()), 1, rng.next())};
}

class Partitions : public ::testing::Test {
protected:
    // A partition of the week `weeks` before this one, made by hand; returns its suffix.
    std::string old_week(int weeks) {
        return session_.value(fmt::format(
            "with week as (select date_trunc('week', now() at time zone 'UTC') "
            "- interval '{} weeks' as at) select to_char(at, 'YYYYMMDD') from week",
            weeks
        ));
    }
    void make_old_week(int weeks) {
        const auto suffix = old_week(weeks);
        for (const char* table : {"event", "run"}) {
            session_.script(fmt::format(
                "do $do$ declare w timestamptz := to_timestamp('{1}+00', 'YYYYMMDDTZH'); begin "
                "execute format('create table pawl.{0}_{1} partition of pawl.{0} for values from "
                "(%L) to (%L)', pawl.uuid7_bound(w), pawl.uuid7_bound(w + interval '1 week')); "
                "end $do$",
                table,
                suffix
            ));
        }
    }
    // Starts a run whose id says it began `weeks` ago.
    RunId start_at(Duration ago, std::optional<WorkerId> holder = std::nullopt) {
        store::StartBatch batch;
        batch.worker = holder;
        batch.runs = {new_run(db_.workflow())};
        batch.runs[0].id = run_id_at(db_.now() - ago);
        batch.runs[0].lease = holder.has_value();
        batch.runs[0].correlation = to_string(batch.runs[0].id);
        db_.start(batch);
        return batch.runs[0].id;
    }
    std::string partition_of(RunId run) {
        return session_.value(
            "select tableoid::regclass::text from pawl.event where run_id = '" + to_string(run) +
            "'"
        );
    }
    int ensure(int weeks) { return db_.loop().run(db_.pg().ensure_partitions(weeks)); }
    std::vector<std::string> drop(Duration keep) {
        return db_.loop().run(db_.pg().drop_old_partitions(keep));
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
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

TEST_F(Partitions, RetentionDropsAWholeOldWeek) {
    make_old_week(10);
    const auto worker = db_.worker();
    const auto run = start_at(10 * 7 * 24h, worker);
    EXPECT_EQ(partition_of(run), "pawl.event_" + old_week(10));
    auto failed = closing(worker, run, RunStatus::failed);
    db_.commit(failed);
    EXPECT_TRUE(drop(20 * 7 * 24h).empty());
    EXPECT_EQ(db_.status(run), "failed");

    const auto dropped = drop(4 * 7 * 24h);
    EXPECT_EQ(dropped, (std::vector<std::string>{"event_" + old_week(10), "run_" + old_week(10)}));
    EXPECT_EQ(db_.status(run), "none");
    EXPECT_TRUE(db_.log(run).empty());
    EXPECT_EQ(session_.value("select count(*)::text from pawl.correlation"), "0");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.dead_letter"), "0");
    EXPECT_TRUE(drop(4 * 7 * 24h).empty());
}

TEST_F(Partitions, RetentionKeepsAWeekWithAnOpenRun) {
    make_old_week(10);
    make_old_week(11);
    const auto worker = db_.worker();
    const auto open = start_at(10 * 7 * 24h, worker);
    const auto closed = start_at(11 * 7 * 24h, worker);
    db_.commit(closing(worker, closed));
    const auto dropped = drop(4 * 7 * 24h);
    EXPECT_EQ(dropped, (std::vector<std::string>{"event_" + old_week(11), "run_" + old_week(11)}));
    EXPECT_EQ(db_.log(open).size(), 1u);
    db_.commit(closing(worker, open));
    EXPECT_EQ(drop(4 * 7 * 24h).size(), 2u);
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
