#include "store/under_test.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::test {
namespace {

template <class T>
class Look : public Conformance<T> {
protected:
    void SetUp() override {
        auto& db = this->db_;
        worker_ = db.worker();
        const auto hello = db.workflow("hello");
        const auto other = db.workflow("other");
        ready_ = start(hello, false);
        leased_ = start(other, true, "customer 7", "order 7");
        sleeping_ = start(hello, true);
        parked_ = start(hello, true);
        completed_ = start(hello, true);
        failed_ = start(hello, true, "", "order 7");
        db.commit(parking(worker_, sleeping_, db.now() + std::chrono::hours(1)));
        db.commit(parking(worker_, parked_, std::nullopt));
        auto completed = closing(worker_, completed_, RunStatus::completed);
        completed.closes[0].subject = "customer 7";
        db.commit(completed);
        db.commit(closing(worker_, failed_, RunStatus::failed));
    }

    RunId start(
        store::WorkflowId workflow,
        bool lease,
        const std::string& subject = "",
        const std::string& correlation = ""
    ) {
        store::StartBatch batch;
        batch.worker = worker_;
        batch.runs = {new_run(workflow)};
        batch.runs[0].subject = subject;
        batch.runs[0].correlation = correlation;
        batch.runs[0].lease = lease;
        this->db_.start(batch);
        return batch.runs[0].id;
    }

    WorkerId worker_;
    RunId ready_, leased_, sleeping_, parked_, completed_, failed_;
};
TYPED_TEST_SUITE(Look, Stores, StoreNames);

TYPED_TEST(Look, ListsOpenAndClosedRunsNewestFirst) {
    const std::vector all{
        this->failed_,
        this->completed_,
        this->parked_,
        this->sleeping_,
        this->leased_,
        this->ready_};
    EXPECT_EQ(this->db_.list({}), all);
}

TYPED_TEST(Look, FiltersByStatus) {
    const auto with = [this](const char* status) {
        store::RunFilter filter;
        filter.status = {status};
        return this->db_.list(filter);
    };
    EXPECT_EQ(with("queued"), std::vector{this->ready_});
    EXPECT_EQ(with("running"), std::vector{this->leased_});
    EXPECT_EQ(with("waiting"), (std::vector{this->parked_, this->sleeping_}));
    EXPECT_EQ(with("completed"), std::vector{this->completed_});
    EXPECT_EQ(with("failed"), std::vector{this->failed_});
    EXPECT_TRUE(with("cancelled").empty());
    EXPECT_TRUE(with("parked").empty());
    store::RunFilter several;
    several.status = {"queued", "failed", "completed"};
    EXPECT_EQ(
        this->db_.list(several), (std::vector{this->failed_, this->completed_, this->ready_})
    );
}

TYPED_TEST(Look, FiltersBySubject) {
    store::RunFilter filter;
    filter.subject = "customer 7";
    EXPECT_EQ(this->db_.list(filter), (std::vector{this->completed_, this->leased_}));
    filter.status = {"completed"};
    EXPECT_EQ(this->db_.list(filter), std::vector{this->completed_});
    filter.subject = "customer 8";
    EXPECT_TRUE(this->db_.list(filter).empty());
}

TYPED_TEST(Look, FiltersByCorrelationInAllWorkflows) {
    store::RunFilter filter;
    filter.correlation_id = "order 7";
    EXPECT_EQ(this->db_.list(filter), (std::vector{this->failed_, this->leased_}));
    filter.workflow = "other";
    EXPECT_EQ(this->db_.list(filter), std::vector{this->leased_});
    filter.correlation_id = "order 8";
    EXPECT_TRUE(this->db_.list(filter).empty());
}

TYPED_TEST(Look, FiltersByTimeOfCreation) {
    const auto made = [](RunId run) {
        return Instant(std::chrono::milliseconds(unix_ms_of(run.uuid)));
    };
    auto old = new_run(this->db_.workflow("hello"));
    old.id.uuid = make_uuid7(unix_ms_of(old.id.uuid) - 3600'000, 1, 2);
    this->db_.start({old});
    store::RunFilter filter;
    filter.created_before = made(this->ready_);
    EXPECT_EQ(this->db_.list(filter), std::vector{old.id});
    filter = {};
    filter.created_after = made(old.id);
    EXPECT_EQ(this->db_.list(filter).back(), old.id);
    *filter.created_after += std::chrono::microseconds(1);
    EXPECT_EQ(this->db_.list(filter).back(), this->ready_);
}

TYPED_TEST(Look, AnotherTenantSeesNothing) {
    const store::Tenant other{2, 0};
    for (const RunId run : {this->ready_, this->completed_}) {
        EXPECT_TRUE(this->db_.find(run));
        EXPECT_FALSE(this->db_.find(run, other));
    }
    EXPECT_TRUE(this->db_.page({}, other).runs.empty());
}

TYPED_TEST(Look, FindsARunWithWhatItWasStartedWith) {
    auto started = new_run(this->db_.workflow("hello"));
    started.priority = 3;
    started.data.as_object()["correlation_id"] = "order 9";
    started.data.as_object()["triggered_by"] = "api";
    started.data.as_object()["parent"] = to_string(this->failed_);
    this->db_.start({started});
    const auto found = this->db_.find(started.id);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->tenant, 1);
    EXPECT_EQ(found->workflow_id, started.workflow);
    EXPECT_EQ(found->priority, 3);
    EXPECT_EQ(found->input, (json::object{{"greeting", "hello"}}));
    EXPECT_EQ(found->correlation_id, "order 9");
    EXPECT_EQ(found->triggered_by, "api");
    EXPECT_EQ(found->parent, this->failed_);
    ASSERT_EQ(this->db_.claim_ids(this->worker_, 2).size(), 2u);
    this->db_.commit(closing(this->worker_, started.id));
    EXPECT_EQ(this->db_.find(started.id)->priority, 3) << "a closed run has it from its log";
    const auto closed = this->db_.find(this->failed_);
    ASSERT_TRUE(closed);
    EXPECT_EQ(closed->input, (json::object{{"greeting", "hello"}}));
    EXPECT_FALSE(closed->parent);
}

TYPED_TEST(Look, FiltersByWorkflow) {
    store::RunFilter filter;
    filter.workflow = "other";
    EXPECT_EQ(this->db_.list(filter), std::vector{this->leased_});
    filter.workflow = "unknown";
    EXPECT_TRUE(this->db_.list(filter).empty());
}

TYPED_TEST(Look, PagesWithACursor) {
    store::RunFilter filter;
    filter.limit = 2;
    std::vector<RunId> seen;
    do {
        const auto page = this->db_.page(filter);
        EXPECT_EQ(page.runs.size(), 2u);
        for (const auto& run : page.runs) seen.push_back(run.id);
        filter.before = page.next;
    } while (filter.before);
    filter = {};
    EXPECT_EQ(seen, this->db_.list(filter));
}

// How many runs each page has, and all of them.
std::pair<std::vector<std::size_t>, std::vector<RunId>> sizes_and_runs(
    PgUnderTest& db, store::RunFilter filter, store::Tenant tenant
) {
    std::pair<std::vector<std::size_t>, std::vector<RunId>> seen;
    do {
        const auto page = db.page(filter, tenant);
        seen.first.push_back(page.runs.size());
        for (const auto& run : page.runs) seen.second.push_back(run.id);
        filter.before = page.next;
    } while (filter.before && seen.first.size() < 1000);
    return seen;
}

// A page is full while there is more, also when the filter matches little.
TEST(LookPg, PagesOfARareMatchAreFullAndMissNothing) {
    PgUnderTest db;
    const auto worker = db.worker();
    const auto rare = db.workflow("rare");
    std::vector<RunId> expected;
    for (int i = 0; i < 40; ++i) {
        store::StartBatch batch;
        batch.worker = worker;
        batch.runs = {new_run(i % 7 == 3 ? rare : db.workflow("hello"))};
        batch.runs[0].lease = true;
        db.start(batch);
        auto close = closing(worker, batch.runs[0].id);
        close.closes[0].workflow = batch.runs[0].workflow;
        if (i % 3 != 0) db.commit(close);
        if (i % 7 == 3) expected.insert(expected.begin(), batch.runs[0].id);
    }
    store::RunFilter filter;
    filter.workflow = "rare";
    filter.scan_max = 4;
    filter.limit = 2;
    ASSERT_EQ(expected.size(), 6u);
    EXPECT_EQ(
        sizes_and_runs(db, filter, {}), std::pair(std::vector<std::size_t>{2, 2, 2}, expected)
    );
    // Of one kind only, and with the open ones among them.
    filter.status = {"completed"};
    const auto closed = sizes_and_runs(db, filter, {});
    EXPECT_EQ(closed.first, (std::vector<std::size_t>{2, 2}));
}

TEST(LookPg, ATenantWhoseRunsAreOlderThanThoseOfOthersGetsFullPages) {
    PgUnderTest db;
    const auto other = db.other_tenant();
    auto& session = db.database().session();
    session.script(fmt::format(
        "insert into pawl.workflow (tenant, name) values (1, 'busy'), ({0}, 'a'), ({0}, 'b');"
        "insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, "
        "status) select pawl.uuid7(), now(), now(), w.tenant, w.id, 1, 0, 1 + i % 3 "
        "from pawl.workflow w, generate_series(1, 4) i where w.tenant = {0};"
        "insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, "
        "status) select pawl.uuid7(), now(), now(), 1, w.id, 1, 0, 1 from pawl.workflow w, "
        "generate_series(1, 300) i where w.name = 'busy'",
        other
    ));
    std::vector<RunId> expected;
    for (const auto& id : session.column(fmt::format(
             "select run_id::text from pawl.run where tenant = {} order by run_id desc", other
         ))) {
        expected.push_back(RunId{parse_uuid(id).value()});
    }
    ASSERT_EQ(expected.size(), 8u);
    store::RunFilter filter;
    filter.scan_max = 100;
    filter.limit = 3;
    const store::Tenant tenant{other, 0};
    EXPECT_EQ(
        sizes_and_runs(db, filter, tenant), std::pair(std::vector<std::size_t>{3, 3, 2}, expected)
    );
    // The last page is full: nothing says that there is more.
    filter.limit = 4;
    EXPECT_EQ(sizes_and_runs(db, filter, tenant).first, (std::vector<std::size_t>{4, 4}));
    filter.status = {"failed", "cancelled"};
    filter.limit = 5;
    EXPECT_EQ(sizes_and_runs(db, filter, tenant).first, (std::vector<std::size_t>{5, 1}));
}

TYPED_TEST(Look, AnUnknownRun) {
    EXPECT_FALSE(this->db_.find(new_run_id()));
    EXPECT_TRUE(this->db_.log(new_run_id()).empty());
}

}  // namespace
}  // namespace pawl::test
