#include "engine/async/gate.hpp"
#include "store/hostile.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/working.hpp"

#include <boost/asio/co_spawn.hpp>

// Runs and starts of a hostile tenant: those of others go on.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class HostileRuns : public Hostile {};

// The claim has both of them; the log of one, and the version of another, cannot be read.
TEST_F(HostileRuns, RunsThatCannotBeReadAreHeldAndOthersGoOn) {
    const auto theirs = workflow(hostile_);
    const auto ours = workflow(1);
    std::vector<store::NewRun> made{new_run(theirs), new_run(ours)};
    made[0].tenant = hostile_;
    db_.start(made);
    sql_.script(fmt::format(
        "set session_replication_role = replica;"
        "update pawl.event set data = data || '{{\"input\": {{\"n\": 1e400}}}}' where run_id = "
        "'{}';"
        "set session_replication_role = origin",
        to_string(made[0].id)
    ));
    Working(db_).until_closed(1);
    EXPECT_EQ(db_.status(made[1].id), "completed");
    EXPECT_EQ(sql_.value("select count(*)::text from pawl.event where type = 19"), "1")
        << "held, and said so";
}

TEST_F(HostileRuns, AVersionThatCannotBeReadHoldsItsOwnRunsOnly) {
    const auto theirs = workflow(hostile_);
    const auto ours = workflow(1);
    sql_.script(fmt::format(
        "set session_replication_role = replica;"
        "update pawl.workflow_version set definition = definition || '{{\"n\": 1e400}}' "
        "where workflow = {};"
        "set session_replication_role = origin",
        theirs
    ));
    std::vector<store::NewRun> made{new_run(theirs), new_run(ours)};
    made[0].tenant = hostile_;
    db_.start(made);
    Working(db_).until_closed(1);
    EXPECT_EQ(db_.status(made[1].id), "completed");
    EXPECT_EQ(sql_.value("select count(*)::text from pawl.event where type = 19"), "1");
}

// Starts of different callers share a transaction.
TEST_F(HostileRuns, AStartThatIsRefusedTakesNoOtherWithIt) {
    const auto theirs = workflow(hostile_);
    const auto ours = workflow(1);
    refuse_its_runs();
    http::Client client(executor_);
    const steps::CodeRegistry registry;
    const steps::Executor steps(executor_, registry, client, {});
    engine::Worker worker(executor_, db_.store(), steps, metrics_, {});
    const auto request = [&](engine::ProgramPtr of) {
        engine::StartRequest one;
        one.program = std::move(of);
        one.input = json::object();
        return std::vector<engine::StartRequest>{one};
    };
    std::size_t refused = 0;
    std::size_t started = 0;
    std::vector<engine::Started> each;
    const auto start = [&](engine::ProgramPtr of) -> asio::awaitable<bool> {
        try {
            started += (co_await worker.start(request(of))).size();
        } catch (const Failure&) {
            ++refused;
        }
        co_return true;
    };
    const auto life = [&]() -> asio::awaitable<bool> {
        co_await worker.run();
        co_return true;
    };
    const auto all = [&]() -> asio::awaitable<bool> {
        const auto bad = co_await program(theirs, 1);
        const auto good = co_await program(ours, 1);
        bool ended = false;
        asio::co_spawn(executor_, life(), [&](std::exception_ptr, bool) { ended = true; });
        engine::Gate pause(executor_);
        while (!worker.working()) co_await pause.wait(Steady::now() + 3ms);
        for (const auto& one : {good, bad, good, good}) {
            asio::co_spawn(executor_, start(one), [](std::exception_ptr, bool) {});
        }
        const auto deadline = Steady::now() + 60s;
        while (started + refused < 4 && Steady::now() < deadline) {
            co_await pause.wait(Steady::now() + 3ms);
        }
        std::vector<engine::StartRequest> several;
        for (const auto& one : {good, bad, good}) several.push_back(request(one)[0]);
        each = co_await worker.start_each(std::move(several));
        worker.stop_now();
        while (!ended) co_await pause.wait(Steady::now() + 3ms);
        co_return true;
    };
    db_.loop().run(all());
    EXPECT_EQ(started, 3U);
    EXPECT_EQ(refused, 1U);
    ASSERT_EQ(each.size(), 3U);
    EXPECT_FALSE(each[0].refused);
    EXPECT_TRUE(each[1].refused) << "each of them by itself";
    EXPECT_FALSE(each[2].refused);
    EXPECT_EQ(sql_.value("select count(*)::text from pawl.event where seq = 0"), "5");
}

// One run that is as large as everything that a worker may hold, and stays there.
TEST_F(HostileRuns, ALargeRunThatLastsLeavesRoomForThoseOfOthers) {
    std::vector<store::NewRun> made{new_run(workflow(hostile_, "{}", "hang"))};
    made[0].tenant = hostile_;
    made[0].data.as_object()["input"] = json::object{{"text", std::string(200'000, 'x')}};
    workflow(1, "{}", "outside");
    db_.start(made);
    Working working(db_);
    working.options.bytes_max = 100'000;
    working.options.drain_timeout = 1ms;
    bool started = false;
    working.until([&] {
        if (!started && working.executed("hang") == 1) {
            started = true;
            for (int i = 0; i < 5; ++i) sql_.value("select pawl.start('flow')::text");
        }
        return working.executed("outside") == 5;
    });
}

// A transaction that its own programs leave open keeps a request waiting for so long only.
TEST_F(HostileRuns, WhatIsAskedForATenantDoesNotWaitForLocksForLong) {
    const auto limit = [&]() -> asio::awaitable<std::string> {
        static constexpr pg::Query now{
            "lock_timeout_now", "select current_setting('lock_timeout')", 0};
        const auto rows = co_await store::call_as(db_.pool(), hostile_, now, {});
        co_return rows.text(0, 0);
    };
    EXPECT_EQ(db_.loop().run(limit()), "5s");
}

// Steps that last take most of the places; one is left for who has none.
TEST_F(HostileRuns, StepsThatLastLeavePlacesForThoseOfOthers) {
    const auto theirs = workflow(hostile_, "{}", "hang");
    workflow(1, "{}", "outside");
    std::vector<store::NewRun> made;
    for (int i = 0; i < 40; ++i) {
        made.push_back(new_run(theirs));
        made.back().tenant = hostile_;
    }
    db_.start(made);
    Working working(db_);
    working.options.steps_max = 8;
    working.options.drain_timeout = 1ms;
    bool started = false;
    working.until([&] {
        if (!started && working.executed("hang") == 7) {
            started = true;
            for (int i = 0; i < 3; ++i) sql_.value("select pawl.start('flow')::text");
        }
        return working.executed("outside") == 3;
    });
    EXPECT_EQ(working.executed("hang"), 7);
}

}  // namespace
}  // namespace pawl::test
