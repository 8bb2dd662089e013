#include "cli_program.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/runs.hpp"
#include "support/step_sink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

// How a worker ends, or does not: signals under load, and a process that was frozen for so long
// that it was declared dead.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr int steps_per_run = 3;

class Stop : public testing::Test {
protected:
    Stop() : pool_(loop_.context().get_executor(), pool_options()), store_(pool_) {
        workflow_ =
            loop_.run(store_.apply_workflow(store::default_tenant, effects(steps_per_run))).id;
    }

    void start_runs(int count) {
        store::StartBatch batch;
        for (int i = 0; i < count; ++i) batch.runs.push_back(new_run(workflow_));
        EXPECT_TRUE(loop_.run(store_.start_runs(batch)).empty());
        runs_ += count;
    }

    std::unique_ptr<Program> worker(const StepSink& sink, std::vector<std::string> more = {}) {
        Call call{{"worker", "--functions-url", sink.url()}};
        call.args.insert(call.args.end(), more.begin(), more.end());
        call.env["DATABASE_URL"] = database_.url();
        return std::make_unique<Program>(call);
    }

    int count(const std::string& what) {
        return std::stoi(database_.session().value("select count(*)::text from " + what));
    }
    bool all_finish(Duration limit) {
        return eventually([this] { return count("pawl.run where status = 1") == runs_; }, limit);
    }
    void expect_whole(const StepSink& sink) {
        EXPECT_EQ(torn_logs(database_.session(), steps_per_run), std::vector<std::string>());
        EXPECT_EQ(count("pawl.live_run"), 0);
        EXPECT_EQ(count("pawl.dead_letter"), 0);
        EXPECT_EQ(sink.seen().size(), static_cast<std::size_t>(runs_ * steps_per_run));
    }

private:
    pg::PoolOptions pool_options() const {
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        return options;
    }

protected:
    TestDatabase database_;
    Loop loop_;
    pg::Pool pool_;
    store::PgStore store_;
    store::WorkflowId workflow_ = 0;
    int runs_ = 0;
};

TEST_F(Stop, SigtermUnderLoadLosesAndRepeatsNothing) {
    const StepSink sink(300ms);
    // More than are carried out at a time, so that some steps wait for their turn.
    start_runs(1500);
    const auto first = worker(sink);
    ASSERT_TRUE(eventually([&] { return sink.requests() >= 700; })) << first->err();
    const auto asked = Steady::now();
    first->signal(SIGTERM);
    EXPECT_EQ(first->wait(20s), 0) << first->err();
    // Not the whole drain time: steps that were never begun are not waited for.
    EXPECT_LT(Steady::now() - asked, 5s);

    EXPECT_EQ(count("pawl.live_run where state = 1"), 0) << "leased to a worker that is gone";
    EXPECT_EQ(count("pawl.worker"), 0);
    EXPECT_EQ(count("pawl.live_run") + count("pawl.run"), runs_);
    EXPECT_GT(count("pawl.live_run"), 0) << "there was no load";

    const auto second = worker(sink);
    EXPECT_TRUE(all_finish(60s)) << second->err();
    expect_whole(sink);
    // What was under way was waited for, so nothing had to be done again.
    for (const auto& [key, times] : sink.seen()) EXPECT_EQ(times, 1) << key;
    second->signal(SIGTERM);
    EXPECT_EQ(second->wait(20s), 0);
}

TEST_F(Stop, SigtermReleasesWhatDoesNotEndInTime) {
    const StepSink slow(1h);
    start_runs(200);
    const auto first = worker(slow, {"--drain-timeout", "1s"});
    ASSERT_TRUE(eventually([&] { return slow.requests() >= 200; })) << first->err();
    const auto asked = Steady::now();
    first->signal(SIGTERM);
    EXPECT_EQ(first->wait(20s), 0) << first->err();
    EXPECT_GE(Steady::now() - asked, 1s);
    EXPECT_LT(Steady::now() - asked, 5s);
    EXPECT_EQ(count("pawl.live_run where state = 0 and due_at <= now()"), runs_);
    EXPECT_EQ(count("pawl.worker"), 0);

    const StepSink quick;
    const auto second = worker(quick);
    EXPECT_TRUE(all_finish(30s)) << second->err();
    expect_whole(quick);
}

TEST_F(Stop, ASecondSigtermStopsAtOnce) {
    const StepSink slow(1h);
    start_runs(200);
    const auto first = worker(slow);
    ASSERT_TRUE(eventually([&] { return slow.requests() >= 200; })) << first->err();
    first->signal(SIGTERM);
    const auto drains = [&] { return first->err().find("stopping") != std::string::npos; };
    ASSERT_TRUE(eventually(drains)) << first->err();
    EXPECT_TRUE(first->running());
    const auto asked = Steady::now();
    first->signal(SIGTERM);
    EXPECT_EQ(first->wait(20s), 0) << first->err();
    EXPECT_LT(Steady::now() - asked, 3s);

    // Nothing was released; the next worker finds out by itself.
    EXPECT_EQ(count("pawl.live_run"), runs_);
    const StepSink quick;
    const auto second = worker(quick);
    EXPECT_TRUE(all_finish(30s)) << second->err();
    expect_whole(quick);
}

TEST_F(Stop, AFrozenWorkerThatWasDeclaredDeadCommitsNothingStaleAndWorksOn) {
    const StepSink sink(300ms);
    start_runs(100);
    const auto frozen = worker(sink);
    ASSERT_TRUE(eventually([&] { return sink.requests() >= 100; })) << frozen->err();
    frozen->signal(SIGSTOP);
    const auto other = worker(sink);
    ASSERT_TRUE(all_finish(30s)) << other->err();
    expect_whole(sink);
    const int events = count("pawl.event");

    frozen->signal(SIGCONT);
    const auto renewed = [&] { return count("pawl.worker") == 2; };
    EXPECT_TRUE(eventually(renewed)) << frozen->err();
    EXPECT_NE(frozen->err().find("session is over"), std::string::npos) << frozen->err();
    EXPECT_EQ(count("pawl.event"), events) << "a dead worker has written";
    expect_whole(sink);

    other->signal(SIGTERM);
    EXPECT_EQ(other->wait(20s), 0) << other->err();
    start_runs(50);
    EXPECT_TRUE(all_finish(30s)) << frozen->err();
    expect_whole(sink);
    frozen->signal(SIGTERM);
    EXPECT_EQ(frozen->wait(20s), 0) << frozen->err();
    EXPECT_EQ(count("pawl.worker"), 0);
}

}  // namespace
}  // namespace pawl::test
