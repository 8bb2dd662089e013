#include "store/under_test.hpp"

#include <algorithm>

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
        leased_ = start(other, true);
        parked_ = start(hello, true);
        completed_ = start(hello, true);
        failed_ = start(hello, true);
        db.commit(parking(worker_, parked_, std::nullopt));
        db.commit(closing(worker_, completed_, RunStatus::completed));
        db.commit(closing(worker_, failed_, RunStatus::failed));
    }

    RunId start(store::WorkflowId workflow, bool lease) {
        store::StartBatch batch;
        batch.worker = worker_;
        batch.runs = {new_run(workflow)};
        batch.runs[0].lease = lease;
        this->db_.start(batch);
        return batch.runs[0].id;
    }

    WorkerId worker_;
    RunId ready_, leased_, parked_, completed_, failed_;
};
TYPED_TEST_SUITE(Look, Stores, StoreNames);

TYPED_TEST(Look, ListsOpenAndClosedRunsNewestFirst) {
    const std::vector all{
        this->failed_, this->completed_, this->parked_, this->leased_, this->ready_};
    EXPECT_EQ(this->db_.list({}), all);
}

TYPED_TEST(Look, FiltersByStatus) {
    const auto with = [this](const char* status) {
        store::RunFilter filter;
        filter.status = status;
        return this->db_.list(filter);
    };
    EXPECT_EQ(with("ready"), std::vector{this->ready_});
    EXPECT_EQ(with("leased"), std::vector{this->leased_});
    EXPECT_EQ(with("parked"), std::vector{this->parked_});
    EXPECT_EQ(with("completed"), std::vector{this->completed_});
    EXPECT_EQ(with("failed"), std::vector{this->failed_});
    EXPECT_TRUE(with("cancelled").empty());
    EXPECT_EQ(with("running"), (std::vector{this->parked_, this->leased_, this->ready_}));
}

TYPED_TEST(Look, FiltersByWorkflow) {
    store::RunFilter filter;
    filter.workflow = "other";
    EXPECT_EQ(this->db_.list(filter), std::vector{this->leased_});
    filter.workflow = "nobody";
    EXPECT_TRUE(this->db_.list(filter).empty());
}

TYPED_TEST(Look, PagesWithACursor) {
    store::RunFilter filter;
    filter.limit = 2;
    std::vector<RunId> seen;
    for (;;) {
        const auto page = this->db_.list(filter);
        if (page.empty()) break;
        EXPECT_LE(page.size(), 2u);
        seen.insert(seen.end(), page.begin(), page.end());
        filter.before = page.back();
    }
    filter = {};
    EXPECT_EQ(seen, this->db_.list(filter));
}

TYPED_TEST(Look, ARunNobodyKnows) {
    EXPECT_FALSE(this->db_.find(new_run_id()));
    EXPECT_TRUE(this->db_.log(new_run_id()).empty());
}

template <class T>
class Workflows : public Conformance<T> {};
TYPED_TEST_SUITE(Workflows, Stores, StoreNames);

TYPED_TEST(Workflows, ANewDefinitionIsANewVersion) {
    auto& db = this->db_;
    const auto first = db.apply(line("hello", 1));
    EXPECT_TRUE(first.changed);
    EXPECT_EQ(first.version, 1);
    const auto same = db.apply(line("hello", 1));
    EXPECT_FALSE(same.changed);
    EXPECT_EQ(same.version, 1);
    const auto second = db.apply(line("hello", 2));
    EXPECT_TRUE(second.changed);
    EXPECT_EQ(second.id, first.id);
    EXPECT_EQ(second.version, 2);
    // Going back is a new version too: versions are never changed or reused.
    const auto third = db.apply(line("hello", 1));
    EXPECT_TRUE(third.changed);
    EXPECT_EQ(third.version, 3);
}

TYPED_TEST(Workflows, FindsTheActiveVersionByNameAndAnyById) {
    auto& db = this->db_;
    const auto applied = db.apply(line("hello", 1));
    db.apply(line("hello", 2));
    const auto active = db.find_workflow("hello");
    ASSERT_TRUE(active);
    EXPECT_EQ(active->version, 2);
    EXPECT_EQ(active->name, "hello");
    EXPECT_EQ(active->bucket, 0);
    EXPECT_EQ(active->tenant, 1);
    EXPECT_EQ(definition_from_json(active->definition).value(), line("hello", 2));
    const auto old = db.find_version(applied.id, 1);
    ASSERT_TRUE(old);
    EXPECT_EQ(definition_from_json(old->definition).value(), line("hello", 1));
    EXPECT_FALSE(db.find_workflow("nobody"));
    EXPECT_FALSE(db.find_version(applied.id, 3));
    EXPECT_FALSE(db.find_version(applied.id + 1, 1));
}

TYPED_TEST(Workflows, ListsActiveVersionsByName) {
    auto& db = this->db_;
    db.apply(line("b"));
    db.apply(line("a"));
    db.apply(line("b", 3));
    const auto all = db.list_workflows();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(all[1].name, "b");
    EXPECT_EQ(all[1].version, 2);
}

TEST(WorkflowsPg, TenAppliesAtOnceMakeOneVersion) {
    PgUnderTest db;
    const auto definition = line("hello");
    std::vector<asio::awaitable<store::Applied>> calls;
    calls.reserve(10);
    for (int i = 0; i < 10; ++i) calls.push_back(db.store().apply_workflow(definition));
    int changed = 0;
    for (const auto& applied : db.loop().run_all(std::move(calls))) {
        EXPECT_EQ(applied.version, 1);
        changed += applied.changed ? 1 : 0;
    }
    EXPECT_EQ(changed, 1);
}

}  // namespace
}  // namespace pawl::test
