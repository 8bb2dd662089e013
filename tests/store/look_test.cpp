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

}  // namespace
}  // namespace pawl::test
