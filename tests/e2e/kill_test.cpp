#include "cli_program.hpp"
#include "model/definition.hpp"
#include "store/pg/pg_store.hpp"
#include "support/database.hpp"
#include "support/step_sink.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>

// kill -9 of real workers where a graph could lose something or do it twice: between an event and
// the run that waits for it, between a child run and its parent, and before a timer is due.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view retry = "retry: {attempts: 50, base: 50ms, cap: 1s}";

class Kill : public testing::Test {
protected:
    Kill()
        : sink_(20ms),
          session_(database_.url()),
          pool_(session_.loop().context().get_executor(), options(database_.url())),
          store_(pool_) {}

    void apply(const std::string& text) {
        const auto definition = parse_definition(text);
        ASSERT_TRUE(definition) << definition.error().message;
        session_.loop().run(store_.apply_workflow(store::default_tenant, *definition));
    }
    // Runs with the inputs {"n": 1}, {"n": 2} ...
    void start(const std::string& workflow, int runs) {
        session_.value(fmt::format(
            "select count(pawl.start('{}', jsonb_build_object('n', n)))::text "
            "from generate_series(1, {}) n",
            workflow,
            runs
        ));
    }
    void start_workers() {
        for (auto& worker : workers_) worker = start_worker();
    }
    void kill(std::size_t which) {
        workers_[which]->signal(SIGKILL);
        EXPECT_EQ(workers_[which]->wait(), -SIGKILL);
        workers_[which].reset();
    }
    void kill_and_replace(std::size_t which) {
        kill(which);
        workers_[which] = start_worker();
    }
    std::string count(const std::string& what) {
        return session_.value("select count(*)::text from " + what);
    }
    // Declares dead workers dead earlier than the other workers would, to save time.
    bool await(const std::function<bool()>& reached, Duration limit = 60s) {
        return eventually(
            [&] {
                session_.loop().run(store_.sweep_dead_workers(4s));
                return reached();
            },
            limit
        );
    }
    bool await_count(const std::string& what, std::size_t wanted) {
        const bool reached = await([&] { return count(what) == std::to_string(wanted); });
        EXPECT_TRUE(reached) << count(what) << " of " << wanted << " " << what;
        return reached;
    }
    // Every key of an effect begins with its run.
    void expect_one_effect_for_each(const std::vector<std::string>& runs) {
        const auto seen = sink_.seen();
        EXPECT_EQ(seen.size(), runs.size());
        for (const std::string& run : runs) {
            const auto key = seen.lower_bound(run);
            EXPECT_TRUE(key != seen.end() && key->first.starts_with(run)) << run;
        }
    }
    // The types of all events of a run, and how many runs have such a log.
    std::vector<std::string> logs() {
        return session_.column(
            "select types || ' x ' || count(*) from (select run_id, string_agg(type::text, ',' "
            "order by seq) as types from pawl.event where type <> 2 group by run_id) as l "
            "group by types order by types"
        );
    }

    std::unique_ptr<Program> start_worker() const {
        Call call{
            {"worker",
             "--functions-url",
             sink_.url(),
             "--log-level",
             "warn",
             "--unsafe-sql-as-engine"}};
        call.env["DATABASE_URL"] = database_.url();
        return std::make_unique<Program>(call);
    }

    TestDatabase database_;
    StepSink sink_;
    Session session_;
    pg::Pool pool_;
    store::PgStore store_;
    std::array<std::unique_ptr<Program>, 2> workers_;

private:
    static pg::PoolOptions options(const std::string& url) {
        pg::PoolOptions options;
        options.connect.conninfo = url;
        return options;
    }
};

TEST_F(Kill, EveryRunGetsItsEventOnce) {
    constexpr int runs = 1000;
    constexpr int batch = 50;
    apply(fmt::format(
        "name: paid\nsteps:\n"
        "- {{name: pay, wait: {{event: order.paid, key: '{{{{ n }}}}'}}}}\n"
        "- {{name: ship, function: effect, {}}}\n",
        retry
    ));
    start_workers();
    start("paid", runs);
    const auto publish = [&](int first) {
        std::vector<store::OutsideEvent> events;
        for (int n = first; n < first + batch; ++n) {
            store::OutsideEvent event;
            event.id = fmt::format("event-{}", n);
            event.name = "order.paid";
            event.key = std::to_string(n);
            event.data = json::object{{"n", n}};
            events.push_back(std::move(event));
        }
        // Sent twice, as by a caller that did not get the answer.
        session_.loop().run(store_.publish_events(0, events));
        const auto fresh = session_.loop().run(store_.publish_events(0, events));
        EXPECT_EQ(std::count(fresh.begin(), fresh.end(), true), 0);
    };
    // Some come before the run waits for them.
    int next = 1;
    for (; next <= runs / 4; next += batch) publish(next);
    kill_and_replace(0);
    for (; next <= runs / 2; next += batch) publish(next);
    await([&] { return count("pawl.signal") != "0" || count("pawl.run") != "0"; });
    kill_and_replace(1);
    // Held in the middle of the matching.
    Session holder(database_.url());
    holder.script("begin; lock table pawl.subscription in exclusive mode");
    publish(next);
    next += batch;
    EXPECT_TRUE(eventually([&] {
        return count("pg_locks where not granted and relation = 'pawl.subscription'::regclass") !=
               "0";
    }));
    kill_and_replace(0);
    kill_and_replace(1);
    holder.script("rollback");
    for (; next <= runs; next += batch) publish(next);
    if (!await_count("pawl.run where status = 1", runs)) return;
    // run_started, wait_started, signal_received, node_passed, step_completed, run_completed
    EXPECT_EQ(logs(), std::vector<std::string>({fmt::format("0,3,10,7,1,4 x {}", runs)}));
    EXPECT_EQ(
        count("pawl.event s join pawl.event e using (bucket, run_id) where s.type = 0 and e.type = "
              "10 and s.data -> 'input' ->> 'n' = e.data -> 'data' ->> 'key'"),
        std::to_string(runs)
    );
    EXPECT_EQ(count("pawl.subscription"), "0");
    EXPECT_EQ(count("pawl.live_run"), "0");
    expect_one_effect_for_each(session_.column("select run_id::text from pawl.run"));
}

TEST_F(Kill, AListHasOneChildForEachItem) {
    constexpr int items = 200;
    apply(fmt::format(
        "name: child\nnodes:\n"
        "- {{id: pick, condition: {{path: input.bad, operator: '=', value: true}}}}\n"
        "- {{id: work, function: effect, {}}}\n"
        "- {{id: fail, exit: {{status: failed, reason: bad}}}}\n"
        "- {{id: done, end: {{output: '{{{{ input.n }}}}'}}}}\n"
        "edges: [{{from: pick, to: work, handle: 'false'}}, {{from: work, to: done}},\n"
        "  {{from: pick, to: fail, handle: 'true'}}]\n",
        retry
    ));
    apply(
        "name: parent\nnodes:\n"
        "- id: each\n"
        "  foreach: {items: '{{ list }}', workflow: child, input: '{{ item }}', concurrency: 20,\n"
        "    tolerated_failures: 20}\n"
        "  retry: {attempts: 1}\n"
    );
    start_workers();
    session_.value(fmt::format(
        "select pawl.start('parent', jsonb_build_object('list', (select jsonb_agg("
        "jsonb_build_object('n', n, 'bad', n % 10 = 0) order by n) "
        "from generate_series(0, {}) n)))::text",
        items - 1
    ));
    for (int killed = 0; killed < 4; ++killed) {
        const int enough = std::stoi(count("pawl.run")) + items / 6;
        EXPECT_TRUE(await([&] { return std::stoi(count("pawl.run")) >= enough; }));
        kill_and_replace(static_cast<std::size_t>(killed) % 2);
    }
    const std::string parents =
        "pawl.run r join pawl.workflow w on w.id = r.workflow where w.name = 'parent'";
    if (!await_count(parents, 1)) return;
    EXPECT_EQ(count(parents + " and r.status = 1"), "1");
    // The children have ended before, all of them.
    EXPECT_EQ(count("pawl.live_run"), "0");
    EXPECT_EQ(count("pawl.run"), std::to_string(items + 1));
    EXPECT_EQ(count("pawl.run where status = 2"), std::to_string(items / 10));
    std::vector<std::string> wanted;
    for (int n = 0; n < items; ++n) {
        wanted.push_back(n % 10 == 0 ? "child_failed" : std::to_string(n));
    }
    EXPECT_EQ(
        session_.column("select coalesce(o -> 'error' ->> 'code', o::text) "
                        "from pawl.run r join pawl.workflow w on w.id = r.workflow "
                        "cross join jsonb_array_elements(r.output) with ordinality as x (o, place) "
                        "where w.name = 'parent' order by place"),
        wanted
    );
    expect_one_effect_for_each(session_.column(
        "select run_id::text from pawl.run r join pawl.workflow w on w.id = r.workflow where "
        "w.name = 'child' and r.status = 1"
    ));
}

TEST_F(Kill, EveryRowOfALongListIsAnItemOnce) {
    constexpr int rows = 50'000;
    apply(fmt::format(
        "name: stream\nnodes:\n"
        "- {{id: list, sql: {{statement: 'select n from generate_series(1, {}) n', stream: "
        "true}}}}\n"
        "- {{id: each, foreach: {{items: '{{{{ steps.list.result.rows }}}}', concurrency: 50}}}}\n"
        "- {{id: work, code: echo, input: {{n: '{{{{ item.n }}}}', index: '{{{{ index }}}}'}}}}\n"
        "edges: [{{from: list, to: each}}, {{from: each, to: work, handle: each}}]\n",
        rows
    ));
    start_workers();
    session_.value("select pawl.start('stream', '{}')::text");
    const std::string works = "pawl.event where type = 1 and node = 'work'";
    for (int killed = 1; killed <= 4; ++killed) {
        ASSERT_TRUE(await([&] { return std::stoi(count(works)) >= killed * rows / 6; }, 120s));
        kill_and_replace(0);
        kill_and_replace(1);
    }
    if (!await([&] { return count("pawl.run where status = 1") == "1"; }, 120s)) {
        FAIL() << session_.value("select coalesce(jsonb_agg(error), '[]')::text from pawl.run");
    }
    EXPECT_EQ(count(works), std::to_string(rows));
    EXPECT_EQ(
        session_.value(
            "select count(distinct data ->> 'n') || ' ' || count(*) filter (where "
            "(data ->> 'n')::int = (data ->> 'index')::int + 1) from " +
            works
        ),
        fmt::format("{0} {0}", rows)
    );
    EXPECT_EQ(
        session_.value("select output::text from pawl.run"),
        fmt::format(R"({{"count": {}, "failed": 0}})", rows)
    );
}

TEST_F(Kill, TimersThatWereDueWithoutAWorkerFireOnce) {
    constexpr int runs = 500;
    apply(fmt::format(
        "name: later\nsteps:\n- {{name: w, wait: 3s}}\n- {{name: go, function: effect, {}}}\n",
        retry
    ));
    start_workers();
    start("later", runs);
    ASSERT_TRUE(await_count("pawl.event where type = 3", runs));
    kill(0);
    kill(1);
    ASSERT_TRUE(eventually([&] {
        return session_.value(
                   "select (now() > max(at) + '3 s')::text from pawl.event where type = "
                   "3"
               ) == "true";
    }));
    start_workers();
    if (!await_count("pawl.run where status = 1", runs)) return;
    // run_started, wait_started, step_completed (the wait, then the effect), run_completed
    EXPECT_EQ(logs(), std::vector<std::string>({fmt::format("0,3,1,1,4 x {}", runs)}));
    expect_one_effect_for_each(session_.column("select run_id::text from pawl.run"));
}

TEST_F(Kill, OneBranchAtATimeIsInACriticalSection) {
    constexpr int runs = 10;
    constexpr int branches = 3;
    std::string nodes = "name: shared\nnodes:\n- {id: split, type: parallel}\n";
    std::string edges = "edges:\n";
    for (int i = 0; i < branches; ++i) {
        nodes += fmt::format(
            "- {{id: enter{0}, lock: stock}}\n- {{id: work{0}, function: effect, {1}}}\n"
            "- {{id: leave{0}, unlock: stock}}\n",
            i,
            retry
        );
        edges += fmt::format(
            "- {{from: split, to: enter{0}}}\n- {{from: enter{0}, to: work{0}}}\n"
            "- {{from: work{0}, to: leave{0}}}\n",
            i
        );
    }
    apply(nodes + edges);
    // One at a time, so that the times in the logs are of one clock.
    workers_[0] = start_worker();
    start("shared", runs);
    const std::string works = "pawl.event where type = 1 and node like 'work%'";
    EXPECT_TRUE(await([&] { return std::stoi(count(works)) >= runs; }));
    kill_and_replace(0);
    if (!await_count("pawl.run where status = 1", runs)) return;
    std::string wanted;
    for (int i = 0; i < runs * branches; ++i) wanted += "ew";
    EXPECT_EQ(
        session_.value("select string_agg(left(node, 1), '' order by at) from pawl.event "
                       "where type = 1 and node ~ '^(enter|work)'"),
        wanted
    );
    EXPECT_EQ(count("pawl.lock_place"), "0");
}

}  // namespace
}  // namespace pawl::test
