#include "store/flow_fixture.hpp"

#include <set>

namespace pawl::test {
namespace {

template <class T>
class FlowCounts : public Flow<T> {};
TYPED_TEST_SUITE(FlowCounts, Stores, StoreNames);

TYPED_TEST(FlowCounts, RunsWithEqualTicketsAreCountedOneByOne) {
    auto& db = this->db_;
    const auto worker = db.worker();
    store::StartBatch batch;
    batch.worker = worker;
    for (int i = 0; i < 12; ++i) {
        auto run = i % 2 == 0 ? this->limited({{"a", 4}, {"all", 9}}) : this->limited({{"b", 5}});
        run.lease = true;
        batch.runs.push_back(run);
    }
    std::set<RunId> queued;
    for (const auto& one : db.start(batch)) {
        EXPECT_TRUE(one.queued());
        queued.insert(one.requested);
    }
    EXPECT_EQ(queued.size(), 3u);  // two of six at the one gate, one of six at the other
    store::CommitBatch closes;
    closes.worker = worker;
    for (const auto& run : batch.runs) {
        if (queued.contains(run.id)) continue;
        const auto one = closing(worker, run.id);
        closes.events.insert(closes.events.end(), one.events.begin(), one.events.end());
        closes.closes.insert(closes.closes.end(), one.closes.begin(), one.closes.end());
    }
    db.commit(closes);
    EXPECT_EQ(db.claim_ids(worker).size(), 3u);
    for (const RunId& run : queued) db.commit(closing(worker, run));
    for (int i = 0; i < 4; ++i) {
        EXPECT_TRUE(this->start_leased(worker, this->limited({{"a", 4}, {"all", 9}})));
    }
    EXPECT_FALSE(this->start_leased(worker, this->limited({{"a", 4}})));
}

class MadeRoom : public Flow<PgUnderTest> {
protected:
    // Commits, and says whether a run waits for a place that this gave back.
    bool makes_room(const store::CommitBatch& batch) {
        bool told = false;
        dynamic_cast<store::PgStore&>(db_.store()).on_made_room = [&told] { told = true; };
        db_.commit(batch);
        return told;
    }
};

TEST_F(MadeRoom, ACommitSaysWhetherARunWaitsForThePlaceItGaveBack) {
    const auto worker = db_.worker();
    const auto first = limited({{"a", 2}});
    const auto second = limited({{"a", 2}}, true);
    const auto waits = limited({{"a", 2}});
    const auto alone = limited({{"b", 1}});
    for (const auto& run : {first, second, alone}) EXPECT_TRUE(start_leased(worker, run));
    EXPECT_FALSE(makes_room(closing(worker, alone.id)));
    EXPECT_FALSE(start_leased(worker, waits));
    EXPECT_FALSE(makes_room(appending(worker, first.id, {step_completed(1)})));
    // One that gives its place back while it waits.
    const auto parks = parking(worker, second.id, std::nullopt);
    EXPECT_TRUE(makes_room(parks));
    EXPECT_EQ(db_.claim_ids(worker), std::vector{waits.id});
    // Of the next commits of the same session each speaks for itself.
    EXPECT_FALSE(makes_room(closing(worker, first.id, RunStatus::completed, 2)));
    auto again = closing(worker, waits.id);
    EXPECT_FALSE(makes_room(again));
    // The first answer might have said so.
    again.resend = true;
    EXPECT_TRUE(makes_room(again));
}

}  // namespace
}  // namespace pawl::test
