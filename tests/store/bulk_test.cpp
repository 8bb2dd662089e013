#include "store/repos/bulk.hpp"

#include "app/jobs/bulk_jobs.hpp"
#include "app/jobs/job_runner.hpp"
#include "base/json.hpp"
#include "engine/async/coroutine_group.hpp"
#include "store/pg/run_filter_params.hpp"
#include "store/under_test.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

// One thing done to all runs that match.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class BulkPg : public ::testing::Test {
protected:
    store::RunFilter of(const std::string& workflow, const std::string& action) {
        store::RunFilter filter;
        filter.workflow = workflow;
        return store::fitting(filter, action).value();
    }
    store::Job make(const store::RunFilter& filter, const store::BulkAction& action) {
        const auto count =
            db_.loop().run(jobs_.count_runs({}, filter, action.action == "retry", 3, 1'000'000));
        return db_.loop().run(
            jobs_.create_bulk(new_run_id().uuid, 1, filter, store::to_request(action), count.total)
        );
    }
    store::Job next(const store::Job& job) {
        return db_.loop().run(bulk_.next_part(job, 1min)).value();
    }
    store::Job to_end(store::Job job) {
        for (int parts = 0; !job.is_over(); ++parts) {
            if (parts > 100) throw std::runtime_error("the job does not end");
            job = next(job);
        }
        return job;
    }
    // By a runner, until the job is over.
    asio::awaitable<store::Job> worked_off(app::JobRunner& runner, Uuid id) {
        const auto executor = db_.loop().context().get_executor();
        engine::CoroutineGroup group(executor);
        group.spawn(runner.run());
        std::optional<store::Job> job;
        while (!job || !job->is_over()) {
            engine::Gate soon(executor);
            co_await soon.wait(Steady::now() + 5ms);
            job = co_await jobs_.find(1, id);
        }
        group.cancel();
        co_await group.join();
        co_return *job;
    }
    // Runs of a real definition, for what is folded.
    std::vector<RunId> started(const std::string& workflow, int count) {
        std::vector<RunId> runs;
        for (int i = 0; i < count; ++i) {
            const auto text = session_.value("select pawl.start('" + workflow + "')::text");
            runs.push_back(RunId{parse_uuid(text).value()});
        }
        return runs;
    }
    void define(const std::string& name) {
        db_.apply(
            parse_definition("name: " + name + "\nsteps: [{name: a, code: f}, {name: b, code: f}]")
                .value()
        );
    }
    app::JobRunner make_runner() {
        app::JobRunner runner(db_.loop().context().get_executor(), jobs_);
        runner.next_bulk_part = [this](store::Job part, Duration lease) {
            return bulk_.next_part(std::move(part), lease);
        };
        return runner;
    }
    // The database takes parts of jobs back for which this holds.
    void refuse_parts(const std::string& condition, const std::string& sqlstate) {
        session_.script(fmt::format(
            "create function public.refuse() returns trigger language plpgsql as $$ begin "
            "if new.done > old.done and {} then raise exception 'taken back' using errcode = "
            "'{}'; end if; return new; end $$;"
            "create trigger refuse before update on pawl.job for each row execute function "
            "public.refuse()",
            condition,
            sqlstate
        ));
    }
    std::string signals() { return session_.value("select count(*)::text from pawl.signal"); }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    store::Jobs jobs_{db_.pool()};
    store::Heads heads_{db_.pool()};
    store::Versions versions_{db_.pool()};
    app::Programs programs_{db_.loop().context().get_executor(), db_.pg(), heads_, versions_};
    app::Starter starter_{
        db_.loop().context().get_executor(),
        [](std::vector<engine::StartRequest>,
           bool) -> asio::awaitable<std::vector<engine::Started>> {
            co_return std::vector<engine::Started>();
        }};
    app::MigrateJobs migrations_{jobs_, programs_, versions_};
    store::MessageLog messages_{db_.pool()};
    app::BulkJobs bulk_{db_.pg(), jobs_, programs_, starter_, migrations_, messages_};
};

TEST_F(BulkPg, AFilterSurvivesTheJob) {
    store::RunFilter filter;
    filter.workflow = "w";
    filter.status = {"failed", "cancelled"};
    filter.subject = "s";
    filter.correlation_id = "c";
    filter.created_after = parse_rfc3339("2026-01-31T09:00:00Z");
    filter.created_before = parse_rfc3339("2026-02-01T09:00:00Z");
    filter.error = "timeout";
    filter.where = {"data.total>100"};
    const auto kept = store::to_json(filter);
    EXPECT_EQ(store::to_json(store::run_filter_of(kept)), kept);
    EXPECT_EQ(kept.size(), 8u);
}

TEST_F(BulkPg, CountsWhatMatchesWithoutChangingAnything) {
    define("one");
    define("two");
    const auto runs = started("one", 5);
    started("two", 2);
    const auto count = db_.loop().run(jobs_.count_runs({}, of("one", "cancel"), false, 3, 100));
    EXPECT_EQ(count.total, 5);
    EXPECT_TRUE(count.complete);
    ASSERT_EQ(count.sample.size(), 3u);
    EXPECT_EQ(count.sample[0], runs[4]) << "the newest first";
    EXPECT_FALSE(db_.loop().run(jobs_.count_runs({}, of("one", "cancel"), false, 3, 4)).complete);
    EXPECT_EQ(db_.loop().run(jobs_.count_runs({}, of("one", "retry"), true, 3, 100)).total, 0);
    EXPECT_EQ(db_.loop().run(jobs_.count_runs({2, 0}, {}, false, 3, 100)).total, 0);
    EXPECT_EQ(signals(), "0");
}

TEST_F(BulkPg, CountsRunsByStatusUpToAMost) {
    define("one");
    started("one", 5);
    const auto counts = db_.loop().run(jobs_.count_by_status({}, {}, 3));
    ASSERT_EQ(counts.size(), 6u);
    EXPECT_EQ(counts[0].status, "queued");
    EXPECT_EQ(counts[0].total, 4) << "one more than the most says that there are more";
    EXPECT_FALSE(counts[0].complete);
    EXPECT_EQ(counts[4].status, "failed");
    EXPECT_EQ(counts[4].total, 0);
    EXPECT_TRUE(counts[4].complete);
    store::RunFilter some;
    some.status = {"queued", "failed"};
    some.workflow = "two";
    const auto others = db_.loop().run(jobs_.count_by_status({}, some, 3));
    ASSERT_EQ(others.size(), 2u);
    EXPECT_EQ(others[0].total, 0);
}

TEST_F(BulkPg, AJobThatWasCancelledDoesNothingMore) {
    define("one");
    started("one", 700);
    store::BulkAction action;
    action.action = "cancel";
    auto job = next(make(of("one", "cancel"), action));
    EXPECT_EQ(job.done, 500);
    const auto stopped = db_.loop().run(jobs_.cancel(1, job.id, "ann"));
    EXPECT_EQ(stopped.value().status, "cancelled");
    EXPECT_EQ(stopped->error, "cancelled by ann");
    job = next(job);
    EXPECT_TRUE(job.is_over());
    EXPECT_EQ(job.done, 500);
    EXPECT_EQ(signals(), "500");
    EXPECT_FALSE(db_.loop().run(jobs_.claim(1min))) << "no server takes it up";
    EXPECT_FALSE(db_.loop().run(jobs_.cancel(2, job.id, "thief"))) << "it is another tenant's";
    const auto done = to_end(make(of("one", "pause"), store::BulkAction{.action = "pause"}));
    EXPECT_EQ(db_.loop().run(jobs_.cancel(1, done.id, "ann")).value().status, "done");
}

// The job locks the runs in one order, another transaction in the other.
TEST_F(BulkPg, ADeadlockWithAnotherTransactionCostsAJobNothing) {
    define("one");
    started("one", 2);
    const auto job = make(of("one", "pause"), store::BulkAction{.action = "pause"});
    session_.script("create sequence public.tries");
    refuse_parts("nextval('public.tries') = 1", "40P01");
    const auto begun = Steady::now();
    app::JobRunner runner = make_runner();
    const auto over = db_.loop().run(worked_off(runner, job.id));
    EXPECT_LT(Steady::now() - begun, 10s) << "it waited for its lease to end";
    EXPECT_EQ(session_.value("select last_value::text from public.tries"), "2");
    EXPECT_EQ(over.status, "done");
    EXPECT_EQ(over.done, 2);
    EXPECT_EQ(signals(), "2");
}

TEST_F(BulkPg, AJobThatWaitsInVainLetsOthersGoFirst) {
    define("one");
    started("one", 2);
    const auto stuck = make(of("one", "pause"), store::BulkAction{.action = "pause"});
    const auto job = make(of("one", "pause"), store::BulkAction{.action = "pause"});
    refuse_parts("new.id = '" + to_string(stuck.id) + "'", "55P03");
    const auto begun = Steady::now();
    app::JobRunner runner = make_runner();
    EXPECT_EQ(db_.loop().run(worked_off(runner, job.id)).status, "done");
    EXPECT_LT(Steady::now() - begun, 3s);
    EXPECT_EQ(db_.loop().run(jobs_.find(1, stuck.id))->status, "running") << "it comes again";
}

TEST_F(BulkPg, ALongJobTakesTurnsWithOthers) {
    define("one");
    define("two");
    session_.script("select count(pawl.start('one')) from generate_series(1, 1100)");
    started("two", 1);
    const auto pause = store::BulkAction{.action = "pause"};
    const auto long_one = make(of("one", "pause"), pause);
    const auto job = make(of("two", "pause"), pause);
    refuse_parts("new.id = '" + to_string(long_one.id) + "' and pg_sleep(0.6) is null", "40P01");
    app::JobRunner runner = make_runner();
    EXPECT_EQ(db_.loop().run(worked_off(runner, job.id)).status, "done");
    const auto other = db_.loop().run(jobs_.find(1, long_one.id)).value();
    EXPECT_EQ(other.status, "running");
    EXPECT_GT(other.done, 0);
}

TEST_F(BulkPg, ARunThatIsLockedIsNotWaitedFor) {
    define("one");
    const auto runs = started("one", 3);
    const auto job = make(of("one", "cancel"), store::BulkAction{.action = "cancel"});
    Session holder(db_.database().url());
    holder.script(
        "begin; select from pawl.live_run where run_id = '" + to_string(runs[1]) + "' for update"
    );
    const auto begun = Steady::now();
    EXPECT_EQ(to_end(job).done, 3);
    EXPECT_LT(Steady::now() - begun, 3s);
    EXPECT_EQ(signals(), "3");
    holder.script("rollback");
}

TEST_F(BulkPg, JobsAreListedNewestFirst) {
    define("one");
    std::vector<Uuid> made;
    for (int i = 0; i < 3; ++i) {
        made.push_back(make(of("one", "cancel"), store::BulkAction{.action = "cancel"}).id);
    }
    store::JobFilter filter;
    filter.limit = 2;
    const auto first = db_.loop().run(jobs_.list(1, filter));
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].id, made[2]);
    filter.at = first[1].created_at;
    filter.id = first[1].id;
    const auto rest = db_.loop().run(jobs_.list(1, filter));
    ASSERT_EQ(rest.size(), 1u);
    EXPECT_EQ(rest[0].id, made[0]);
    filter = {};
    filter.status = "done";
    EXPECT_TRUE(db_.loop().run(jobs_.list(1, filter)).empty());
    EXPECT_TRUE(db_.loop().run(jobs_.list(2, {})).empty());
}

TEST_F(BulkPg, EachRunGetsOneMessage) {
    define("one");
    define("two");
    const auto runs = started("one", 1200);
    started("two", 3);
    store::BulkAction action;
    action.action = "cancel";
    action.reason = "enough";
    auto job = make(of("one", "cancel"), action);
    EXPECT_EQ(job.total, 1200);
    const auto later = started("one", 1)[0];
    const auto before = job;
    job = next(job);
    EXPECT_EQ(job.status, "running");
    EXPECT_EQ(job.done, 500);
    EXPECT_EQ(next(before).done, 500) << "another server did this part";
    EXPECT_EQ(signals(), "500");
    job = to_end(job);
    EXPECT_EQ(job.status, "done");
    EXPECT_EQ(job.done, 1200);
    EXPECT_EQ(job.failed, 0);
    EXPECT_EQ(
        session_.value("select string_agg(distinct kind || data::text, ' ') from pawl.signal"),
        "cancel{\"reason\": \"enough\"}"
    );
    EXPECT_EQ(session_.value("select count(distinct run_id)::text from pawl.signal"), "1200");
    EXPECT_EQ(
        session_.value(
            "select count(*)::text from pawl.signal where run_id = '" + to_string(later) + "'"
        ),
        "0"
    ) << "it came later";
}

TEST_F(BulkPg, ABatchThatIsLostIsDoneAgainAsAWhole) {
    define("one");
    started("one", 30);
    store::BulkAction action;
    action.action = "pause";
    const auto job = make(of("one", "pause"), action);
    session_.script(fmt::format(
        "begin; select pawl.bulk_batch('{0}', '1 s', j.cursor_run, null, "
        "array(select run_id from pawl.live_run), '{{}}', '{{}}') from pawl.job j where id = '{0}';"
        "rollback",
        to_string(job.id)
    ));
    EXPECT_EQ(signals(), "0");
    EXPECT_EQ(to_end(job).done, 30);
    EXPECT_EQ(signals(), "30");
}

TEST_F(BulkPg, SkipSaysWhichRunsAreElsewhere) {
    define("one");
    const auto runs = started("one", 3);
    const auto worker = db_.worker();
    db_.claim(worker, 1);
    db_.commit(appending(worker, runs[0], {step_completed(1, "a")}));
    store::BulkAction action;
    action.action = "skip";
    action.node = "a";
    action.by = "ann";
    action.reason = "not needed";
    action.value = 5;
    auto job = to_end(make(of("one", "skip"), action));
    EXPECT_EQ(job.done, 2);
    EXPECT_EQ(job.failed, 1);
    ASSERT_EQ(job.examples.as_array().size(), 1u);
    EXPECT_EQ(text_in(job.examples.as_array()[0], "run"), to_string(runs[0]));
    EXPECT_EQ(
        text_in(job.examples.as_array()[0], "problem"),
        "the run is not at the step 'a' now; it is at b"
    );
    EXPECT_EQ(
        session_.value("select distinct data::text from pawl.signal where kind = 'skip'"),
        R"({"by": "ann", "node": "a", "value": 5, "reason": "not needed"})"
    );
    action.node = "z";
    job = to_end(make(of("one", "skip"), action));
    EXPECT_EQ(job.done, 0);
    EXPECT_EQ(job.failed, 3);
}

TEST_F(BulkPg, RetryLeavesOutWhatWasRetried) {
    define("one");
    const auto runs = started("one", 4);
    const auto worker = db_.worker();
    db_.claim(worker);
    for (const RunId& run : runs) {
        auto close = closing(worker, run, RunStatus::failed);
        close.events[0].event.type = EventType::run_failed;
        close.closes[0].workflow = db_.find_workflow("one")->id;
        db_.commit(close);
    }
    store::BulkAction action;
    action.action = "retry";
    auto job = make(of("one", "retry"), action);
    EXPECT_EQ(job.total, 4);
    // One of them is retried meanwhile.
    session_.script(fmt::format(
        "select pawl.retry_runs(0::smallint, 1, array['{}']::uuid[], array[pawl.uuid7()])",
        to_string(runs[1])
    ));
    job = to_end(job);
    EXPECT_EQ(job.done, 3);
    EXPECT_EQ(job.failed, 0);
    EXPECT_EQ(session_.value("select count(distinct retried_as)::text from pawl.run"), "4");
    EXPECT_EQ(make(of("one", "retry"), action).total, 0);
}

TEST_F(BulkPg, StopsAtItsLimitAndKeepsAFewExamples) {
    define("one");
    started("one", 40);
    store::BulkAction action;
    action.action = "skip";
    action.node = "b";
    action.limit = 25;
    const auto job = to_end(make(of("one", "skip"), action));
    EXPECT_EQ(job.failed, 25);
    EXPECT_EQ(job.examples.as_array().size(), 10u);
}

TEST_F(BulkPg, OnlyRunsThatTheActionIsFor) {
    store::RunFilter filter;
    EXPECT_FALSE(store::has_condition(filter));
    filter.status = {"waiting", "failed"};
    const auto fitting = store::fitting(filter, "cancel");
    ASSERT_FALSE(fitting);
    EXPECT_EQ(
        fitting.error().message, "cancel is for runs that are queued, running, waiting, not failed"
    );
    EXPECT_TRUE(store::fitting(filter, "retry").has_error());
}

}  // namespace
}  // namespace pawl::test
