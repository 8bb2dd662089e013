#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <regex>

namespace pawl::test {
namespace {

class CliServe : public testing::Test {
protected:
    Call call(std::vector<std::string> args, Env env = {}) const {
        env["DATABASE_URL"] = database_.url();
        return {std::move(args), std::move(env), ""};
    }
    Outcome run(std::vector<std::string> args) const { return pawl(call(std::move(args))); }
    // The address that it says it listens on.
    static std::string url_of(const Program& server) {
        std::smatch found;
        const std::string log = server.err();
        const bool said = std::regex_search(log, found, std::regex("url=(https?://[^ \n]+)"));
        return said ? found[1].str() : "";
    }

    TestDatabase database_;
    TempDir dir_;
};

TEST_F(CliServe, DoesNotListenBeyondThisMachineWithoutAKey) {
    const auto refused = run({"serve", "--listen", "0.0.0.0:0"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("without an API key"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("pawl keys create"), std::string::npos) << refused.err;

    EXPECT_EQ(run({"keys", "create", "--name", "k", "--scope", "admin"}).code, 0);
    Program server(call({"serve", "--listen", "0.0.0.0:0"}));
    EXPECT_TRUE(eventually([&] { return !url_of(server).empty(); })) << server.err();
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0) << server.err();
}

TEST_F(CliServe, WithoutAWorkerOthersCarryTheRunsOut) {
    Program server(call({"serve", "--no-worker", "--listen", "127.0.0.1:0"}));
    ASSERT_TRUE(eventually([&] { return !url_of(server).empty(); })) << server.err();
    EXPECT_EQ(http_status(url_of(server) + "/readyz"), 200);
    EXPECT_EQ(http_status(url_of(server) + "/v1/runs"), 401);
    EXPECT_EQ(database_.session().value("select count(*)::text from pawl.worker"), "0");
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0) << server.err();
}

TEST_F(CliServe, WithoutTheApiThereAreOnlyHealthPages) {
    Program server(call({"serve", "--no-api", "--listen", "127.0.0.1:0"}));
    ASSERT_TRUE(eventually([&] { return !url_of(server).empty(); })) << server.err();
    EXPECT_EQ(http_status(url_of(server) + "/readyz"), 200);
    EXPECT_EQ(http_status(url_of(server) + "/v1/runs"), 404);
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0) << server.err();
}

TEST_F(CliServe, AFunctionsFileThatIsWrongIsRefusedWithItsLine) {
    const auto file = dir_.file("functions.yaml", "url: http://127.0.0.1:1\nhost:\n  crm: {}\n");
    const auto refused = run({"serve", "--functions", file, "--listen", "127.0.0.1:0"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("line 2"), std::string::npos) << refused.err;
    const auto stranger = dir_.file("tenants.yaml", "tenants: {stranger: {url: 'http://x'}}\n");
    const auto unknown = run({"serve", "--functions", stranger, "--listen", "127.0.0.1:0"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("stranger"), std::string::npos) << unknown.err;
}

// Seconds of CPU that a process has used.
double cpu_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string field;
    double ticks = 0;
    for (int i = 1; i <= 15 && file >> field; ++i) {
        if (i >= 14) ticks += std::stod(field);
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// A worker that waits for a step must not spin, whatever timers its runs have.
TEST_F(CliServe, ARunWithATimeoutCostsNothingWhileItWaits) {
    const auto file = dir_.file(
        "w.yaml",
        "name: slow\ntimeout: 1h\nsteps:\n"
        "  - {name: a, url: 'http://127.0.0.1:1/', retry: {attempts: 50, base: 300ms, factor: 1, "
        "jitter: 0}}\n"
    );
    ASSERT_EQ(run({"workflows", "apply", "-f", file}).code, 0);
    Program worker(call({"worker"}));
    ASSERT_EQ(run({"run", "slow"}).code, 0);
    const bool tried = eventually([&] {
        return database_.session().value("select count(*)::text from pawl.event where type = 2") >=
               "3";
    });
    ASSERT_TRUE(tried) << worker.err();
    // From one failure to six more: at least 1.5 s in which almost nothing happens.
    const double before = cpu_of(worker.pid());
    EXPECT_TRUE(eventually([&] {
        return std::stoi(
                   database_.session().value("select count(*)::text from pawl.event where type = 2")
               ) >= 9;
    }));
    EXPECT_LT(cpu_of(worker.pid()) - before, 0.7);
}

}  // namespace
}  // namespace pawl::test
