#include "engine/async/gate.hpp"
#include "engine/worker/worker.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/fault_proxy.hpp"
#include "support/runs.hpp"

#include <gtest/gtest.h>

// The network is gone in the middle of a batch: the server waits for the rest of it, with the
// worker's row and its runs locked, and no FIN ever comes.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using From = Fault::From;
using Cut = Fault::Cut;
using How = Fault::How;

// A worker with connections of its own; all of them on the loop of the test.
class Member {
public:
    Member(Loop& loop, const std::string& url)
        : loop_(loop),
          pool_(loop.context().get_executor(), pool_options(url)),
          store_(pool_),
          client_(loop.context().get_executor()),
          steps_(loop.context().get_executor(), registry_, client_, {}),
          worker_(loop.context().get_executor(), store_, steps_, metrics_, worker_options()) {
        registry_.add_sync("work", [](const steps::StepRequest&) {
            return steps::completed(nullptr);
        });
        worker_.on_closed = [this](const engine::ClosedRun&) { ++closed_; };
        asio::co_spawn(loop.context(), worker_.run(), [this](std::exception_ptr) {
            ended_ = true;
        });
        until([this] { return worker_.working(); });
    }
    ~Member() {
        worker_.stop_now();
        until([this] { return ended_; });
    }
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    void until(std::function<bool()> so, Duration limit = 30s) {
        loop_.run(wait(std::move(so), Steady::now() + limit), limit + 5s);
    }
    // Begins to start one; the answer may never come.
    void begin_start(const std::string& workflow) {
        asio::co_spawn(loop_.context(), start(workflow), [](std::exception_ptr) {});
    }
    int closed() const { return closed_; }

private:
    asio::awaitable<void> start(std::string workflow) {
        const auto program = co_await worker_.find_program(store::default_tenant, workflow);
        std::vector<engine::StartRequest> requests(1);
        requests[0].program = program;
        co_await worker_.start(std::move(requests));
    }
    asio::awaitable<void> wait(std::function<bool()> so, Steady::time_point deadline) {
        while (!so()) {
            if (Steady::now() > deadline) throw Failure({Errc::timeout, "it did not come", {}});
            engine::Gate pause(loop_.context().get_executor());
            co_await pause.wait(Steady::now() + 5ms);
        }
    }
    static pg::PoolOptions pool_options(const std::string& url) {
        pg::PoolOptions options;
        options.connect.conninfo = url;
        return options;
    }
    static engine::WorkerOptions worker_options() {
        engine::WorkerOptions options;
        options.heartbeat_every = 200ms;
        options.dead_after = 1s;
        return options;
    }

    Loop& loop_;
    pg::Pool pool_;
    store::PgStore store_;
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    engine::Worker worker_;
    int closed_ = 0;
    bool ended_ = false;
};

class SilentNetwork : public testing::TestWithParam<Fault> {
protected:
    SilentNetwork() {
        Definition definition = line("fragile", 1);
        definition.nodes[0].config = {{"function", "work"}};
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        pg::Pool pool(loop_.context().get_executor(), options);
        store::PgStore store(pool);
        loop_.run(store.apply_workflow(store::default_tenant, definition));
    }

    TestDatabase database_;
    FaultProxy proxy_;
    Loop loop_;
};

TEST_P(SilentNetwork, TheRunsOfADeadWorkerGoOnElsewhere) {
    Member cut_off(loop_, proxy_.url_of(database_.name()));
    proxy_.arm(GetParam());
    cut_off.begin_start("fragile");
    cut_off.until([&] { return proxy_.fired(); });
    const auto gone = Steady::now();

    Member other(loop_, database_.url());
    other.until([&] { return other.closed() == 1; });
    EXPECT_LT(Steady::now() - gone, 15s);
    EXPECT_EQ(cut_off.closed(), 0);
    const std::string closed = "select count(*)::text from pawl.run where status = 1";
    EXPECT_EQ(database_.session().value(closed), "1");
}

// Bind, Describe, Execute, Sync: the statement is carried out and its transaction stays open.
INSTANTIATE_TEST_SUITE_P(
    Batch,
    SilentNetwork,
    testing::Values(
        Fault{From::client, Cut::before, How::silence, 4, 0, "commit_runs"},
        Fault{From::client, Cut::before, How::silence, 4, 3, "commit_runs"}
    ),
    [](const auto& param) {
        return param.param.bytes == 0 ? std::string("between_messages")
                                      : std::string("inside_a_message");
    }
);

// A client that sends a part of its batch, and then nothing.
class SilentSession : public testing::Test {
protected:
    asio::awaitable<void> batch(pg::Connection& connection) {
        static constexpr pg::Query beat{
            "silent_beat", "update pawl.worker set beat_at = beat_at where host = 'silent'", 0};
        std::vector<pg::Statement> statements(1);
        statements[0].query = &beat;
        co_await connection.run_all(std::move(statements), 500ms);
    }
    std::vector<std::string> ended() {
        return database_.session().column(
            "select concat_ws(' ', pid, ended) from pawl.end_silent_sessions('100ms')"
        );
    }
    std::string state_of(int pid) {
        return database_.session().value(
            "select coalesce((select state || ' ' || wait_event from pg_stat_activity"
            " where pid = " +
            std::to_string(pid) + "), 'gone')"
        );
    }
    std::unique_ptr<pg::Connection> connect(Loop& loop, const std::string& url) {
        pg::ConnectOptions options;
        options.conninfo = url;
        return loop.run(pg::Connection::connect(options));
    }

    TestDatabase database_;
    FaultProxy proxy_;
    Loop loop_;
};

TEST_F(SilentSession, IsEndedAndOthersAreNot) {
    database_.session().script(
        "insert into pawl.worker (id, host, pid, version)"
        " values (gen_random_uuid(), 'silent', 1, '1')"
    );
    // One whose client thinks, with the same row locked, and one that works.
    Session thinks(database_.url());
    thinks.script("begin; select 1 from pawl.worker for key share");
    const auto idle = connect(loop_, database_.url());
    const auto silent = connect(loop_, proxy_.url_of(database_.name()));
    proxy_.arm({From::client, Cut::before, How::silence, 4, 0, "silent_beat"});
    EXPECT_THROW(loop_.run(batch(*silent)), pg::PgError);
    EXPECT_EQ(state_of(silent->backend_pid()), "active ClientRead");
    EXPECT_EQ(ended(), std::vector{std::to_string(silent->backend_pid()) + " t"});
    const auto deadline = Steady::now() + 30s;
    while (state_of(silent->backend_pid()) != "gone" && Steady::now() < deadline) {
    }
    EXPECT_EQ(state_of(silent->backend_pid()), "gone");
    EXPECT_EQ(state_of(thinks.connection().backend_pid()), "idle in transaction ClientRead");
    EXPECT_EQ(state_of(idle->backend_pid()), "idle ClientRead");
}

}  // namespace
}  // namespace pawl::test
