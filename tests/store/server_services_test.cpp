#include "engine/async/gate.hpp"
#include "engine/services/keeper.hpp"
#include "host/api_host.hpp"
#include "support/database.hpp"
#include "support/loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

// No service of a server ends for good because of an error that it did not foresee. (Those of a
// worker's thread: services_test.cpp.)
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

const std::set<std::string> services{
    "address_sealer",
    "audiences",
    "database",
    "jobs",
    "listener",
    "matcher",
    "reconciler",
    "run_watch",
    "sealer",
    "settler",
};

class ServicesOfAServer : public testing::Test {
protected:
    host::ApiOptions options() {
        host::ApiOptions options;
        options.keeping.board = &board_;
        options.keeping.pause_min = 1ms;
        options.keeping.before = [this](std::string_view service) { begin(std::string(service)); };
        return options;
    }
    void begin(const std::string& service) {
        const int times = ++begun_[service];
        gate_.open();
        if (times <= faults_) throw std::runtime_error("injected into " + service);
    }
    bool all_begun(int times) const {
        return begun_.size() == services.size() &&
               std::all_of(begun_.begin(), begun_.end(), [times](const auto& one) {
                   return one.second >= times;
               });
    }
    // Serves until each service has begun so often.
    asio::awaitable<void> serve(int times) {
        pg::ConnectOptions connect;
        connect.conninfo = database_.url();
        host::ApiHost host(loop_.context().get_executor(), connect, options(), {});
        host.start();
        const auto deadline = Steady::now() + 20s;
        while (!all_begun(times) && Steady::now() < deadline) co_await gate_.wait(deadline);
        failing_ = board_.failing();
        co_await host.stop();
    }
    std::set<std::string> names() const {
        std::set<std::string> names;
        for (const auto& [service, times] : begun_) names.insert(service);
        return names;
    }

    TestDatabase database_;
    std::map<std::string, int> begun_;
    std::vector<std::string> failing_;
    int faults_ = 1;
    engine::Metrics metrics_;
    engine::ServiceBoard board_{metrics_};
    // What a service still does when it ends reaches the above.
    Loop loop_;
    engine::Gate gate_{loop_.context().get_executor()};
};

TEST_F(ServicesOfAServer, BeginAgainAfterAnUnexpectedError) {
    loop_.run(serve(2));
    EXPECT_EQ(names(), services);
    EXPECT_TRUE(failing_.empty());
    const std::string text = metrics_.text();
    for (const std::string& service : services) {
        const std::string line = "pawl_service_restarts_total{service=\"" + service + "\"} 1\n";
        EXPECT_NE(text.find(line), std::string::npos) << service << "\n" << text;
    }
}

TEST_F(ServicesOfAServer, AreNamedWhileTheyKeepFailing) {
    faults_ = 1000;
    loop_.run(serve(6));
    EXPECT_EQ(std::set<std::string>(failing_.begin(), failing_.end()), services);
}

}  // namespace
}  // namespace pawl::test
