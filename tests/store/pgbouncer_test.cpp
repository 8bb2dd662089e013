#include "support/pgbouncer.hpp"

#include "store/pg/migrate.hpp"
#include "store/under_test.hpp"

#include <set>

// A pooler in transaction mode gives every transaction another session: no prepared statements, no
// session settings, no LISTEN. With prepare=off everything but the wake-ups works.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class ThroughPgBouncer : public ::testing::Test, public StoreUnderTest {
protected:
    pg::PoolOptions options() {
        pg::PoolOptions options;
        options.connect.conninfo = bouncer_.url_of(database_.name());
        options.connect.prepare = false;
        options.connections_max = 6;
        return options;
    }
    store::Store& store() override { return store_; }
    Instant now() override { return wall_now(); }
    void elapse(Duration) override {}
    store::TenantId other_tenant() override { return 2; }

    TestDatabase database_;
    PgBouncer bouncer_;
    pg::Pool pool_{loop_.context().get_executor(), options()};
    store::PgStore store_{pool_};
};

TEST_F(ThroughPgBouncer, StartClaimCommit) {
    const auto worker = this->worker();
    const auto workflow = this->workflow();
    std::vector<store::StartBatch> batches(20);
    std::vector<asio::awaitable<std::vector<store::Existing>>> starts;
    for (auto& batch : batches) {
        batch.runs = {new_run(workflow)};
        starts.push_back(store_.start_runs(batch));
    }
    loop_.run_all(std::move(starts));

    std::vector<asio::awaitable<store::Claimed>> claims;
    claims.reserve(8);
    for (int i = 0; i < 8; ++i) claims.push_back(store_.claim_runs({0, worker, 5}));
    std::set<RunId> claimed;
    for (const auto& answer : loop_.run_all(std::move(claims))) {
        for (const auto& row : answer.log) claimed.insert(row.run);
    }
    // A claim that met another one's locks may have found nothing.
    for (const auto& run : claim_ids(worker)) claimed.insert(run);
    EXPECT_EQ(claimed.size(), 20u);

    std::vector<store::CommitBatch> closes;
    closes.reserve(claimed.size());
    for (const auto& run : claimed) closes.push_back(closing(worker, run));
    std::vector<asio::awaitable<Instant>> commits;
    commits.reserve(closes.size());
    for (const auto& batch : closes) commits.push_back(store_.commit_runs(batch));
    loop_.run_all(std::move(commits));
    for (const auto& run : claimed) EXPECT_EQ(status(run), "completed");
    EXPECT_TRUE(leased(worker, {}).empty());
}

TEST_F(ThroughPgBouncer, FenceAndErrorsComeThrough) {
    const auto run = this->run();
    EXPECT_EQ(failure_of([&] { claim(new_worker_id()); }), Errc::fenced);
    const auto again = [&] {
        auto same = new_run(workflow());
        same.id = run;
        start({same});
    };
    EXPECT_EQ(failure_of(again), Errc::conflict);
    EXPECT_EQ(status(run), "queued");
}

// The session is not ours, so the limits are those of each transaction.
TEST_F(ThroughPgBouncer, LimitsHoldInsideATransactionAndAreLeftToNoOther) {
    static constexpr pg::Query limits{
        "show_limits",
        "select concat_ws(' ', current_setting('statement_timeout'), "
        "current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout'))",
        0};
    const auto connection = loop_.run(pg::Connection::connect(options().connect));
    const auto inside = loop_.run(connection->run(limits, {}, 5s));
    EXPECT_EQ(inside.text(0, 0), "30s 10s 15s");
    const auto outside = loop_.run(connection->run_foreign(limits.text, {}, {}, 5s));
    EXPECT_EQ(outside.rows.at(0).at(0), "0 0 0");
    // Not in a transaction that has limits of its own.
    loop_.run(connection->script("begin; set local statement_timeout = '7s'", 5s));
    const auto own = loop_.run(connection->run(limits, {}, 5s));
    EXPECT_EQ(own.text(0, 0), "7s 0 0");
    loop_.run(connection->script("commit", 5s));
}

TEST_F(ThroughPgBouncer, Migrates) {
    TestDatabase empty(TestDatabase::Content::empty);
    Session session(bouncer_.url_of(empty.name()));
    EXPECT_GT(session.loop().run(store::migrate_up(session.connection())).files, 0);
    EXPECT_TRUE(session.loop().run(store::migrate_up(session.connection())).nothing());
}

}  // namespace
}  // namespace pawl::test
