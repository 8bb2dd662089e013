#include "store/flow_fixture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

// Tenants take turns at the gates: who waits at one gets in, however much waits at those of others.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

template <class T>
class FlowTurns : public Flow<T> {
protected:
    store::NewRun at(store::TenantId tenant, const std::string& gate, int limit) {
        store::NewRun run = new_run(this->db_.workflow());
        run.tenant = tenant;
        json::array slots;
        slots.push_back(json::array{fmt::format("{}/1/c/{}", tenant, gate), limit});
        run.flow = json::object{{"slots", std::move(slots)}};
        return run;
    }
    // As many are inside as there is room for, and as many wait as are given.
    std::vector<store::NewRun> fill(store::TenantId tenant, const std::string& gate, int limit) {
        std::vector<store::NewRun> inside;
        for (int i = 0; i < limit; ++i) {
            inside.push_back(at(tenant, gate, limit));
            EXPECT_TRUE(this->start_leased(worker_, inside.back()));
        }
        return inside;
    }
    RunId wait(store::TenantId tenant, const std::string& gate, int limit) {
        const store::NewRun run = at(tenant, gate, limit);
        EXPECT_FALSE(this->start_leased(worker_, run));
        return run.id;
    }
    void close_all(const std::vector<store::NewRun>& runs) {
        for (const store::NewRun& run : runs) this->close(worker_, run);
    }
    bool claims(RunId wanted, int limit) {
        const auto ids = this->db_.claim_ids(worker_, limit);
        return std::find(ids.begin(), ids.end(), wanted) != ids.end();
    }
    std::vector<RunId> beside(std::vector<store::TenantId> much) {
        std::vector<RunId> ids;
        const auto claimed =
            this->db_.loop().run(this->db_.store().claim_runs({0, worker_, 100, 1, std::move(much)})
            );
        for (const auto& row : claimed.log) ids.push_back(row.run);
        return ids;
    }

    const store::TenantId other_ = this->db_.other_tenant();
    const WorkerId worker_ = this->db_.worker();
};
TYPED_TEST_SUITE(FlowTurns, Stores, StoreNames);

TYPED_TEST(FlowTurns, AGateWithMuchRoomDoesNotTakeAllOfAClaim) {
    const auto busy = this->fill(1, "a", 8);
    for (int i = 0; i < 12; ++i) this->wait(1, "a", 8);
    const auto own = this->fill(this->other_, "b", 1);
    const RunId waiting = this->wait(this->other_, "b", 1);
    this->close_all(busy);
    this->close_all(own);
    const auto ids = this->db_.claim_ids(this->worker_, 4);
    EXPECT_EQ(ids.size(), 4u) << "what one does not need the other gets";
    EXPECT_NE(std::find(ids.begin(), ids.end(), waiting), ids.end());
}

TYPED_TEST(FlowTurns, ManyGatesOfATenantKeepNoOtherWaiting) {
    std::vector<store::NewRun> inside;
    for (int i = 0; i < 70; ++i) {
        inside.push_back(this->fill(1, fmt::format("k{:02}", i), 1).front());
        this->wait(1, fmt::format("k{:02}", i), 1);
    }
    inside.push_back(this->fill(this->other_, "b", 1).front());
    const RunId waiting = this->wait(this->other_, "b", 1);
    this->close_all(inside);
    EXPECT_TRUE(this->claims(waiting, 60));
}

// Another tenant has all the room of the worker, and keeps it.
TYPED_TEST(FlowTurns, ATenantWithFewRunsGetsInWhereThereIsNoRoom) {
    const auto busy = this->fill(1, "a", 1);
    this->wait(1, "a", 1);
    const auto own = this->fill(this->other_, "b", 1);
    const RunId waiting = this->wait(this->other_, "b", 1);
    this->close_all(busy);
    this->close_all(own);
    auto fresh = this->at(this->other_, "c", 1);
    auto theirs = this->at(1, "d", 1);
    this->db_.start({fresh, theirs});
    const auto ids = this->beside({1});
    EXPECT_EQ(std::set<RunId>(ids.begin(), ids.end()), (std::set<RunId>{waiting, fresh.id}));
    // The next one at that gate has to wait, and is not given out twice.
    auto next = this->at(this->other_, "c", 1);
    this->db_.start({next});
    EXPECT_TRUE(this->beside({1}).empty());
    this->close(this->worker_, fresh);
    EXPECT_EQ(this->beside({1}), std::vector{next.id});
}

using FlowTurnsPg = FlowTurns<PgUnderTest>;

// More than are looked at in one claim, and a run waits at each of them all the time.
TEST_F(FlowTurnsPg, EveryGateOfATenantHasItsTurn) {
    constexpr int gates = 80;
    std::map<RunId, int> gate_of;
    std::vector<store::NewRun> runs;
    for (int i = 0; i < gates * 25; ++i) {
        runs.push_back(at(1, fmt::format("k{:02}", i % gates), 1));
        gate_of[runs.back().id] = i % gates;
    }
    db_.start(runs);
    const auto work = [&] {
        std::set<int> served;
        for (const RunId& run : db_.claim_ids(worker_, 500)) {
            served.insert(gate_of.at(run));
            db_.commit(closing(worker_, run));
        }
        return served;
    };
    while (db_.health().ready > 0) work();
    std::set<int> all;
    for (int claims = 0; claims < 18; ++claims) all.merge(work());
    EXPECT_EQ(all.size(), static_cast<std::size_t>(gates));
}

}  // namespace
}  // namespace pawl::test
