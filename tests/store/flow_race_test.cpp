#include "base/rng.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

#include <memory>

// Many workers at once over few gates, on a real Postgres: locks in any order must not deadlock
// for long, and counts must stay right.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr int workers = 6;
constexpr int runs_each = 60;
constexpr int limit = 2;

struct Race {
    store::Store& store;
    Session& other;
    store::WorkflowId workflow = 0;
    int closed = 0;
    std::string problem;

    // While transactions of others are under way.
    void look() {
        const auto found = other.column(
            "select problem from pawl.flow_problems(0::smallint) union all "
            "select 'too many' from pawl.flow_gate where held > \"limit\""
        );
        if (!found.empty()) problem = found.front();
    }
};

store::NewRun random_run(Rng& rng, store::WorkflowId workflow) {
    store::NewRun run = new_run(workflow);
    json::array slots;
    for (std::uint64_t i = 0, count = 1 + rng.below(2); i < count; ++i) {
        slots.push_back(json::array{fmt::format("1/1/{}/{}", i, rng.below(3)), limit});
    }
    run.flow = json::object{{"slots", std::move(slots)}};
    run.lease = true;
    return run;
}

// Tries again as a worker would: a deadlock is a failure that passes.
asio::awaitable<std::vector<store::Existing>> start(Race& race, store::StartBatch batch) {
    for (;;) {
        try {
            co_return co_await race.store.start_runs(batch);
        } catch (const Failure& failure) {
            if (!info(failure.error().code).retryable) throw;
        }
        batch.resend = true;
    }
}

asio::awaitable<void> close(Race& race, WorkerId worker, std::vector<RunId> runs) {
    store::CommitBatch batch;
    batch.worker = worker;
    for (const RunId& run : runs) {
        auto one = closing(worker, run);
        batch.events.push_back(std::move(one.events.front()));
        batch.closes.push_back(std::move(one.closes.front()));
    }
    for (bool done = false; !done;) {
        try {
            co_await race.store.commit_runs(batch);
            done = true;
        } catch (const Failure& failure) {
            if (!info(failure.error().code).retryable) throw;
        }
        batch.resend = true;
    }
    race.closed += static_cast<int>(runs.size());
}

asio::awaitable<int> work(Race& race, WorkerId worker, std::uint64_t seed) {
    Rng rng(seed);
    int started = 0;
    while (started < runs_each || race.closed < workers * runs_each) {
        std::vector<RunId> held;
        if (started < runs_each) {
            store::StartBatch batch;
            batch.worker = worker;
            for (int i = 0; i < 5; ++i, ++started) {
                batch.runs.push_back(random_run(rng, race.workflow));
                held.push_back(batch.runs.back().id);
            }
            for (const auto& one : co_await start(race, batch)) std::erase(held, one.requested);
        }
        const auto turn = static_cast<std::uint32_t>(rng.below(100));
        for (const auto& row : (co_await race.store.claim_runs({0, worker, 7, turn})).log) {
            if (row.event.seq == 0) held.push_back(row.run);
        }
        race.look();
        if (!held.empty()) co_await close(race, worker, std::move(held));
    }
    co_return started;
}

TEST(FlowRacePg, CountsStayRightAndEveryRunGetsIn) {
    PgUnderTest db;
    Session other(db.database().url());
    Race race{db.store(), other, db.workflow(), 0, ""};
    std::vector<asio::awaitable<int>> tasks;
    for (int i = 0; i < workers; ++i) {
        tasks.push_back(work(race, db.worker(), static_cast<std::uint64_t>(i + 1)));
    }
    db.loop().run_all(std::move(tasks));
    EXPECT_EQ(race.problem, "");
    EXPECT_EQ(race.closed, workers * runs_each);
    auto& session = db.database().session();
    for (const char* table : {"live_run", "flow_gate", "flow_wait"}) {
        EXPECT_EQ(session.value(fmt::format("select count(*)::text from pawl.{}", table)), "0")
            << table;
    }
}

}  // namespace
}  // namespace pawl::test
