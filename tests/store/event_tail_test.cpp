#include "store/pg/event_tail.hpp"

#include "store/under_test.hpp"

#include <fmt/core.h>

#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class EventTailPg : public ::testing::Test {
protected:
    std::vector<store::LogRow> after(std::vector<store::ReadTo> positions, int limit = 100) {
        return db_.loop().run(tail_.events_after(0, std::move(positions), limit));
    }
    // The tail keeps a little distance from now.
    void let_settle() { db_.database().session().script("select pg_sleep(0.05)"); }

    PgUnderTest db_;
    WorkerId worker_ = db_.worker();
    store::EventTail tail_{db_.pool()};
};

TEST_F(EventTailPg, GivesWhatCameAfterOfManyRuns) {
    const auto first = db_.run(worker_);
    const auto second = db_.run(worker_);
    db_.commit(appending(worker_, second, {step_completed(1), step_completed(2, "step_2")}));
    EXPECT_TRUE(after({}).empty());
    const auto rows = after({{second, 0}, {first, -1}, {new_run_id(), -1}});
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].run, second);
    EXPECT_EQ(rows[0].event.seq, 1);
    EXPECT_EQ(rows[1].event.node, "step_2");
    EXPECT_EQ(rows[2].run, first);
    EXPECT_EQ(rows[2].event.type, EventType::run_started);
    EXPECT_EQ(after({{second, -1}, {first, -1}}, 2).size(), 2u);
    EXPECT_TRUE(after({{first, 0}, {second, 2}}).empty());
}

// A step may have a result of a megabyte, and a page a thousand events.
TEST_F(EventTailPg, APageEndsWhereItsBytesDo) {
    const auto run = db_.run(worker_);
    std::vector<Event> events;
    for (std::int32_t seq = 1; seq <= 12; ++seq) {
        Event event = step_completed(seq);
        event.data = json::object{{"result", std::string(900'000, 'x')}};
        events.push_back(std::move(event));
    }
    db_.commit(appending(worker_, run, std::move(events)));
    std::int32_t seq = -1;
    int pages = 0;
    for (bool more = true; more; ++pages) {
        const auto page = db_.loop().run(tail_.page_after(0, {run, seq}, 1000));
        ASSERT_FALSE(page.rows.empty());
        EXPECT_LE(page.rows.size(), 6U);
        EXPECT_EQ(page.rows.front().event.seq, seq + 1);
        seq = page.rows.back().event.seq;
        more = page.more;
    }
    EXPECT_EQ(seq, 12);
    EXPECT_EQ(pages, 3);
    EXPECT_TRUE(db_.loop().run(tail_.page_after(0, {run, -1}, 2)).more);
    EXPECT_EQ(after({{run, 0}}).size(), 5U);
}

// To tell where the events of a page happened, the log before them is folded, however long it is.
TEST_F(EventTailPg, TheShapeOfALogLeavesOutWhatIsLarge) {
    const auto run = db_.run(worker_);
    const std::string large(900'000, 'x');
    Event result = step_completed(1);
    result.data = json::object{{"result", large}};
    Event small_result = step_completed(2);
    small_result.data = json::object{{"result", true}};
    Event message = step_completed(3);
    message.type = EventType::signal_received;
    message.data = json::object{
        {"id", 7},
        {"kind", "callback"},
        {"data", {{"token", 1}, {"attempt", 2}, {"result", large}}}};
    Event passed = step_completed(4);
    passed.type = EventType::node_passed;
    passed.data = json::object{{"handle", "true"}, {"mail", {7}}, {"value", large}};
    Event listed = step_completed(5);
    listed.type = EventType::items_listed;
    listed.data = json::object{{"items", {large, 2}}};
    db_.commit(
        appending(worker_, run, {result, small_result, message, passed, listed, step_completed(6)})
    );
    const auto shape = db_.loop().run(tail_.shape(0, {run, 5}));
    ASSERT_EQ(shape.size(), 6U) << "to where it was asked for";
    EXPECT_EQ(shape[0].type, EventType::run_started);
    EXPECT_EQ(shape[0].data, db_.loop().run(db_.store().load_log(0, run))[0].data);
    EXPECT_EQ(shape[1].node, result.node);
    EXPECT_TRUE(shape[1].data.is_null());
    EXPECT_EQ(shape[2].data, small_result.data);
    EXPECT_EQ(
        shape[3].data,
        (json::object{{"id", 7}, {"kind", "callback"}, {"data", {{"token", 1}, {"attempt", 2}}}})
    );
    EXPECT_EQ(shape[4].data, (json::object{{"handle", "true"}, {"mail", {7}}, {"value", nullptr}}));
    EXPECT_EQ(shape[5].data, listed.data) << "how many they are counts";
}

TEST_F(EventTailPg, TellsWhatHappenedInAllRunsOnce) {
    const auto start = db_.now() - 1s;
    const auto run = db_.run(worker_);
    const auto other = db_.run(worker_);
    db_.commit(appending(worker_, run, {step_completed(1)}));
    db_.commit(closing(worker_, run, RunStatus::completed, 2));
    let_settle();
    const auto all = db_.loop().run(tail_.tail({}, start));
    ASSERT_EQ(all.events.size(), 4u);
    EXPECT_EQ(all.events[0].run, run);
    EXPECT_EQ(all.events[0].workflow, "hello");
    EXPECT_EQ(all.events[0].type, "run_started");
    EXPECT_EQ(all.events[1].run, other);
    EXPECT_EQ(all.events[2].step, "step_1");
    EXPECT_EQ(all.events[2].attempt, 1);
    EXPECT_EQ(all.events[3].type, "run_completed");
    EXPECT_TRUE(db_.loop().run(tail_.tail({}, all.next_after)).events.empty());
    EXPECT_TRUE(db_.loop().run(tail_.tail({2, 0}, start)).events.empty()) << "another tenant";

    // Little by little it is the same.
    std::set<std::pair<RunId, std::int32_t>> seen;
    auto next = start;
    for (int i = 0; i < 10; ++i) {
        const auto part = db_.loop().run(tail_.tail({}, next, 1));
        for (const auto& event : part.events) {
            EXPECT_TRUE(seen.insert({event.run, event.seq}).second);
        }
        EXPECT_GE(part.next_after, next);
        next = part.next_after;
    }
    EXPECT_EQ(seen.size(), 4u);
}

// Events carry the time their transaction began, so a slow one commits into the past.
TEST_F(EventTailPg, WaitsForTransactionsUnderWay) {
    const auto run = db_.run(worker_);
    const auto start = db_.now() - 1s;
    auto& session = db_.database().session();
    session.script(fmt::format(
        "begin; insert into pawl.event (run_id, at, seq, bucket, type) values ('{}', now(), 1, 0, "
        "1)",
        to_string(run)
    ));
    const auto later = db_.run(worker_);
    let_settle();
    const auto before = db_.loop().run(tail_.tail({}, start));
    for (const auto& event : before.events) EXPECT_NE(event.run, later);
    session.script("commit");
    let_settle();
    const auto rest = db_.loop().run(tail_.tail({}, before.next_after));
    ASSERT_EQ(rest.events.size(), 2u);
    EXPECT_EQ(rest.events[0].run, run);
    EXPECT_EQ(rest.events[1].run, later);
}

TEST_F(EventTailPg, ReadsTheNewestPagesOnly) {
    auto& session = db_.database().session();
    session.script(
        "insert into pawl.event (run_id, at, seq, bucket, type) "
        "select pawl.uuid7(), now() - interval '1 day' + i * interval '1 ms', 0, 0, 0 "
        "from generate_series(1, 200000) i"
    );
    session.script("select pawl.summarize_log()");
    db_.run();
    const auto plan = output_of(
        "psql -X -q -d '" + db_.database().url() +
        "' -c \"set enable_indexscan = off; set enable_seqscan = off; explain (analyze, buffers, "
        "timing off, summary off) select * from pawl.event e where e.at > now() - interval '1 "
        "min'\" 2>&1"
    );
    EXPECT_NE(plan.find("_at_idx"), std::string::npos) << plan;
    const std::string lost = "Rows Removed by Index Recheck: ";
    const auto at = plan.find(lost);
    const int removed = at == std::string::npos ? 0 : std::stoi(plan.substr(at + lost.size()));
    EXPECT_LT(removed, 20000) << plan;
}

}  // namespace
}  // namespace pawl::test
