#include "store/repos/jobs.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// Runs are found by their error and their input, which no index has.
namespace pawl::test {
namespace {

template <class T>
class Search : public Conformance<T> {
protected:
    RunId start(json::object input) {
        store::StartBatch batch;
        batch.worker = worker_;
        batch.runs = {new_run(this->db_.workflow("hello"))};
        batch.runs[0].data.as_object()["input"] = std::move(input);
        batch.runs[0].lease = true;
        this->db_.start(batch);
        return batch.runs[0].id;
    }
    RunId failed(json::object input, json::object error) {
        const RunId run = start(std::move(input));
        auto batch = closing(worker_, run, RunStatus::failed);
        batch.closes[0].error = std::move(error);
        this->db_.commit(batch);
        return run;
    }
    std::vector<RunId> with_error(const std::string& text) {
        store::RunFilter filter;
        filter.error = text;
        return this->db_.list(filter);
    }
    std::vector<RunId> with(std::vector<std::string> where) {
        store::RunFilter filter;
        filter.where = std::move(where);
        return this->db_.list(filter);
    }

    WorkerId worker_ = this->db_.worker();
};
TYPED_TEST_SUITE(Search, Stores, StoreNames);

using Runs = std::vector<RunId>;

TYPED_TEST(Search, FindsTextInErrors) {
    this->start({});
    const RunId slow = this->failed({}, {{"message", "No answer in 5 s"}, {"code", "timeout"}});
    const RunId odd = this->failed({}, {{"message", "100% '; drop_table"}, {"step", "Pay"}});
    EXPECT_EQ(this->with_error("NO ANSWER"), Runs{slow});
    EXPECT_EQ(this->with_error("TimeOut"), Runs{slow});
    EXPECT_EQ(this->with_error("pay"), Runs{odd});
    EXPECT_EQ(this->with_error("0% '; DROP_"), Runs{odd});
    EXPECT_TRUE(this->with_error("%").size() == 1) << "no sign stands for another";
    EXPECT_TRUE(this->with_error("__").empty());
    EXPECT_TRUE(this->with_error("message").empty());
}

TYPED_TEST(Search, ComparesInputs) {
    const RunId open = this->start({{"total", 250}, {"city", "Trang"}, {"n", {1, {{"a", "x"}}}}});
    const RunId text = this->start({{"total", "250"}});
    const RunId closed = this->failed({{"total", 99.5}, {"vip", true}}, {{"message", "no"}});
    EXPECT_EQ(this->with({"data.total>100"}), Runs{open});
    EXPECT_EQ(this->with({"data.total<=99.5"}), Runs{closed});
    EXPECT_EQ(this->with({"data.total>=99.50"}), (Runs{closed, open}));
    EXPECT_EQ(this->with({"data.total>90", "data.total<200"}), Runs{closed});
    EXPECT_EQ(this->with({"data.total=\"250\""}), Runs{text});
    EXPECT_EQ(this->with({"data.city>=Trang"}), Runs{open});
    EXPECT_EQ(this->with({"data.city<Trang"}), Runs{});
    EXPECT_EQ(this->with({"data.vip=true"}), Runs{closed});
    EXPECT_EQ(this->with({"data.vip!=true"}), (Runs{text, open}));
    EXPECT_EQ(this->with({"data.city=null"}), (Runs{closed, text}));
    EXPECT_EQ(this->with({"data.n[1].a=x"}), Runs{open});
    EXPECT_EQ(this->with({"data.city=\"'; drop table pawl.run; --\""}), Runs{});
    store::RunFilter both;
    both.where = {"data.total>1"};
    both.error = "no";
    EXPECT_EQ(this->db_.list(both), Runs{closed});
    both.status = {"waiting"};
    EXPECT_EQ(this->db_.list(both), Runs{});
}

TYPED_TEST(Search, FindsNothingOfAnotherTenant) {
    this->failed({{"total", 1}}, {{"message", "no"}});
    store::RunFilter filter;
    filter.error = "no";
    EXPECT_EQ(this->db_.page(filter).runs.size(), 1u);
    EXPECT_TRUE(this->db_.page(filter, {2, 0}).runs.empty());
    filter = {};
    filter.where = {"data.total=1"};
    EXPECT_EQ(this->db_.page(filter).runs.size(), 1u);
    EXPECT_TRUE(this->db_.page(filter, {2, 0}).runs.empty());
}

using SearchPg = Search<PgUnderTest>;

TEST_F(SearchPg, StopsAndGoesOnWithTheCursor) {
    const RunId oldest = failed({{"total", 1}}, {{"message", "rare"}});
    for (int i = 0; i < 7; ++i) failed({{"total", 2}}, {{"message", "often"}});
    const RunId open = start({{"total", 1}});
    store::RunFilter filter;
    filter.where = {"data.total=1"};
    filter.look_max = 3;
    std::vector<RunId> seen;
    std::vector<std::int64_t> scanned;
    do {
        const auto page = db_.page(filter);
        for (const auto& run : page.runs) seen.push_back(run.id);
        scanned.push_back(page.scanned.value_or(-1));
        filter.before = page.next;
    } while (filter.before && scanned.size() < 10);
    EXPECT_EQ(seen, (Runs{open, oldest}));
    EXPECT_EQ(scanned, (std::vector<std::int64_t>{4, 3, 2}));
    filter = {};
    EXPECT_FALSE(db_.page(filter).scanned);
    filter.workflow = "unknown";
    filter.error = "x";
    EXPECT_EQ(db_.page(filter).scanned, 0);
}

TEST_F(SearchPg, CountsARunOnceWhereAPageEndsInTheMiddleOfAWalk) {
    // Open and closed ones are looked through beside each other: three of each for a page.
    for (int i = 0; i < 4; ++i) {
        start({{"total", 1}});
        failed({{"total", 1}}, {{"message", "no"}});
        failed({{"total", 1}}, {{"message", "no"}});
    }
    for (const bool found : {false, true}) {
        store::RunFilter filter;
        filter.where = {found ? "data.total=1" : "data.total=2"};
        filter.look_max = 3;
        filter.limit = 2;
        std::int64_t scanned = 0;
        std::size_t seen = 0;
        int pages = 0;
        do {
            const auto page = db_.page(filter);
            scanned += page.scanned.value_or(-100);
            seen += page.runs.size();
            filter.before = page.next;
        } while (filter.before && ++pages < 20);
        EXPECT_EQ(scanned, 12);
        EXPECT_EQ(seen, found ? 12u : 0u);
    }
}

TEST_F(SearchPg, CountsWhatItLooksThrough) {
    store::Jobs jobs(db_.pool());
    for (int i = 0; i < 4; ++i) failed({{"total", i}}, {{"message", i % 2 ? "odd" : "even"}});
    const RunId open = start({{"total", 3}});
    store::RunFilter filter;
    filter.where = {"data.total>=2"};
    const auto count = db_.loop().run(jobs.count_runs({}, filter, false, 10, 100));
    EXPECT_EQ(count.total, 3);
    EXPECT_TRUE(count.complete);
    ASSERT_EQ(count.sample.size(), 3u);
    EXPECT_EQ(count.sample[0], open);
    filter.look_max = 3;
    EXPECT_FALSE(db_.loop().run(jobs.count_runs({}, filter, false, 10, 100)).complete);
    filter.look_max = 100;
    EXPECT_FALSE(db_.loop().run(jobs.count_runs({}, filter, false, 10, 1)).complete);
    filter.error = "ODD";
    EXPECT_EQ(db_.loop().run(jobs.count_runs({}, filter, false, 10, 100)).total, 1);
    EXPECT_EQ(db_.loop().run(jobs.count_runs({2, 0}, filter, false, 10, 100)).total, 0);
    for (const auto& [status, total, complete] :
         db_.loop().run(jobs.count_by_status({}, filter, 100))) {
        EXPECT_EQ(total, status == "failed" ? 1 : 0) << status;
        EXPECT_TRUE(complete) << status;
    }
}

TEST_F(SearchPg, CountsOfOpenRunsEndAtTenTimesTheMost) {
    store::Jobs jobs(db_.pool());
    for (int i = 0; i < 41; ++i) start({});
    const auto all = db_.loop().run(jobs.count_by_status({}, {}, 5));
    EXPECT_EQ(all[0].status, "queued");
    EXPECT_EQ(all[0].total, 0);
    EXPECT_TRUE(all[0].complete);
    const auto some = db_.loop().run(jobs.count_by_status({}, {}, 4));
    EXPECT_EQ(some[0].total, 0);
    EXPECT_FALSE(some[0].complete) << "one may lie behind those that were looked at";
    EXPECT_EQ(some[1].status, "running");
    EXPECT_EQ(some[1].total, 5);
    EXPECT_FALSE(some[1].complete);
}

}  // namespace
}  // namespace pawl::test
