#include "engine/services/scheduler.hpp"

#include "store/under_test.hpp"

#include <fmt/core.h>

#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// Whose next slot a test sets, and which has no other one in sight.
const std::string rarely = "0 3 1 1 *";

struct Spec {
    std::string cron = "* * * * *";
    std::string overlap = "allow";
    std::string input = "{}";
    std::string catch_up = "1 hour";
    std::string zone = "UTC";
};

// Schedules are put right into their table, with the next slot in the past: what is due is decided
// by the test, not by the clock.
class SchedulerPg : public ::testing::Test {
protected:
    // A schedule whose next slot is the minute `ago` before this one.
    int schedule(const Spec& spec, std::chrono::minutes ago = 0min) {
        sql_.script(fmt::format(
            "insert into pawl.schedule (tenant, workflow, place, cron, timezone, overlap, "
            "catch_up_ms, jitter_ms, input, active, next_at, due_at) values (1, {}, 0, '{}', '{}', "
            "'{}', extract(epoch from interval '{}') * 1000, 0, '{}', true, "
            "date_trunc('minute', now()) - interval '{} minutes', now() - interval '1 second')",
            workflow_,
            spec.cron,
            spec.zone,
            spec.overlap,
            spec.catch_up,
            spec.input,
            ago.count()
        ));
        return std::stoi(sql_.value("select max(id)::text from pawl.schedule"));
    }
    // Looks until nothing is due any more.
    void look() {
        for (int round = 0; round < 1000; ++round) {
            db_.loop().run(scheduler_.look());
            if (sql_.value(
                    "select count(*)::text from pawl.schedule where active and (paused_at is null "
                    "and due_at <= now() or backfill_due <= now())"
                ) == "0") {
                return;
            }
        }
        FAIL() << "never at rest";
    }
    std::string one(const std::string& expression, int id) {
        return sql_.value(
            fmt::format("select ({})::text from pawl.schedule where id = {}", expression, id)
        );
    }
    std::string runs() { return sql_.value("select count(*)::text from pawl.live_run"); }
    // The slots that have a run.
    std::set<std::string> slots(int id) {
        const auto keys = sql_.column(fmt::format(
            "select c.key from pawl.correlation c where c.key like 'schedule:{}:%' and exists ("
            "select 1 from pawl.event e where e.run_id = c.run_id and e.seq = 0)",
            id
        ));
        return {keys.begin(), keys.end()};
    }
    void close_all() {
        const WorkerId worker = db_.worker();
        for (const RunId run : db_.claim_ids(worker)) db_.commit(closing(worker, run));
    }

    PgUnderTest db_;
    Session& sql_ = db_.database().session();
    store::WorkflowId workflow_ = db_.workflow("nightly");
    store::Schedules schedules_{db_.pool()};
    engine::Metrics metrics_;
    store::Tenants tenants_{db_.pool()};
    engine::StartLimits limits_{tenants_};
    engine::Scheduler scheduler_{
        db_.loop().context().get_executor(), db_.store(), schedules_, limits_, metrics_};
};

// Every process has one of its own.
struct Other {
    explicit Other(PgUnderTest& db)
        : schedules(db.pool()),
          tenants(db.pool()),
          limits(tenants),
          scheduler(db.loop().context().get_executor(), db.store(), schedules, limits, metrics) {}
    store::Schedules schedules;
    store::Tenants tenants;
    engine::StartLimits limits;
    engine::Metrics metrics;
    engine::Scheduler scheduler;
};

asio::awaitable<bool> look_often(engine::Scheduler& scheduler, int rounds) {
    for (int i = 0; i < rounds; ++i) co_await scheduler.look();
    co_return true;
}

TEST_F(SchedulerPg, ANewOneIsWorkedOut) {
    const int id = schedule({rarely});
    sql_.script("update pawl.schedule set next_at = null");
    look();
    const auto expected = next_slot(parse_cron(rarely).value(), {}, db_.now() - 1min).value();
    const auto found = db_.loop().run(schedules_.find({}, id));
    EXPECT_EQ(found->next_at, expected);
    EXPECT_EQ(found->due_at, expected);
    EXPECT_EQ(runs(), "0");
}

TEST_F(SchedulerPg, ADueSlotStartsARun) {
    const int id = schedule({rarely, "allow", R"({"day": "{{schedule.date}}", "n": 1})"});
    int woken = 0;
    scheduler_.on_ready = [&woken] { ++woken; };
    look();
    EXPECT_EQ(runs(), "1");
    EXPECT_EQ(woken, 1);
    const auto found = db_.loop().run(schedules_.find({}, id));
    EXPECT_EQ(found->fired, 1);
    EXPECT_EQ(found->next_at, next_slot(parse_cron(rarely).value(), {}, *found->last_slot));
    ASSERT_TRUE(found->last_run);
    const auto run = db_.find(*found->last_run);
    EXPECT_EQ(run->triggered_by, "schedule");
    EXPECT_EQ(run->workflow, "nightly");
    EXPECT_EQ(run->correlation_id, slot_key(id, *found->last_slot));
    const std::string day = to_rfc3339(*found->last_slot).substr(0, 10);
    EXPECT_EQ(run->input, json::value({{"day", day}, {"n", 1}}));
}

TEST_F(SchedulerPg, ASlotBeyondTheLimitOfItsTenantWaits) {
    const int id = schedule({rarely, "allow"});
    sql_.script("update pawl.tenant set open_runs_max = 1 where id = 1");
    db_.start({new_run(workflow_)});
    look();
    EXPECT_EQ(runs(), "1");
    EXPECT_EQ(one("fired + missed + skipped", id), "0");
    EXPECT_EQ(
        one("problem", id),
        "a slot waits: your organization may have 1 open runs; try again when some have ended"
    );
    EXPECT_EQ(one("next_at <= now() and due_at > now()", id), "true") << "the same slot, soon";
    // There is room: it fires, late as it is.
    close_all();
    sql_.script("update pawl.schedule set due_at = now()");
    Other later(db_);
    db_.loop().run(later.scheduler.look());
    EXPECT_EQ(one("fired", id), "1");
    EXPECT_EQ(one("problem is null", id), "true");
    EXPECT_EQ(slots(id).size(), 1U);
}

TEST_F(SchedulerPg, ASlotThatWaitedBeyondItsCatchUpWasMissed) {
    const int id = schedule({"* * * * *", "allow", "{}", "10 minutes"}, 5min);
    sql_.script("update pawl.tenant set open_runs_max = 1 where id = 1");
    db_.start({new_run(workflow_)});
    look();
    sql_.script("update pawl.schedule set due_at = now(), catch_up_ms = 1");
    look();
    EXPECT_EQ(one("fired = 0 and missed > 0", id), "true");
}

TEST_F(SchedulerPg, ABackfillWaitsForRoomToo) {
    const int id = schedule({rarely, "allow"});
    sql_.script(
        "update pawl.tenant set open_runs_max = 1 where id = 1; update pawl.schedule set "
        "backfill_at = now() - interval '40 years', backfill_to = now() - interval '1 year', "
        "backfill_due = now()"
    );
    db_.start({new_run(workflow_)});
    look();
    EXPECT_EQ(one("backfill_at is not null and backfill_due > now() + '500 ms'", id), "true");
    EXPECT_EQ(one("fired", id), "0");
}

TEST_F(SchedulerPg, ManyAtOnceFireEverySlotOnce) {
    std::vector<int> ids;
    for (int i = 0; i < 40; ++i) ids.push_back(schedule({}, 20min));
    std::vector<std::unique_ptr<Other>> others;
    std::vector<asio::awaitable<bool>> looking;
    for (int i = 0; i < 4; ++i) {
        others.push_back(std::make_unique<Other>(db_));
        looking.push_back(look_often(others.back()->scheduler, 10));
    }
    db_.loop().run_all(std::move(looking));
    for (const int id : ids) {
        EXPECT_EQ(one("fired", id), std::to_string(slots(id).size()));
        EXPECT_GE(slots(id).size(), 21U);
    }
    EXPECT_EQ(
        sql_.value("select (count(*) = (select sum(fired) from pawl.schedule))::text "
                   "from pawl.live_run"),
        "true"
    );
}

TEST_F(SchedulerPg, ACrashBetweenStartAndMoveLeavesNothing) {
    const int id = schedule({rarely});
    sql_.script(
        "create function public.crash() returns trigger language plpgsql as "
        "'begin raise exception ''crash''; end'; create trigger crash before update on "
        "pawl.schedule for each row when (new.fired > old.fired) execute function public.crash()"
    );
    db_.loop().run(scheduler_.look());
    EXPECT_EQ(runs(), "0");
    EXPECT_EQ(one("fired", id), "0");
    EXPECT_EQ(one("problem like '%crash%'", id), "true");
    sql_.script("drop trigger crash on pawl.schedule; update pawl.schedule set due_at = now()");
    look();
    EXPECT_EQ(one("fired", id), std::to_string(slots(id).size()));
    EXPECT_NE(runs(), "0");
}

TEST_F(SchedulerPg, ADecisionThatComesTooLateChangesNothing) {
    const int id = schedule({rarely});
    const auto due = db_.loop().run(schedules_.due(0, 0s, 10));
    ASSERT_EQ(due.size(), 1U);
    look();
    const std::string fired = one("fired", id);
    auto late = engine::plan_slots(due[0], parse_cron(rarely).value(), {}, 100);
    auto run = new_run(workflow_);
    run.correlation = "another";
    late.runs = {run};
    EXPECT_FALSE(db_.loop().run(schedules_.move(late)));
    EXPECT_EQ(one("fired", id), fired);
    EXPECT_EQ(runs(), fired);
}

TEST_F(SchedulerPg, ASlotThatHasItsRunIsNotStartedAgain) {
    const int id = schedule({rarely});
    const auto due = db_.loop().run(schedules_.due(0, 0s, 10));
    auto run = new_run(workflow_);
    run.correlation = slot_key(id, *due.at(0).next_at);
    db_.start({run});
    db_.loop().run(scheduler_.look());
    EXPECT_EQ(runs(), "1");
    EXPECT_EQ(one("fired", id), "0");
    EXPECT_EQ(one("next_at > now() - interval '1 minute'", id), "true") << "and it moves on";
}

TEST_F(SchedulerPg, SlotsMissedForTooLongAreCountedAndLeftOut) {
    Spec spec;
    spec.catch_up = "10 minutes";
    const int id = schedule(spec, 30min);
    look();
    const auto found = db_.loop().run(schedules_.find({}, id));
    EXPECT_GE(found->missed, 19);
    EXPECT_LE(found->missed, 21);
    EXPECT_EQ(static_cast<std::int64_t>(slots(id).size()), found->fired);
    EXPECT_GE(found->fired, 10);
}

TEST_F(SchedulerPg, SkipLeavesOutWhatOverlaps) {
    Spec spec;
    spec.overlap = "skip";
    const int id = schedule(spec, 5min);
    look();
    EXPECT_EQ(runs(), "1") << "six were due";
    EXPECT_GE(std::stoi(one("skipped", id)), 5);
    sql_.script(
        "update pawl.schedule set next_at = next_at - interval '1 day', "
        "catch_up_ms = 200000000, due_at = now()"
    );
    db_.loop().run(scheduler_.look());
    EXPECT_EQ(runs(), "1") << "still open";
    close_all();
    const Instant next = *db_.loop().run(schedules_.find({}, id))->next_at;
    sql_.script("update pawl.schedule set due_at = now()");
    if (next <= db_.now()) {
        db_.loop().run(scheduler_.look());
        EXPECT_EQ(runs(), "1") << "the one before has ended";
        EXPECT_EQ(slots(id).size(), 2U);
    }
}

TEST_F(SchedulerPg, QueueWaitsForTheEndOfTheOneBefore) {
    Spec spec;
    spec.overlap = "queue";
    const int id = schedule(spec, 3min);
    const auto look_once = [this] {
        sql_.script("update pawl.schedule set due_at = now() where due_at < now() + interval '9s'");
        db_.loop().run(scheduler_.look());
    };
    look_once();
    EXPECT_EQ(slots(id).size(), 1U);
    look_once();
    look_once();
    EXPECT_EQ(slots(id).size(), 1U) << "the first is open";
    EXPECT_EQ(one("skipped", id), "0");
    for (std::size_t done = 1; done < 4; ++done) {
        EXPECT_EQ(slots(id).size(), done);
        close_all();
        look_once();
    }
    EXPECT_EQ(slots(id).size(), 4U);
    EXPECT_EQ(one("missed", id), "0");
}

TEST_F(SchedulerPg, ARunStartedByHandCountsAsOpen) {
    Spec spec{rarely, "skip"};
    const int id = schedule(spec);
    auto run = new_run(workflow_);
    db_.start({run});
    db_.loop().run(schedules_.note_run({}, id, run.id));
    db_.loop().run(schedules_.note_run({}, id, run.id));
    look();
    EXPECT_EQ(runs(), "1");
    EXPECT_EQ(one("fired", id), "1");
}

TEST_F(SchedulerPg, ABackfillBringsWhatHasNotRun) {
    const int id = schedule({"@hourly"});
    sql_.script("update pawl.schedule set next_at = now() + interval '1 day', due_at = next_at");
    const Instant hour = std::chrono::floor<std::chrono::hours>(db_.now());
    auto run = new_run(workflow_);
    run.correlation = slot_key(id, hour - 2h);
    db_.start({run});
    db_.loop().run(schedules_.pause({}, id, ""));
    ASSERT_TRUE(db_.loop().run(schedules_.backfill({}, id, hour - 250h, hour)));
    look();
    EXPECT_EQ(slots(id).size(), 250U);
    EXPECT_EQ(one("fired", id), "249");
    EXPECT_EQ(runs(), "250");
    EXPECT_EQ(
        one("backfill_at is null and backfill_to is null and backfill_due is null", id), "true"
    );
    EXPECT_TRUE(db_.loop().run(schedules_.backfill({}, id, hour - 250h, hour))) << "once more";
    look();
    EXPECT_EQ(runs(), "250");
}

TEST_F(SchedulerPg, ABackfillGoesOneByOneWhereRunsMayNotOverlap) {
    Spec spec{"@hourly", "skip"};
    const int id = schedule(spec);
    sql_.script("update pawl.schedule set next_at = now() + interval '1 day', due_at = next_at");
    const Instant hour = std::chrono::floor<std::chrono::hours>(db_.now());
    ASSERT_TRUE(db_.loop().run(schedules_.backfill({}, id, hour - 3h, hour)));
    for (std::size_t done = 1; done <= 3; ++done) {
        sql_.script("update pawl.schedule set backfill_due = now() where backfill_at is not null");
        db_.loop().run(scheduler_.look());
        db_.loop().run(scheduler_.look());
        EXPECT_EQ(slots(id).size(), done);
        close_all();
    }
    EXPECT_EQ(one("skipped", id), "0");
    EXPECT_EQ(one("backfill_at is null", id), "true");
}

TEST_F(SchedulerPg, WhatCannotBeUnderstoodSaysSoAndRests) {
    Spec spec;
    spec.zone = "Europe/Berln";
    const int id = schedule(spec);
    look();
    EXPECT_EQ(
        one("problem", id), "'Europe/Berln' is not a time zone, did you mean 'Europe/Berlin'?"
    );
    EXPECT_EQ(runs(), "0");
    const int other = schedule({"* * * * *", "allow", R"({"a": "{{nothing}}"})"});
    look();
    EXPECT_EQ(one("problem", other), "the input: undefined: nothing");
    EXPECT_NE(one("missed", other), "0");
    EXPECT_EQ(runs(), "0");
    sql_.script(fmt::format(
        "update pawl.schedule set input = '{{}}', next_at = now(), due_at = now() where id = {}",
        other
    ));
    look();
    EXPECT_EQ(one("problem is null", other), "true") << "mended";
}

TEST_F(SchedulerPg, JitterMovesTheMomentNotTheSlot) {
    const int id = schedule({"@hourly"});
    sql_.script("update pawl.schedule set jitter_ms = 600000, next_at = null, since = now()");
    look();
    const auto found = db_.loop().run(schedules_.find({}, id));
    EXPECT_EQ(*found->due_at, *found->next_at + slot_delay(id, *found->next_at, 10min));
    EXPECT_EQ(std::chrono::floor<std::chrono::hours>(*found->next_at), *found->next_at);
}

TEST_F(SchedulerPg, TheNextLookIsWhenSomethingIsDue) {
    schedule({"@hourly"});
    sql_.script("update pawl.schedule set due_at = now() + interval '300 milliseconds'");
    const auto before = Steady::now();
    const auto next = db_.loop().run(scheduler_.look());
    EXPECT_LT(next - before, 600ms);
    sql_.script("update pawl.schedule set due_at = now() + interval '1 hour'");
    EXPECT_GT(db_.loop().run(scheduler_.look()) - Steady::now(), 700ms);
}

}  // namespace
}  // namespace pawl::test
