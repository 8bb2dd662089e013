#include "base/rng.hpp"
#include "cli_program.hpp"
#include "store/pg/migrate.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/process.hpp"
#include "support/runs.hpp"
#include "support/step_sink.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <set>

// Two real workers that are killed again and again, runs with a limit by key, and a step sink that
// sees how many of them are at work at once.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr int runs_total = 500;
constexpr int keys_total = 5;
constexpr int limit = 2;
constexpr int kills_total = 6;

class FlowChaos : public testing::Test {
protected:
    FlowChaos() {
        session_.loop().run(store::migrate_up(session_.connection()));
        pg::PoolOptions options;
        options.connect.conninfo = cluster_.url();
        pg::Pool pool(session_.loop().context().get_executor(), options);
        store::PgStore store(pool);
        Definition definition = effects(2);
        definition.flow.concurrency.push_back({"own", "{{ key }}", limit, FlowScope::workflow});
        const auto workflow =
            session_.loop().run(store.apply_workflow(store::default_tenant, definition)).id;
        store::StartBatch batch;
        for (int i = 0; i < runs_total; ++i) {
            const json::value input = json::object{{"key", i % keys_total}};
            batch.runs.push_back(new_run(workflow));
            batch.runs.back().flow = flow_ticket(definition.flow, {1, workflow}, input, "");
            keys_[to_string(batch.runs.back().id)] = i % keys_total;
        }
        session_.loop().run(store.start_runs(batch));
        for (auto& worker : workers_) worker = start_worker();
    }

    std::unique_ptr<Program> start_worker() const {
        Call call{{"worker", "--functions-url", sink_.url(), "--log-level", "warn"}};
        call.env["DATABASE_URL"] = cluster_.url();
        return std::make_unique<Program>(call);
    }

    int finished() { return std::stoi(session_.value("select count(*)::text from pawl.run")); }

    // The most runs of one key that the sink has seen at one moment.
    int most_at_once() const {
        std::map<int, std::vector<std::tuple<Steady::time_point, int, std::string>>> moments;
        for (const auto& visit : sink_.visits()) {
            const std::string run = visit.key.substr(0, 36);
            auto& own = moments[keys_.at(run)];
            own.emplace_back(visit.from, 1, run);
            own.emplace_back(visit.to, -1, run);
        }
        std::size_t most = 0;
        for (auto& [key, own] : moments) {
            std::sort(own.begin(), own.end());
            std::map<std::string, int> inside;
            for (const auto& [at, change, run] : own) {
                if ((inside[run] += change) == 0) inside.erase(run);
                most = std::max(most, inside.size());
            }
        }
        return static_cast<int>(most);
    }

    DurableCluster cluster_;
    StepSink sink_{5ms};
    Session session_{cluster_.url()};
    std::map<std::string, int> keys_;
    std::array<std::unique_ptr<Program>, 2> workers_;
};

TEST_F(FlowChaos, ALimitHoldsAndLeaksNothingWhenWorkersAreKilled) {
    Rng rng;
    for (int kill = 0; kill < kills_total; ++kill) {
        const int enough = finished() + 20 + static_cast<int>(rng.below(30));
        eventually([&] { return finished() >= enough; }, 15s);
        auto& worker = workers_[rng.below(workers_.size())];
        worker->signal(SIGKILL);
        worker->wait();
        worker = start_worker();
        EXPECT_EQ(
            session_.column("select problem from pawl.flow_problems(0::smallint)"),
            std::vector<std::string>()
        );
    }
    EXPECT_TRUE(eventually([&] { return finished() >= runs_total; }, 90s)) << workers_[0]->err();
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.run where status = 1"),
        std::to_string(runs_total)
    );
    EXPECT_LE(most_at_once(), limit);
    EXPECT_EQ(most_at_once(), limit) << "the limit was never reached";
    for (const char* table : {"live_run", "flow_gate", "flow_wait"}) {
        EXPECT_EQ(session_.value(fmt::format("select count(*)::text from pawl.{}", table)), "0")
            << table;
    }
}

}  // namespace
}  // namespace pawl::test
