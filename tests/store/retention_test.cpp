#include "store/old_weeks.hpp"

#include <atomic>
#include <thread>

// Weeks beyond the retention go, without stopping who works meanwhile, and without what is needed.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class Retention : public OldWeeks {
protected:
    static constexpr Duration keep = 4 * week;

    // One step of the process `token`; what it did, empty when nothing is left.
    std::string step(int token) {
        const auto done = session_.column(fmt::format(
            "select coalesce(did, '') || case when busy then ' busy' else '' end from pawl.retain("
            "'00000000-0000-7000-8000-00000000000{}', interval '4 weeks', 2, interval '2 s')",
            token
        ));
        return done.at(0);
    }
    void finish(int token) {
        for (int i = 0; i < 1000; ++i) {
            if (step(token).empty()) return;
        }
        FAIL() << "retention does not come to an end";
    }
    void append(WorkerId worker, RunId run) {
        Event event;
        event.seq = static_cast<std::int32_t>(db_.log(run).size());
        event.type = EventType::step_completed;
        event.node = "n";
        db_.commit(appending(worker, run, {event}));
    }
    std::string left_over() {
        return session_.value(
            "select coalesce(string_agg(relname, ' ' order by relname), '') from pg_class "
            "where relnamespace = 'pawl'::regnamespace and relkind = 'r' "
            "and relname ~ '^(event|run)_(gone|keeping|kept)'"
        );
    }
};

TEST_F(Retention, DropsAWholeOldWeek) {
    make_old_week(10);
    const auto worker = db_.worker();
    const auto run = start_at(10 * week, worker);
    EXPECT_EQ(partition_of(run), "pawl.event_" + old_week(10));
    db_.commit(closing(worker, run, RunStatus::failed));
    age_closed_runs();
    EXPECT_TRUE(drop(20 * week).empty());
    EXPECT_EQ(db_.status(run), "failed");

    const auto dropped = drop(keep);
    EXPECT_EQ(dropped, (std::vector<std::string>{"event_" + old_week(10), "run_" + old_week(10)}));
    EXPECT_EQ(db_.status(run), "none");
    EXPECT_TRUE(db_.log(run).empty());
    EXPECT_EQ(count("correlation"), "0");
    EXPECT_EQ(count("dead_letter"), "0");
    EXPECT_TRUE(drop(keep).empty());
    EXPECT_EQ(left_over(), "");
}

// One run that stays open does not keep its week, nor those after it.
TEST_F(Retention, CarriesOverWhatIsOpenAndWhatClosedLately) {
    for (int weeks : {12, 11, 10}) make_old_week(weeks);
    const auto worker = db_.worker();
    const auto open = start_at(12 * week, worker);
    const auto lately = start_at(11 * week, worker);
    const auto closed = start_at(12 * week, worker);
    const auto other = start_at(10 * week, worker);
    db_.commit(closing(worker, closed));
    db_.commit(closing(worker, other));
    age_closed_runs();
    db_.commit(closing(worker, lately, RunStatus::failed));
    append(worker, open);

    EXPECT_EQ(drop(keep).size(), 6u);
    EXPECT_EQ(partition_of(open), "pawl.event_kept");
    EXPECT_EQ(db_.log(open).size(), 2u);
    EXPECT_EQ(db_.status(lately), "failed");
    EXPECT_EQ(db_.log(lately).size(), 2u);
    EXPECT_EQ(db_.status(closed), "none");
    EXPECT_EQ(db_.status(other), "none");
    EXPECT_EQ(count("correlation"), "2") << "of the two that are left";
    EXPECT_EQ(count("dead_letter"), "1");

    // It goes on as if nothing had been, and goes with a later week, as long after its end.
    append(worker, open);
    EXPECT_EQ(db_.log(open).size(), 3u);
    db_.commit(closing(worker, open, RunStatus::completed, 3));
    EXPECT_EQ(db_.status(open), "completed");
    make_old_week(9);
    EXPECT_EQ(drop(keep).size(), 2u);
    EXPECT_EQ(db_.status(open), "completed");
    EXPECT_EQ(db_.log(open).size(), 4u);
    age_closed_runs();
    make_old_week(8);
    EXPECT_EQ(drop(keep).size(), 2u);
    EXPECT_EQ(db_.status(open), "none");
    EXPECT_TRUE(db_.log(open).empty());
    EXPECT_EQ(count("correlation"), "0");
    EXPECT_EQ(count("dead_letter"), "0");
    EXPECT_EQ(left_over(), "");
}

// Whatever happens between two steps, and wherever a process dies for another to go on.
TEST_F(Retention, NothingIsLostBetweenStepsNorWhenAProcessDies) {
    const auto worker = db_.worker();
    bool ended = false;
    for (int steps = 0; !ended; ++steps) {
        ASSERT_LT(steps, 100);
        make_old_week(10);
        const auto open = start_at(10 * week, worker);
        const auto closing_later = start_at(10 * week, worker);
        std::vector<RunId> closed;
        for (int i = 0; i < 5; ++i) {
            closed.push_back(start_at(10 * week, worker));
            db_.commit(closing(worker, closed.back()));
        }
        age_closed_runs();
        std::size_t events = 1;
        for (int i = 0; i < steps && !ended; ++i) {
            append(worker, open);
            ++events;
            ended = step(1).empty();
        }
        const auto late = start_at(10 * week, worker);
        db_.commit(closing(worker, closing_later));
        // The first process is dead: its lease runs out.
        EXPECT_EQ(step(2).empty(), steps > 0) << "while the first may still be alive";
        session_.script("update pawl.retention set lease_until = now() - interval '1 s'");
        while (!step(2).empty()) {
            append(worker, open);
            ++events;
        }
        EXPECT_EQ(db_.log(open).size(), events) << "after step " << steps;
        EXPECT_EQ(db_.log(late).size(), 1u) << "after step " << steps;
        EXPECT_EQ(db_.status(closing_later), "completed") << "after step " << steps;
        EXPECT_EQ(db_.log(closing_later).size(), 2u) << "after step " << steps;
        for (const RunId run : closed) EXPECT_EQ(db_.status(run), "none");
        EXPECT_EQ(
            session_.value("select to_regclass('pawl.event_" + old_week(10) + "')::text"), ""
        );
        db_.commit(closing(worker, open, RunStatus::completed, static_cast<std::int32_t>(events)));
        db_.commit(closing(worker, late));
        age_closed_runs();
        // A week after it takes away what was carried over.
        make_old_week(9);
        session_.script("update pawl.retention set lease_until = null");
        finish(3);
        EXPECT_EQ(left_over(), "") << "after step " << steps;
        EXPECT_EQ(count("run"), "0") << "after step " << steps;
        EXPECT_EQ(count("event"), "0") << "after step " << steps;
    }
}

TEST_F(Retention, RunsInTheDefaultPartitionGoToo) {
    const auto worker = db_.worker();
    const auto old = start_at(3650 * 24h, worker);
    const auto open = start_at(3640 * 24h, worker);
    EXPECT_EQ(partition_of(old), "pawl.event_default");
    db_.commit(closing(worker, old, RunStatus::failed));
    EXPECT_TRUE(drop(keep).empty());
    EXPECT_EQ(db_.status(old), "failed") << "it closed a moment ago";
    age_closed_runs();
    EXPECT_TRUE(drop(keep).empty());
    EXPECT_EQ(db_.status(old), "none");
    EXPECT_TRUE(db_.log(old).empty());
    EXPECT_EQ(count("dead_letter"), "0");
    EXPECT_EQ(db_.log(open).size(), 1u);
}

// A transaction that has been open for long holds up retention, but who starts runs meanwhile does
// not wait behind it.
TEST_F(Retention, AStartDoesNotWaitBehindRetentionThatWaits) {
    make_old_week(10);
    Session reader(db_.database().url());
    reader.script("begin; select count(*) from pawl.event, pawl.run");
    std::vector<std::string> dropped;
    std::atomic<bool> over = false;
    std::thread retiring([&] {
        dropped = drop(keep);
        over = true;
    });
    Session starter(db_.database().url());
    starter.script("set lock_timeout = '2s'");
    const auto waits_for_swap = [&] {
        return starter.value("select coalesce(step, '') from pawl.retention") == "swap run";
    };
    const auto deadline = Steady::now() + 30s;
    while (!waits_for_swap() && Steady::now() < deadline) std::this_thread::yield();
    EXPECT_TRUE(waits_for_swap());
    for (int i = 0; i < 200; ++i) {
        starter.script(
            "begin; lock table only pawl.event in row exclusive mode; lock table only pawl.run in "
            "row exclusive mode; commit"
        );
    }
    EXPECT_FALSE(over) << "the reader still holds the table";
    reader.script("rollback");
    retiring.join();
    EXPECT_EQ(dropped.size(), 2u);
}

// Starts and commits go on while weeks go: none fails, none waits for a lock for long.
TEST_F(Retention, StartsAndCommitsGoOnMeanwhile) {
    const auto worker = db_.worker();
    for (int weeks : {12, 11, 10}) make_old_week(weeks);
    std::vector<RunId> open;
    for (int weeks : {12, 11, 10}) {
        for (int i = 0; i < 20; ++i) open.push_back(start_at(weeks * week, worker));
    }
    session_.script(
        "insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, "
        "status) select pawl.uuid7_bound(now() - interval '11 weeks' + i * interval '1 ms'), "
        "now() - interval '11 weeks', now() - interval '11 weeks', 1, 1, 1, 0, 1 "
        "from generate_series(1, 20000) i;"
        "insert into pawl.event (run_id, at, seq, bucket, type) "
        "select r.run_id, r.closed_at, s, 0, s from pawl.run r, generate_series(0, 2) s"
    );
    const std::string url = db_.database().url();
    std::atomic<bool> over = false;
    std::atomic<int> done = 0;
    std::atomic<int> failed = 0;
    std::thread working([&] {
        Session session(url);
        session.script("set lock_timeout = '1s'; set deadlock_timeout = '100ms'");
        // What a start and a commit write, to this week and to the old ones.
        for (int i = 1; !over; ++i) {
            try {
                session.script(fmt::format(
                    "begin; insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, "
                    "version, bucket, status) values (pawl.uuid7(), now(), now(), 1, 1, 1, 0, 1); "
                    "insert into pawl.event (run_id, at, seq, bucket, type) values "
                    "(pawl.uuid7(), now(), 0, 0, 0), ('{}', now(), {}, 0, 1); commit",
                    to_string(open[static_cast<std::size_t>(i) % open.size()]),
                    i
                ));
                ++done;
            } catch (const Failure&) {
                ++failed;
                session.script("rollback");
            }
        }
    });
    const auto dropped = drop(keep);
    over = true;
    working.join();
    EXPECT_EQ(dropped.size(), 6u);
    EXPECT_EQ(failed, 0);
    EXPECT_GT(done, 0);
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.event where type = 1 and seq > 0"),
        std::to_string(done)
    ) << "of the open runs, not one event is lost";
}

}  // namespace
}  // namespace pawl::test
