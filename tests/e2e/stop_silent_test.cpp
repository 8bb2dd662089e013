#include "cli_program.hpp"
#include "http/client.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/fault_proxy.hpp"
#include "support/pgbouncer.hpp"
#include "support/runs.hpp"
#include "support/step_sink.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <regex>

// A process that is asked to stop ends within the ten seconds that supervisors allow, whatever the
// database does, and callers that wait are answered.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class StopSilent : public testing::Test {
protected:
    StopSilent() : pool_(loop_.context().get_executor(), pool_options()), store_(pool_) {
        workflow_ = loop_.run(store_.apply_workflow(store::default_tenant, effects(1))).id;
    }

    std::unique_ptr<Program> program(
        std::vector<std::string> args, const std::string& url, std::vector<std::string> more = {}
    ) {
        args.insert(args.end(), {"--functions-url", slow_.url()});
        args.insert(args.end(), more.begin(), more.end());
        return std::make_unique<Program>(Call{std::move(args), {{"DATABASE_URL", url}}, ""});
    }
    std::unique_ptr<Program> worker(const std::string& url, std::vector<std::string> more = {}) {
        return program({"worker"}, url, std::move(more));
    }
    std::unique_ptr<Program> server(const std::string& url, std::vector<std::string> more = {}) {
        return program({"serve", "--listen", "127.0.0.1:0"}, url, std::move(more));
    }
    // Runs under way whose step does not end.
    void load(Program& at) {
        store::StartBatch batch;
        for (int i = 0; i < 20; ++i) batch.runs.push_back(new_run(workflow_));
        loop_.run(store_.start_runs(batch));
        ASSERT_TRUE(eventually([&] { return slow_.requests() >= 20; })) << at.err();
    }
    void expect_to_end(Program& at, Duration limit = 10s) {
        const auto asked = Steady::now();
        at.signal(SIGTERM);
        EXPECT_EQ(at.wait(40s), 0) << at.err();
        EXPECT_LT(Steady::now() - asked, limit) << at.err();
    }
    static std::string url_of(const Program& at) {
        std::smatch found;
        const std::string log = at.err();
        const bool said = std::regex_search(log, found, std::regex("url=(http://[^ \n]+)"));
        return said ? found[1].str() : "";
    }
    std::string make_key() {
        const auto made = pawl(
            {{"keys", "create", "--name", "k", "--scope", "admin", "-o", "json"},
             {{"DATABASE_URL", database_.url()}},
             ""}
        );
        return std::string(json::parse(made.out).at("key").as_string());
    }
    // The answer to a request during which, once it is under way, something else happens.
    http::Outcome answer_while(
        http::Request request, const std::function<bool()>& under_way, std::function<void()> then
    ) {
        http::Client client(loop_.context().get_executor());
        request.trusted = true;
        request.timeout = 60s;
        bool done = false;
        return loop_.run_beside(
            client.send(std::move(request)),
            [&] {
                if (done || !under_way()) return;
                done = true;
                then();
            },
            60s
        );
    }
    http::Request start_and_wait(const Program& at, const std::string& key) {
        http::Request request;
        request.method = "POST";
        request.url = url_of(at) + "/v1/runs?wait=60s";
        request.headers = {
            {"Authorization", "Bearer " + key}, {"Content-Type", "application/json"}};
        request.body = R"({"workflow": "effects"})";
        return request;
    }

private:
    pg::PoolOptions pool_options() const {
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        return options;
    }

protected:
    TestDatabase database_;
    FaultProxy proxy_;
    StepSink slow_{1h};
    Loop loop_;
    pg::Pool pool_;
    store::PgStore store_;
    store::WorkflowId workflow_ = 0;
};

TEST_F(StopSilent, AWorkerWhoseDatabaseFellSilent) {
    const auto at = worker(proxy_.url_of(database_.name()));
    load(*at);
    proxy_.fall_silent();
    expect_to_end(*at);
}

TEST_F(StopSilent, AnIdleServerWhoseDatabaseFellSilent) {
    const auto at = server(proxy_.url_of(database_.name()));
    ASSERT_TRUE(eventually([&] { return !url_of(*at).empty(); })) << at->err();
    proxy_.fall_silent();
    expect_to_end(*at);
}

TEST_F(StopSilent, AWorkerThatTheDatabaseNeverLetIn) {
    Session locker(database_.url());
    locker.script("begin; lock table pawl.worker in access exclusive mode");
    const auto at = worker(database_.url());
    const auto waits = [&] {
        return database_.session().value(
                   "select count(*)::text from pg_locks where not granted and relation = "
                   "'pawl.worker'::regclass"
               ) != "0";
    };
    ASSERT_TRUE(eventually(waits)) << at->err();
    expect_to_end(*at);
}

TEST_F(StopSilent, AWorkerWhoseTablesAreLocked) {
    const auto at = worker(database_.url());
    load(*at);
    Session locker(database_.url());
    locker.script("begin; lock table pawl.live_run, pawl.worker in access exclusive mode");
    expect_to_end(*at);
}

TEST_F(StopSilent, BehindAPoolerThatFellSilent) {
    const PgBouncer bouncer;
    const auto at = worker(bouncer.url_of(database_.name()), {"--prepare", "off"});
    load(*at);
    bouncer.signal(SIGSTOP);
    expect_to_end(*at);
}

TEST_F(StopSilent, BehindAPoolerWithTablesLocked) {
    const PgBouncer bouncer;
    const auto at = server(bouncer.url_of(database_.name()), {"--prepare", "off"});
    load(*at);
    Session locker(database_.url());
    locker.script("begin; lock table pawl.live_run, pawl.worker in access exclusive mode");
    expect_to_end(*at);
}

TEST_F(StopSilent, ASecondSignalEndsAtOnce) {
    const auto at = server(proxy_.url_of(database_.name()));
    load(*at);
    proxy_.fall_silent();
    at->signal(SIGTERM);
    const auto drains = [&] { return at->err().find("stopping") != std::string::npos; };
    ASSERT_TRUE(eventually(drains)) << at->err();
    expect_to_end(*at, 2s);
}

TEST_F(StopSilent, CallersThatWaitAreAnswered) {
    const std::string key = make_key();
    const auto at = server(database_.url(), {"--drain-timeout", "1s"});
    ASSERT_TRUE(eventually([&] { return !url_of(*at).empty(); })) << at->err();
    const auto asked = Steady::now();
    const auto outcome = answer_while(
        start_and_wait(*at, key),
        [this] { return slow_.requests() > 0; },
        [&] { at->signal(SIGTERM); }
    );
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->status, 202);
    EXPECT_EQ(json::parse(outcome->body).at("status").as_string(), "running");
    EXPECT_EQ(at->wait(20s), 0) << at->err();
    EXPECT_LT(Steady::now() - asked, 10s);
}

TEST_F(StopSilent, CallersThatWaitForASilentDatabaseAreAnswered) {
    const std::string key = make_key();
    const auto at = server(proxy_.url_of(database_.name()));
    ASSERT_TRUE(eventually([&] { return !url_of(*at).empty(); })) << at->err();
    const auto asked = Steady::now();
    const auto outcome = answer_while(
        start_and_wait(*at, key),
        [this] { return slow_.requests() > 0; },
        [&] {
            proxy_.fall_silent();
            at->signal(SIGTERM);
        }
    );
    ASSERT_TRUE(outcome) << outcome.error().message;
    // What the server knows of the run may have come before the silence.
    const char* said = outcome->status == 202 ? "running" : "stopping";
    EXPECT_TRUE(outcome->status == 202 || outcome->status == 503) << outcome->status;
    EXPECT_NE(outcome->body.find(said), std::string::npos) << outcome->body;
    EXPECT_EQ(at->wait(20s), 0) << at->err();
    EXPECT_LT(Steady::now() - asked, 11s);
}

TEST_F(StopSilent, StreamsEndComplete) {
    const std::string key = make_key();
    const auto at = server(database_.url(), {"--drain-timeout", "1s"});
    load(*at);
    ASSERT_TRUE(eventually([&] { return !url_of(*at).empty(); })) << at->err();
    http::Request request;
    request.url = url_of(*at) + "/v1/stream";
    request.headers = {{"Authorization", "Bearer " + key}};
    const auto opened = [&] { return at->err().find("/v1/stream") != std::string::npos; };
    const auto outcome = answer_while(request, opened, [&] { at->signal(SIGTERM); });
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->status, 200);
    EXPECT_EQ(at->wait(20s), 0) << at->err();
}

}  // namespace
}  // namespace pawl::test
