#include "store/under_test.hpp"

namespace pawl::test {
namespace {

template <class T>
class Locks : public Conformance<T> {
protected:
    static store::LockPlace place(RunId run, std::uint32_t token = 0, std::string key = "k") {
        return {{1, 0}, std::move(key), run, token};
    }
    bool enter(const store::LockPlace& place) {
        return this->db_.loop().run(this->db_.store().enter_lock(place));
    }
    void leave(const store::LockPlace& place) {
        this->db_.loop().run(this->db_.store().leave_lock(place));
    }
    // The tokens that were told that they are inside, in turn.
    std::vector<std::int64_t> told(WorkerId worker, RunId run) {
        std::vector<std::int64_t> tokens;
        for (const store::Signal& signal : this->db_.signals(worker)) {
            if (signal.run != run || signal.kind != "lock") continue;
            EXPECT_EQ(signal.data.at("key"), "k");
            tokens.push_back(signal.data.at("token").to_number<std::int64_t>());
        }
        return tokens;
    }
};
TYPED_TEST_SUITE(Locks, Stores, StoreNames);

using Tokens = std::vector<std::int64_t>;

TYPED_TEST(Locks, OneRunIsInsideAndTheNextHearsOfIt) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto first = db.run(worker), second = db.run(worker);
    EXPECT_TRUE(this->enter(this->place(first)));
    EXPECT_TRUE(this->enter(this->place(first)));
    EXPECT_FALSE(this->enter(this->place(second)));
    EXPECT_TRUE(this->enter(this->place(second, 0, "other")));
    this->leave(this->place(first));
    EXPECT_EQ(this->told(worker, second), Tokens({0}));
    EXPECT_TRUE(this->enter(this->place(second)));
    // A step may be carried out twice.
    this->leave(this->place(first));
    EXPECT_EQ(this->told(worker, second), Tokens({0}));
}

TYPED_TEST(Locks, TwoBranchesOfARunAreNotInsideTogether) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    EXPECT_TRUE(this->enter(this->place(run, 0)));
    EXPECT_FALSE(this->enter(this->place(run, 1)));
    EXPECT_FALSE(this->enter(this->place(run, 2)));
    this->leave(this->place(run, 0));
    EXPECT_EQ(this->told(worker, run), Tokens({1}));
    // A token that leaves the queue lets no other in.
    this->leave(this->place(run, 2));
    EXPECT_EQ(this->told(worker, run), Tokens({1}));
    EXPECT_TRUE(this->enter(this->place(run, 1)));
}

TYPED_TEST(Locks, ACommitGivesUpPlacesOfBranchesThatAreOver) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker);
    this->enter(this->place(run, 1));
    this->enter(this->place(run, 2));
    this->enter(this->place(run, 2, "other"));
    this->enter(this->place(run, 3));
    auto batch = appending(worker, run, {step_completed(1)});
    batch.projections.left.push_back({run, 1, "k"});
    batch.projections.left.push_back({run, 2, std::nullopt});
    db.commit(batch);
    EXPECT_EQ(this->told(worker, run).back(), 3);
    EXPECT_TRUE(this->enter(this->place(run, 3)));
    EXPECT_TRUE(this->enter(this->place(run, 3, "other")));
}

TYPED_TEST(Locks, AWaitThatEndsInsideLeavesTheLockAlone) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker), other = db.run(worker);
    this->enter(this->place(run));
    EXPECT_FALSE(this->enter(this->place(other)));
    auto batch = appending(worker, run, {step_completed(1)});
    batch.projections.unsubscribes.push_back({run, 0});
    db.commit(batch);
    EXPECT_EQ(this->told(worker, other), Tokens());
    EXPECT_FALSE(this->enter(this->place(other)));
}

TYPED_TEST(Locks, AClosedRunIsInNothing) {
    auto& db = this->db_;
    const auto worker = db.worker();
    const auto run = db.run(worker), other = db.run(worker);
    this->enter(this->place(run, 0));
    this->enter(this->place(run, 1));
    EXPECT_FALSE(this->enter(this->place(other, 4)));
    auto batch = closing(worker, run);
    batch.projections.ended.push_back(run);
    db.commit(batch);
    EXPECT_EQ(this->told(worker, other), Tokens({4}));
    // The step was still under way when the run ended.
    EXPECT_FALSE(this->enter(this->place(run, 5)));
    this->leave(this->place(other, 4));
    EXPECT_TRUE(this->enter(this->place(db.run(worker))));
}

}  // namespace
}  // namespace pawl::test
