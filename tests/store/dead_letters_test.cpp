#include "store/repos/dead_letters.hpp"

#include "store/repos/jobs.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

#include <set>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class DeadLettersPg : public ::testing::Test {
protected:
    RunId fail(
        const std::string& workflow, const std::string& message, const std::string& step = "step_1"
    ) {
        store::StartBatch batch;
        batch.worker = worker_;
        batch.runs = {new_run(db_.workflow(workflow))};
        batch.runs[0].lease = true;
        db_.start(batch);
        auto close = closing(worker_, batch.runs[0].id, RunStatus::failed);
        close.events[0].event.type = EventType::run_failed;
        close.closes[0].workflow = batch.runs[0].workflow;
        close.closes[0].node = step;
        close.closes[0].error = json::object{{"code", "http_503"}, {"message", message}};
        db_.commit(close);
        return batch.runs[0].id;
    }
    store::DeadLetterPage page(
        const store::DeadLetterFilter& filter,
        int limit = 50,
        std::optional<store::DeadLetterCursor> cursor = std::nullopt,
        int scan_max = 1000
    ) {
        return db_.loop().run(letters_.list({}, filter, limit, cursor, scan_max));
    }
    std::vector<RunId> list(const store::DeadLetterFilter& filter) {
        std::vector<RunId> runs;
        for (const auto& letter : page(filter).letters) runs.push_back(letter.run);
        return runs;
    }
    std::string fingerprint(RunId run) {
        return db_.loop().run(letters_.find({}, run))->fingerprint;
    }

    PgUnderTest db_;
    WorkerId worker_ = db_.worker();
    store::DeadLetters letters_{db_.pool()};
    store::Jobs jobs_{db_.pool()};
};

TEST_F(DeadLettersPg, AFailedRunLeavesOne) {
    const auto run = fail("hello", "server 17 said no");
    const auto found = db_.loop().run(letters_.find({}, run));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->workflow, "hello");
    EXPECT_EQ(found->step, "step_1");
    EXPECT_EQ(*pawl::find(found->error, "message"), "server 17 said no");
    EXPECT_FALSE(found->replayed_as);
    EXPECT_FALSE(db_.loop().run(letters_.find({2, 0}, run))) << "another tenant's";
    EXPECT_FALSE(db_.loop().run(letters_.find({}, new_run_id())));
}

TEST_F(DeadLettersPg, PagesAreFullAlsoBehindMuchThatDoesNotMatch) {
    std::vector<RunId> waiting;
    for (int i = 0; i < 3; ++i) waiting.insert(waiting.begin(), fail("hello", "first"));
    waiting.insert(waiting.begin(), fail("other", "second"));
    for (int i = 0; i < 4; ++i) {
        db_.database().session().script(
            "update pawl.dead_letter set replayed_as = run_id where run_id = '" +
            to_string(fail("hello", "third")) + "'"
        );
    }
    store::DeadLetterFilter filter;
    filter.replayed = false;
    const auto first = page(filter, 2, std::nullopt, 2);
    ASSERT_EQ(first.letters.size(), 2u);
    EXPECT_EQ(first.letters[0].run, waiting[0]);
    EXPECT_EQ(first.letters[1].run, waiting[1]);
    ASSERT_TRUE(first.next);
    const auto second = page(filter, 2, first.next, 2);
    ASSERT_EQ(second.letters.size(), 2u);
    EXPECT_EQ(second.letters[0].run, waiting[2]);
    EXPECT_EQ(second.letters[1].run, waiting[3]);
    EXPECT_FALSE(second.next) << "there is nothing more";
    filter.workflow = "other";
    const auto rare = page(filter, 2, std::nullopt, 2);
    ASSERT_EQ(rare.letters.size(), 1u);
    EXPECT_FALSE(rare.next);
}

TEST_F(DeadLettersPg, TheSameErrorHasTheSameFingerprint) {
    const std::string first = fingerprint(fail(
        "hello",
        "order 17 of cus_9s6XKz for 0190ffff-0000-7000-8000-000000000001 failed at "
        "2024-01-02T10:00:00Z: 10.0.0.1:80 refused, request deadbeefcafe"
    ));
    EXPECT_EQ(
        fingerprint(fail(
            "hello",
            "order 4 of cus_1aaQRs for 0190aaaa-ffff-7000-8000-00000000beef failed at "
            "2025-11-12T23:59:59.123Z: 192.168.100.1:8080 refused, request feedfacefeed"
        )),
        first
    );
    const std::string plain = fingerprint(fail("hello", "no such customer"));
    EXPECT_NE(plain, fingerprint(fail("hello", "no such order")));
    EXPECT_NE(plain, fingerprint(fail("hello", "no such customer", "step_2")));
    EXPECT_NE(plain, fingerprint(fail("other", "no such customer")));
    EXPECT_EQ(plain, fingerprint(fail("hello", "no such customer")));
}

TEST_F(DeadLettersPg, ListsNewestFirstWithFilters) {
    const auto first = fail("hello", "a");
    const auto second = fail("other", "a");
    const auto third = fail("hello", "b", "step_2");
    EXPECT_EQ(list({}), (std::vector{third, second, first}));
    store::DeadLetterFilter filter;
    filter.workflow = "hello";
    EXPECT_EQ(list(filter), (std::vector{third, first}));
    filter.step = "step_2";
    EXPECT_EQ(list(filter), std::vector{third});
    filter = {};
    filter.fingerprint = fingerprint(second);
    EXPECT_EQ(list(filter), std::vector{second});
    // As people see it in a table.
    filter.fingerprint = fingerprint(second).substr(0, 12);
    EXPECT_EQ(list(filter), std::vector{second});
    const auto job = db_.loop().run(jobs_.create_replay(new_run_id().uuid, 1, filter));
    EXPECT_EQ(job.total, 1);
    for (const char* wrong :
         {"", "3f9c1", "xyzxyz", "3f9c1a%", "3f9c1a3f9c1a3f9c1a3f9c1a3f9c1a3f9"}) {
        EXPECT_FALSE(store::fingerprint_prefix(wrong)) << wrong;
    }
    EXPECT_EQ(store::fingerprint_prefix("3F9c1a").value(), "3f9c1a");
    filter = {};
    filter.after = db_.loop().run(letters_.find({}, first))->at;
    filter.before = db_.loop().run(letters_.find({}, third))->at;
    EXPECT_EQ(list(filter), std::vector{second});
    filter = {};
    filter.replayed = true;
    EXPECT_TRUE(list(filter).empty());
    filter.replayed = false;
    EXPECT_EQ(list(filter).size(), 3u);
}

TEST_F(DeadLettersPg, PagesOfARareWorkflowAreFullAndMissNothing) {
    std::set<RunId> expected, seen;
    for (int i = 0; i < 10; ++i) {
        const auto run = fail(i % 4 == 1 ? "rare" : "hello", "x");
        if (i % 4 == 1) expected.insert(run);
    }
    store::DeadLetterFilter filter;
    filter.workflow = "rare";
    std::optional<store::DeadLetterCursor> cursor;
    int pages = 0;
    do {
        const auto next = page(filter, 2, cursor, 3);
        for (const auto& letter : next.letters) EXPECT_TRUE(seen.insert(letter.run).second);
        cursor = next.next;
        ASSERT_LE(++pages, 20);
    } while (cursor);
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(pages, 2) << "of two and of one";
}

TEST_F(DeadLettersPg, GroupsTheSameErrors) {
    for (int i = 0; i < 3; ++i) fail("hello", fmt::format("order {} is broken", i));
    const auto last = fail("hello", "order 9 is broken");
    fail("other", "no");
    auto found = db_.loop().run(letters_.groups({}, {}));
    ASSERT_EQ(found.groups.size(), 2u);
    EXPECT_TRUE(found.complete);
    const auto& most = found.groups[0];
    EXPECT_EQ(most.count, 4);
    EXPECT_EQ(most.workflow, "hello");
    EXPECT_EQ(most.step, "step_1");
    EXPECT_EQ(most.message, "order 9 is broken");
    EXPECT_EQ(most.sample_run, last);
    EXPECT_LT(most.first_at, most.last_at);
    EXPECT_EQ(most.fingerprint, fingerprint(last));
    EXPECT_FALSE(db_.loop().run(letters_.groups({}, {}, 10, 2)).complete);
    EXPECT_TRUE(db_.loop().run(letters_.groups({2, 0}, {})).groups.empty());
}

// --- Jobs ---------------------------------------------------------------------------------------

TEST_F(DeadLettersPg, AJobReplaysWhatMatchedWhenItWasMade) {
    std::vector<RunId> runs;
    for (int i = 0; i < 5; ++i) runs.push_back(fail("hello", "x"));
    const auto other = fail("other", "x");
    store::DeadLetterFilter filter;
    filter.workflow = "hello";
    const Uuid id = new_run_id().uuid;
    const auto made = db_.loop().run(jobs_.create_replay(id, 1, filter));
    EXPECT_EQ(made.status, "queued");
    EXPECT_EQ(made.total, 5);
    EXPECT_EQ(db_.loop().run(jobs_.create_replay(id, 1, {})).total, 5) << "the same job";
    EXPECT_EQ(failure_of([&] { db_.loop().run(jobs_.create_replay(id, 2, {})); }), Errc::conflict);
    const auto later = fail("hello", "x");

    auto job = db_.loop().run(jobs_.claim(1min));
    ASSERT_TRUE(job);
    EXPECT_FALSE(db_.loop().run(jobs_.claim(1min))) << "another server works on it";
    int batches = 0;
    while (!job->is_over()) {
        job = db_.loop().run(jobs_.replay_batch(*job, 2, 1min));
        ASSERT_LE(++batches, 10);
    }
    EXPECT_EQ(job->status, "done");
    EXPECT_EQ(job->done, 5);
    EXPECT_EQ(job->failed, 0);
    for (const auto& letter : page({}).letters) {
        const bool replayed = letter.run != other && letter.run != later;
        EXPECT_EQ(letter.replayed_as.has_value(), replayed);
    }
    EXPECT_EQ(db_.loop().run(jobs_.find(1, id))->done, 5);
    EXPECT_FALSE(db_.loop().run(jobs_.find(2, id)));
    EXPECT_FALSE(db_.loop().run(jobs_.claim(1min)));
}

// The server dies in the middle of a batch: its transaction is gone, and the next server does it.
TEST_F(DeadLettersPg, AKilledServerLosesAndRepeatsNothing) {
    for (int i = 0; i < 7; ++i) fail("hello", "x");
    const Uuid id = new_run_id().uuid;
    db_.loop().run(jobs_.create_replay(id, 1, {}));
    auto job = db_.loop().run(jobs_.claim(0s));
    job = db_.loop().run(jobs_.replay_batch(*job, 3, 0s));
    auto& session = db_.database().session();
    session.script(
        fmt::format("begin; select pawl.replay_batch('{}', 3, '0 s'); rollback", to_string(id))
    );
    EXPECT_EQ(db_.loop().run(jobs_.find(1, id))->done, 3);
    job = db_.loop().run(jobs_.claim(1min));
    ASSERT_TRUE(job) << "its lease is over";
    while (!job->is_over()) job = db_.loop().run(jobs_.replay_batch(*job, 3, 1min));
    EXPECT_EQ(job->done, 7);
    EXPECT_EQ(session.value("select count(distinct replayed_as)::text from pawl.dead_letter"), "7");
    EXPECT_EQ(session.value("select count(*)::text from pawl.live_run"), "7");
}

// However many jobs one of them has made before.
TEST_F(DeadLettersPg, TenantsTakeTurnsWithTheirJobs) {
    const auto second = db_.other_tenant();
    for (int i = 0; i < 20; ++i) db_.loop().run(jobs_.create_replay(new_run_id().uuid, 1, {}));
    std::vector<std::int32_t> tenants;
    const auto work = [&] {
        const auto job = db_.loop().run(jobs_.claim(1min, tenants.empty() ? 0 : tenants.back()));
        ASSERT_TRUE(job);
        tenants.push_back(job->tenant.id);
        db_.loop().run(jobs_.let_go(job->id));
    };
    work();
    for (int i = 0; i < 2; ++i) db_.loop().run(jobs_.create_replay(new_run_id().uuid, second, {}));
    for (int i = 0; i < 4; ++i) work();
    EXPECT_EQ(tenants, (std::vector<std::int32_t>{1, second, 1, second, 1}));
}

TEST_F(DeadLettersPg, AJobThatCannotGoOnSaysWhy) {
    const Uuid id = new_run_id().uuid;
    db_.loop().run(jobs_.create_replay(id, 1, {}));
    db_.loop().run(jobs_.fail(id, "no disk"));
    const auto job = db_.loop().run(jobs_.find(1, id));
    EXPECT_EQ(job->status, "failed");
    EXPECT_EQ(job->error, "no disk");
    EXPECT_FALSE(db_.loop().run(jobs_.claim(1min)));
}

}  // namespace
}  // namespace pawl::test
