#include "support/fault_proxy.hpp"

#include "base/log.hpp"
#include "engine/async/gate.hpp"
#include "engine/worker/worker.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/runs.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>

// A worker lives its whole life over one connection: connect, register, claim, heartbeat, start,
// append, park, claim again, close, sign off. The connection is cut at every single message of
// that, and each time the logs must come out the same.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using From = Fault::From;
using Cut = Fault::Cut;
using How = Fault::How;

// Enough for the longest of these lives; an exhaustive loop that never ends is a bug of the test.
constexpr std::size_t messages_max = 2000;

// One life of a worker. A pool of one connection puts the conversation in one order.
class Life {
public:
    explicit Life(const std::string& url)
        : pool_(executor(), options(url)),
          store_(pool_),
          client_(executor()),
          steps_(executor(), registry_, client_, {}),
          worker_(executor(), store_, steps_, metrics_, worker_options()) {
        registry_.add_sync("work", [this](const steps::StepRequest& request) {
            ++executed_[request.run_id + " " + request.node];
            return steps::completed(json::object{{"node", request.node}});
        });
        // The wait before the second attempt parks the run.
        registry_.add_sync("stumble", [this](const steps::StepRequest& request) {
            ++executed_[request.run_id + " " + request.node];
            if (request.attempt > 1) return steps::completed(nullptr);
            return steps::failed(ErrorClass::retryable, "stumbled", "the first attempt fails");
        });
        worker_.on_closed = [this](const engine::ClosedRun&) { ++closed_; };
    }

    // Starts one run with a correlation key and one without, and works until both are closed.
    std::vector<engine::Started> live(const std::string& workflow, const std::string& key) {
        bool ended = false;
        std::exception_ptr failed;
        asio::co_spawn(loop_.context(), worker_.run(), [&](std::exception_ptr thrown) {
            failed = thrown;
            ended = true;
        });
        // The worker must have ended before anything is thrown: it lives in this object. So must
        // work(), which the loop may have given up: it finds its time to be over meanwhile.
        std::vector<engine::Started> started;
        try {
            started = loop_.run(work(workflow, key), 2min);
            worker_.stop();
        } catch (const Failure& failure) {
            ADD_FAILURE() << failure.what();
            worker_.stop_now();
        }
        loop_.run(until([&] { return ended && !working_; }, Steady::now() + 20s));
        if (failed) std::rethrow_exception(failed);
        return started;
    }

    int executed(RunId run, const std::string& node) const {
        const auto found = executed_.find(to_string(run) + " " + node);
        return found == executed_.end() ? 0 : found->second;
    }

private:
    asio::any_io_executor executor() { return loop_.context().get_executor(); }

    static pg::PoolOptions options(const std::string& url) {
        pg::PoolOptions pool;
        pool.connect.conninfo = url;
        pool.connections_max = 1;
        return pool;
    }
    // Nothing by the clock: it would come at another message each time.
    static engine::WorkerOptions worker_options() {
        engine::WorkerOptions worker;
        worker.commit_lanes = 1;
        worker.hold_below = 0s;
        worker.poll_min = 1h;
        worker.poll_max = 1h;
        worker.heartbeat_every = 1h;
        return worker;
    }

    asio::awaitable<void> until(std::function<bool()> done, Steady::time_point deadline) {
        while (!done()) co_await pause(deadline);
    }

    asio::awaitable<void> pause(Steady::time_point deadline) {
        if (Steady::now() > deadline) {
            throw Failure({Errc::timeout, "the worker did not get there in time", {}});
        }
        engine::Gate never(executor());
        co_await never.wait(Steady::now() + 3ms);
    }

    asio::awaitable<std::vector<engine::Started>> work(std::string workflow, std::string key) {
        const Busy busy(working_);
        co_await until([this] { return worker_.working(); }, deadline_);
        engine::ProgramPtr program;
        while (!program) program = co_await find(workflow);
        std::vector<engine::StartRequest> requests(2);
        for (auto& request : requests) request.program = program;
        requests[0].correlation = key;
        auto started = co_await worker_.start(std::move(requests));
        auto next_wake = Steady::now();
        while (closed_ < started.size()) {
            co_await pause(deadline_);
            // Parked, and due by now. Told once; more often only in case that was too early.
            if (worker_.held() > 0 || Steady::now() < next_wake) continue;
            worker_.wake();
            next_wake = Steady::now() + 100ms;
        }
        co_return started;
    }

    // For as long as it lives.
    class Busy {
    public:
        explicit Busy(bool& flag) : flag_(flag) { flag_ = true; }
        ~Busy() { flag_ = false; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

    private:
        bool& flag_;
    };

    // Looking something up has no retry of its own: it is the caller's, as here.
    asio::awaitable<engine::ProgramPtr> find(std::string workflow) {
        try {
            co_return co_await worker_.find_program(store::default_tenant, workflow);
        } catch (const Failure& failure) {
            EXPECT_TRUE(info(failure.error().code).retryable) << failure.what();
        }
        co_return nullptr;
    }

    bool working_ = false;  // before the loop, whose end is the end of what is left in it
    Loop loop_;
    pg::Pool pool_;
    store::PgStore store_;
    http::Client client_;
    steps::CodeRegistry registry_;
    steps::Executor steps_;
    engine::Metrics metrics_;
    engine::Worker worker_;
    std::map<std::string, int> executed_;
    std::size_t closed_ = 0;
    const Steady::time_point deadline_ = Steady::now() + 20s;
};

Definition workflow() {
    Definition definition = line("fragile", 3);
    for (Node& node : definition.nodes) node.config = {{"function", "work"}};
    definition.nodes[1].config = {{"function", "stumble"}};
    definition.nodes[1].retry.base = 1ms;
    definition.nodes[1].retry.jitter_max = 0.1;
    return definition;
}

struct Kind {
    const char* name;
    From from;
    Cut cut;
    How how;
};

void PrintTo(const Kind& kind, std::ostream* out) {
    *out << kind.name;
}

class EveryMessage : public testing::TestWithParam<Kind> {
protected:
    EveryMessage() {
        log::configure(log::Level::error, log::Format::human);
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        Loop loop;
        pg::Pool pool(loop.context().get_executor(), options);
        store::PgStore store(pool);
        loop.run(store.apply_workflow(store::default_tenant, workflow()));
    }

    std::string log_of(RunId run) {
        return database_.session().value(
            "select string_agg(concat_ws(' ', seq, pawl.event_type_name(type), node, attempt), "
            "', ' order by seq) from pawl.event where run_id = '" +
            to_string(run) + "'"
        );
    }
    std::string count(const std::string& what) {
        return database_.session().value("select count(*)::text from " + what);
    }

    void expect_as_undisturbed(
        const Life& life, const std::vector<engine::Started>& started, const std::string& key
    ) {
        ASSERT_EQ(started.size(), 2u);
        for (const auto& one : started) {
            EXPECT_TRUE(one.created);
            EXPECT_EQ(
                log_of(one.run),
                "0 run_started, 1 step_completed step_1 1, 2 step_failed step_2 1, "
                "3 step_completed step_2 2, 4 step_completed step_3 1, 5 run_completed"
            );
            const std::string where = " where run_id = '" + to_string(one.run) + "'";
            EXPECT_EQ(count("pawl.run" + where + " and status = 1"), "1");
            for (const char* node : {"step_1", "step_2", "step_3"}) {
                EXPECT_GE(life.executed(one.run, node), 1) << node;
            }
        }
        // Nothing besides: no other run began under this key or none.
        runs_ += 2;
        EXPECT_EQ(count("pawl.run"), std::to_string(runs_));
        EXPECT_EQ(count("(select distinct run_id from pawl.event) as runs"), std::to_string(runs_));
        EXPECT_EQ(count("pawl.live_run"), "0");
        EXPECT_EQ(count("pawl.dead_letter"), "0");
        EXPECT_EQ(
            database_.session().column(
                "select run_id::text from pawl.correlation where key = '" + key + "'"
            ),
            std::vector{to_string(started[0].run)}
        );
    }

    TestDatabase database_;
    FaultProxy proxy_;
    int runs_ = 0;
};

TEST_P(EveryMessage, CutThereLeavesTheSameLogs) {
    const Kind kind = GetParam();
    std::size_t undisturbed = 0;
    {
        proxy_.disarm();
        Life life(proxy_.url_of(database_.name()));
        expect_as_undisturbed(life, life.live("fragile", "undisturbed"), "undisturbed");
        undisturbed = proxy_.seen(kind.from);
        EXPECT_GE(undisturbed, 40u);
    }
    std::size_t message = 1;
    bool fired = true;
    // Further than undisturbed when a life happened to be longer: until one ends before its turn.
    for (; message <= undisturbed || fired; ++message) {
        ASSERT_LE(message, messages_max);
        SCOPED_TRACE(fmt::format("{} {}", kind.name, message));
        const std::string key = fmt::format("key-{}", message);
        proxy_.arm({kind.from, kind.cut, kind.how, message});
        Life life(proxy_.url_of(database_.name()));
        expect_as_undisturbed(life, life.live("fragile", key), key);
        fired = proxy_.fired();
        if (HasFailure()) break;
    }
    RecordProperty("messages", static_cast<int>(message - 1));
}

INSTANTIATE_TEST_SUITE_P(
    FaultProxy,
    EveryMessage,
    testing::Values(
        Kind{"client_lost_reset", From::client, Cut::before, How::reset},
        Kind{"client_lost_close", From::client, Cut::before, How::close},
        Kind{"client_passed_reset", From::client, Cut::after, How::reset},
        Kind{"client_passed_close", From::client, Cut::after, How::close},
        Kind{"client_reply_lost_reset", From::client, Cut::answered, How::reset},
        Kind{"client_reply_lost_close", From::client, Cut::answered, How::close},
        Kind{"server_lost_reset", From::server, Cut::before, How::reset},
        Kind{"server_lost_close", From::server, Cut::before, How::close},
        Kind{"server_passed_reset", From::server, Cut::after, How::reset},
        Kind{"server_passed_close", From::server, Cut::after, How::close}
    ),
    [](const testing::TestParamInfo<Kind>& param) { return std::string(param.param.name); }
);

}  // namespace
}  // namespace pawl::test
