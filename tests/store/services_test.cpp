#include "engine/services/keeper.hpp"
#include "host/worker_thread.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

// No service of a worker's thread ends for good because of an error that it did not foresee.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

const std::set<std::string> services{
    "circuits",
    "figures",
    "listener",
    "matcher",
    "notifier",
    "orders",
    "outbox",
    "partitions",
    "projector",
    "purge_audit",
    "purge_events",
    "purge_callback_tokens",
    "purge_idempotency_keys",
    "purge_outbox",
    "purge_sql_effects",
    "purge_tasks",
    "queues",
    "scheduler",
    "tasks",
    "workflows",
};

class ServicesOfAThread : public testing::Test {
protected:
    host::ThreadOptions options() {
        host::ThreadOptions options;
        options.connect.conninfo = database_.url();
        options.outbox_workers = 1;
        options.audit_retention = 24h;
        options.keeping.board = &board_;
        options.keeping.pause_min = 1ms;
        options.keeping.before = [this](std::string_view service) { begin(std::string(service)); };
        options.meanwhile = [](pg::Pool&) -> asio::awaitable<void> { co_return; };
        return options;
    }
    // On the worker's thread.
    void begin(const std::string& service) {
        const std::lock_guard lock(mutex_);
        if (++begun_[service] <= faults_) throw std::runtime_error("injected into " + service);
    }
    std::map<std::string, int> begun() {
        const std::lock_guard lock(mutex_);
        return begun_;
    }
    template <class Check>
    bool eventually(Check check) {
        const auto deadline = Steady::now() + 30s;
        while (!check()) {
            if (Steady::now() > deadline) return false;
            std::this_thread::yield();
        }
        return true;
    }
    bool all_begun(int times) {
        const auto seen = begun();
        return std::all_of(services.begin(), services.end(), [&](const std::string& service) {
            const auto found = seen.find(service);
            return found != seen.end() && found->second >= times;
        });
    }

    TestDatabase database_;
    engine::Metrics metrics_;
    engine::ServiceBoard board_{metrics_};
    steps::CodeRegistry registry_;
    std::mutex mutex_;
    std::map<std::string, int> begun_;
    int faults_ = 1;
};

TEST_F(ServicesOfAThread, BeginAgainAfterAnUnexpectedError) {
    host::WorkerThread thread(options(), registry_, metrics_);
    thread.start();
    ASSERT_TRUE(eventually([&] { return all_begun(2); }));
    std::set<std::string> names;
    for (const auto& [service, times] : begun()) names.insert(service);
    EXPECT_EQ(names, services);
    const std::string text = metrics_.text();
    for (const std::string& service : services) {
        const std::string line = "pawl_service_restarts_total{service=\"" + service + "\"} 1\n";
        EXPECT_NE(text.find(line), std::string::npos) << service << "\n" << text;
    }
    EXPECT_TRUE(eventually([&] { return thread.working(); }));
    EXPECT_TRUE(board_.failing().empty());
    thread.stop();
    thread.join();
}

TEST_F(ServicesOfAThread, AreNamedWhileTheyKeepFailing) {
    faults_ = 3;
    host::WorkerThread thread(options(), registry_, metrics_);
    thread.start();
    ASSERT_TRUE(eventually([&] { return all_begun(3); }));
    ASSERT_TRUE(eventually([&] { return board_.failing().size() == services.size(); }));
    thread.stop();
    thread.join();
}

}  // namespace
}  // namespace pawl::test
