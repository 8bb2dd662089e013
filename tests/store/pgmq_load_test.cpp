#include "store/plans.hpp"
#include "support/database.hpp"

#include <fmt/core.h>

#include <map>
#include <mutex>
#include <regex>
#include <thread>

// Queues under load: plans that cannot flip, and sessions that never get the same message.
namespace pawl::test {
namespace {

class PgmqPlans : public PlanTest {
protected:
    void SetUp() override { session_.script("select pgmq.create('q')"); }
    void fill(int n) {
        session_.script(fmt::format(
            "select from pgmq.send_batch('q', array(select to_jsonb(i) from generate_series(1, {}) "
            "i))",
            n
        ));
    }
    std::vector<Plan> everything() {
        return explain(
            "select pgmq.read('q', 30, 10);"
            "select pgmq.read('q', 30, 10, '{\"none\": 1}');"
            "select pgmq.set_vt('q', 3, 0); select pgmq.set_vt('q', array[4, 5], 0);"
            "select pgmq.pop('q'); select pgmq.delete('q', 5); select pgmq.archive('q', 6);"
            "select pgmq.delete('q', array(select i::bigint from generate_series(7, 100) i));"
            "select pgmq.archive('q', array(select i::bigint from generate_series(101, 200) i))"
        );
    }
    void expect_index_only_by_number(const std::string& when) {
        int seen = 0;
        for (const Plan& plan : everything()) {
            if (plan.text.find("q_q") == std::string::npos) continue;
            ++seen;
            EXPECT_EQ(plan.text.find("Seq Scan on q_q"), std::string::npos) << when << plan.text;
            EXPECT_EQ(plan.text.find("Bitmap"), std::string::npos) << when << plan.text;
            EXPECT_NE(plan.text.find("q_q_pkey"), std::string::npos) << when << plan.text;
        }
        EXPECT_GE(seen, 9) << when;
    }
};

TEST_F(PgmqPlans, TheSameOnEmptyFullAndMisjudgedTables) {
    expect_index_only_by_number("never analysed, empty");
    session_.script("analyze pgmq.q_q");
    expect_index_only_by_number("analysed when empty");
    fill(20'000);
    expect_index_only_by_number("analysed when empty, full now");
    session_.script("analyze pgmq.q_q");
    expect_index_only_by_number("full");
    session_.script("truncate pgmq.q_q");
    fill(5);
    expect_index_only_by_number("analysed when full, nearly empty now");
}

TEST_F(PgmqPlans, AReadChangesNoIndex) {
    fill(1000);
    session_.script("select from pgmq.read('q', 30, 400); select pg_stat_force_next_flush()");
    EXPECT_EQ(
        session_.value("select n_tup_upd || ' ' || n_tup_hot_upd from pg_stat_user_tables "
                       "where relid = 'pgmq.q_q'::regclass"),
        "400 400"
    );
}

TEST_F(PgmqPlans, WhatIsNotToBeReadIsNotPassedAgainAndAgain) {
    fill(200'000);
    session_.script("update pgmq.q_q set vt = now() + interval '1 hour'; select pgmq.send('q', '1')"
    );
    const auto plans = explain(
        "select pgmq.read('q', 0, 1); select pgmq.send('q', '2'); select pgmq.read('q', 0, 5);"
        // One is taken forward: it is the first again.
        "select pgmq.set_vt('q', 7, 0); select pgmq.read('q', 0, 1)"
    );
    std::vector<int> passed;
    for (const Plan& plan : plans) {
        if (plan.query.find("update pgmq.q_q m set vt = clock_timestamp() + $3") != 0 &&
            plan.query.find("with taken as") == std::string::npos) {
            continue;
        }
        std::smatch match;
        const bool some =
            std::regex_search(plan.text, match, std::regex(R"(Rows Removed by Filter: (\d+))"));
        passed.push_back(some ? std::stoi(match[1]) : 0);
    }
    ASSERT_EQ(passed.size(), 3u);
    EXPECT_EQ(passed[0], 200'000);
    EXPECT_EQ(passed[1], 0);
    EXPECT_EQ(passed[2], 6);
}

// Eight sessions take everything there is, each in its own way; some let messages go again.
TEST(PgmqSessions, NoMessageTwiceWithinItsTimeAndNoneLost) {
    TestDatabase database;
    constexpr int total = 4000;
    database.session().script(fmt::format(
        "select pgmq.create('q'); select from pgmq.send_batch('q', "
        "array(select to_jsonb(i) from generate_series(1, {}) i))",
        total
    ));
    std::mutex mutex;
    std::map<std::string, int> taken;
    const auto work = [&](int who) {
        Session session(database.url());
        for (int round = 0;; ++round) {
            std::vector<std::string> got;
            if (who == 0) {
                got = session.column("select msg_id::text from pgmq.pop('q')");
            } else if (who % 3 == 0 && round % 4 == 0) {
                // Read and taken back: as if it had never been.
                session.script("begin; select from pgmq.read('q', 3600, 50); rollback");
                continue;
            } else {
                got = session.column("select msg_id::text from pgmq.read('q', 3600, 25)");
            }
            if (got.empty()) return;
            const std::lock_guard lock(mutex);
            for (const auto& id : got) ++taken[id];
        }
    };
    {
        std::vector<std::jthread> sessions;
        for (int who = 0; who < 8; ++who) sessions.emplace_back(work, who);
    }
    // Readers that looked while others held the last ones found nothing: they are still there.
    for (const auto& id :
         database.session().column("select msg_id::text from pgmq.read('q', 1, 9999)")) {
        ++taken[id];
    }
    EXPECT_EQ(taken.size(), static_cast<std::size_t>(total));
    for (const auto& [id, times] : taken) EXPECT_EQ(times, 1) << id;
}

}  // namespace
}  // namespace pawl::test
