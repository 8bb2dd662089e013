#include "base/rng.hpp"
#include "cli_program.hpp"
#include "engine/async/gate.hpp"
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
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

// Two real workers, a real step sink, a durable Postgres; workers are killed and Postgres crashes
// all the time. Nothing that was acknowledged may be lost, and nothing may happen twice in a log.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr int runs_total = 2000;
constexpr int steps_per_run = 3;
constexpr int kills_total = 20;
constexpr int restarts_total = 5;
constexpr int batch_size = 20;
// So that starts go on over the whole test, and not all at its begin.
constexpr int open_max = 400;
// After the last fault: 8 s until the last dead worker is noticed, and the work left.
constexpr Duration settle_max = 60s;

std::uint64_t chosen_seed() {
    const char* given = std::getenv("PAWL_CHAOS_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : Rng().next();
}

// Starts runs from a thread of its own, each batch until it is acknowledged.
class Starter {
public:
    Starter(std::string url, store::WorkflowId workflow, const std::atomic<int>& finished)
        : url_(std::move(url)), workflow_(workflow), finished_(finished) {
        thread_ = std::thread([this] { run(); });
    }
    ~Starter() {
        stop_ = true;
        thread_.join();
    }
    Starter(const Starter&) = delete;
    Starter& operator=(const Starter&) = delete;

    int acknowledged() const { return acknowledged_; }
    int resends() const { return resends_; }
    bool failed() const { return failed_; }
    // Once all are acknowledged.
    const std::vector<RunId>& runs() const { return runs_; }

private:
    void run() {
        Loop loop;
        try {
            loop.run(start_all(loop.context().get_executor()), 10min);
        } catch (const std::exception& error) {
            failed_ = true;
            ADD_FAILURE() << "the starter gave up: " << error.what();
        }
    }

    asio::awaitable<void> start_all(asio::any_io_executor executor) {
        pg::PoolOptions options;
        options.connect.conninfo = url_;
        pg::Pool pool(executor, options);
        store::PgStore store(pool);
        while (acknowledged_ < runs_total && !stop_) {
            if (acknowledged_ - finished_ < open_max) {
                co_await start_batch(executor, store);
            } else {
                co_await pause(executor);
            }
        }
    }

    asio::awaitable<void> start_batch(asio::any_io_executor executor, store::Store& store) {
        store::StartBatch batch;
        for (int i = 0; i < batch_size; ++i) {
            batch.runs.push_back(new_run(workflow_));
            batch.runs.back().correlation = to_string(batch.runs.back().id);
        }
        for (bool acknowledged = false; !acknowledged && !stop_;) {
            try {
                const auto existing = co_await store.start_runs(batch);
                EXPECT_TRUE(existing.empty());
                acknowledged = true;
            } catch (const Failure& failure) {
                if (!info(failure.error().code).retryable) throw;
                batch.resend = true;
                ++resends_;
            }
            if (!acknowledged) co_await pause(executor);
        }
        for (const auto& run : batch.runs) runs_.push_back(run.id);
        acknowledged_ += batch_size;
    }

    static asio::awaitable<void> pause(asio::any_io_executor executor) {
        engine::Gate never(executor);
        co_await never.wait(Steady::now() + 10ms);
    }

    std::string url_;
    store::WorkflowId workflow_;
    const std::atomic<int>& finished_;
    std::atomic<int> acknowledged_{0};
    std::atomic<int> resends_{0};
    std::atomic<bool> failed_{false};
    std::atomic<bool> stop_{false};
    std::vector<RunId> runs_;
    std::thread thread_;
};

class Chaos : public testing::Test {
protected:
    Chaos() {
        Session session(cluster_.url());
        session.loop().run(store::migrate_up(session.connection()));
        pg::PoolOptions options;
        options.connect.conninfo = cluster_.url();
        pg::Pool pool(session.loop().context().get_executor(), options);
        store::PgStore store(pool);
        workflow_ = session.loop()
                        .run(store.apply_workflow(store::default_tenant, effects(steps_per_run)))
                        .id;
        for (auto& worker : workers_) worker = start_worker();
    }

    std::unique_ptr<Program> start_worker() const {
        Call call{{"worker", "--functions-url", sink_.url(), "--log-level", "warn"}};
        call.env["DATABASE_URL"] = cluster_.url();
        return std::make_unique<Program>(call);
    }

    // A worker that finds no database when it starts gives up; its operator starts it again.
    void keep_workers_running() {
        for (auto& worker : workers_) {
            if (!worker->running()) worker = start_worker();
        }
    }

    void look() {
        try {
            if (!session_) session_ = std::make_unique<Session>(cluster_.url());
            finished_ = std::stoi(session_->value("select count(*)::text from pawl.run"));
        } catch (const Failure&) {
            session_.reset();
        }
    }

    void kill_worker(std::size_t which) {
        // One that gave up by itself just now was not killed: it takes its successor.
        for (bool killed = false; !killed;) {
            workers_[which]->signal(SIGKILL);
            killed = workers_[which]->wait() == -SIGKILL;
            workers_[which] = start_worker();
        }
    }

    // Kills and restarts in random order, each when more runs have finished or time has passed.
    void make_chaos(Rng& rng) {
        enum class What { kill, restart };
        std::vector<What> faults(kills_total + restarts_total, What::kill);
        std::fill_n(faults.begin(), restarts_total, What::restart);
        for (std::size_t i = faults.size() - 1; i > 0; --i) {
            std::swap(faults[i], faults[rng.below(i + 1)]);
        }
        const int share = runs_total / static_cast<int>(faults.size() + 1);
        for (const What fault : faults) {
            const int enough = finished_ + share / 2 + static_cast<int>(rng.below(20));
            await([&] { return finished_ >= enough; }, 2500ms);
            if (fault == What::restart) {
                cluster_.restart_immediately();
            } else {
                kill_worker(rng.below(workers_.size()));
            }
        }
    }

    bool await(const std::function<bool()>& reached, Duration limit) {
        return eventually(
            [&] {
                keep_workers_running();
                look();
                return reached();
            },
            limit
        );
    }

    std::string count(const std::string& what) {
        return session_->value("select count(*)::text from " + what);
    }

    void expect_logs_whole() {
        EXPECT_EQ(count("pawl.live_run"), "0");
        EXPECT_EQ(count("pawl.dead_letter"), "0");
        EXPECT_EQ(count("pawl.run where status = 1"), std::to_string(runs_total));
        EXPECT_EQ(count("pawl.run"), std::to_string(runs_total));
        EXPECT_EQ(torn_logs(*session_, steps_per_run), std::vector<std::string>());
    }

    void expect_acknowledged(const std::vector<RunId>& runs) {
        auto stored = session_->column("select run_id::text from pawl.run where status = 1");
        std::sort(stored.begin(), stored.end());
        EXPECT_EQ(runs.size(), static_cast<std::size_t>(runs_total));
        for (const RunId& run : runs) {
            EXPECT_TRUE(std::binary_search(stored.begin(), stored.end(), to_string(run)))
                << to_string(run) << " was acknowledged and is not completed";
        }
    }

    // The keys say run and step: one key for each effect there should be, and no other.
    void expect_effects(const std::vector<RunId>& runs) {
        const auto seen = sink_.seen();
        EXPECT_EQ(seen.size(), runs.size() * steps_per_run);
        for (const RunId& run : runs) {
            auto key = seen.lower_bound(to_string(run));
            for (int step = 1; step <= steps_per_run; ++step, ++key) {
                ASSERT_NE(key, seen.end()) << to_string(run) << ": an effect is missing";
                EXPECT_TRUE(key->first.starts_with(to_string(run))) << key->first;
                EXPECT_NE(key->first.find(fmt::format(":step_{}:", step)), std::string::npos)
                    << key->first;
            }
        }
    }

    DurableCluster cluster_;
    StepSink sink_;
    store::WorkflowId workflow_ = 0;
    std::array<std::unique_ptr<Program>, 2> workers_;
    std::unique_ptr<Session> session_;
    std::atomic<int> finished_{0};
};

TEST_F(Chaos, KilledWorkersAndCrashedPostgresLoseAndRepeatNothing) {
    const auto seed = chosen_seed();
    fmt::print("PAWL_CHAOS_SEED={}\n", seed);
    std::fflush(stdout);
    Rng rng(seed);
    const auto begun = Steady::now();
    Starter starter(cluster_.url(), workflow_, finished_);
    make_chaos(rng);
    const auto calm = Steady::now();
    // With a session: the count may be from before the last restart.
    const auto all_finished = [&] {
        return starter.failed() || (session_ && finished_ >= runs_total);
    };
    const bool settled = await(all_finished, settle_max);
    const auto seconds = [](Steady::duration time) {
        return std::chrono::duration<double>(time).count();
    };
    fmt::print(
        "{:.1f} s of chaos, {:.1f} s to settle; {} requests for {} effects, {} starts resent\n",
        seconds(calm - begun),
        seconds(Steady::now() - calm),
        sink_.requests(),
        sink_.seen().size(),
        starter.resends()
    );
    EXPECT_TRUE(settled) << finished_ << " runs finished of " << starter.acknowledged()
                         << "; a worker said: " << workers_[0]->err();
    ASSERT_EQ(starter.acknowledged(), runs_total);
    ASSERT_TRUE(session_);
    expect_logs_whole();
    expect_acknowledged(starter.runs());
    expect_effects(starter.runs());
    for (auto& worker : workers_) {
        // One that was started just now is not yet there to be asked.
        const auto is_there = [&] {
            return session_ &&
                   count(fmt::format("pawl.worker where pid = {}", worker->pid())) != "0";
        };
        EXPECT_TRUE(await(is_there, 20s));
        const auto asked = Steady::now();
        worker->signal(SIGTERM);
        EXPECT_EQ(worker->wait(20s), 0);
        EXPECT_LT(Steady::now() - asked, 3s) << "there is nothing left to do: " << worker->err();
    }
}

}  // namespace
}  // namespace pawl::test
