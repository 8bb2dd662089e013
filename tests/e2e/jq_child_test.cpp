#include "cli_program.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

// jq programs without an end, in a real worker: what ends them.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// The jq children of a process.
std::vector<pid_t> jq_children(pid_t parent) {
    std::vector<pid_t> found;
    std::error_code gone;
    const std::string tasks = "/proc/" + std::to_string(parent) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::ifstream list(task.path() / "children");
        for (pid_t pid = 0; list >> pid;) {
            std::ifstream name("/proc/" + std::to_string(pid) + "/comm");
            std::string text;
            if (std::getline(name, text) && text == "pawl-jq") found.push_back(pid);
        }
    }
    return found;
}

class JqChild : public testing::Test {
protected:
    JqChild() {
        const auto definition = parse_definition(
            "name: endless\nsteps:\n- {name: loop, transform: {jq: 'def f: f; f'}, timeout: 1h}\n"
        );
        EXPECT_TRUE(definition) << definition.error().message;
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        pg::Pool pool(session_.loop().context().get_executor(), options);
        store::PgStore store(pool);
        session_.loop().run(store.apply_workflow(store::default_tenant, *definition));
        Call call{{"worker", "--log-level", "warn"}};
        call.env["DATABASE_URL"] = database_.url();
        worker_ = std::make_unique<Program>(call);
    }
    // The child that computes for a new run.
    pid_t loop() {
        run_ = session_.value("select pawl.start('endless')::text");
        EXPECT_TRUE(eventually([&] { return !jq_children(worker_->pid()).empty(); }));
        return jq_children(worker_->pid()).at(0);
    }
    // A zombie, which some init has yet to bury, computes no more.
    static bool runs(pid_t pid) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string stat;
        return std::getline(file, stat) && stat.find(") Z ") == std::string::npos;
    }

    TestDatabase database_;
    Session session_{database_.url()};
    std::unique_ptr<Program> worker_;
    std::string run_;
};

TEST_F(JqChild, EndsWithAServerThatIsKilled) {
    const pid_t child = loop();
    worker_->signal(SIGKILL);
    EXPECT_EQ(worker_->wait(), -SIGKILL);
    EXPECT_TRUE(eventually([&] { return !runs(child); }, 3s)) << "it computes for no caller";
}

TEST_F(JqChild, IsKilledWhenItsRunIsCancelled) {
    const pid_t child = loop();
    session_.script("select pawl.cancel('" + run_ + "')");
    EXPECT_TRUE(eventually([&] { return !runs(child); })) << "it computes for no caller";
    EXPECT_TRUE(worker_->running());
    // The worker may stop the child before it has written that the run has ended.
    const char* cancelled = "select count(*)::text from pawl.run where status = 3";
    EXPECT_TRUE(eventually([&] { return session_.value(cancelled) == "1"; }));
}

}  // namespace
}  // namespace pawl::test
