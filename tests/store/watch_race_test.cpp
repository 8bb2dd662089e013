#include "base/rng.hpp"
#include "store/watch_fixture.hpp"

#include <memory>

// Watched tables under transactions that go on beside each other, and runs that change what starts
// them.
namespace pawl::test {
namespace {

using WatchRace = Watched;

// Each session is somewhere in its transaction while the others write: with savepoints, with
// statements that fail, with statements of many rows.
TEST_F(WatchRace, ExactlyTheRowsThatAreCommittedBecomeEvents) {
    watch();
    workflow(
        "acme",
        "[{\"event\": \"ledger\", \"conditions\": {\"n\": {\"operator\": \">=\", \"value\": 50}}}]"
    );
    workflow("bolt", "[{\"event\": \"ledger\"}]");
    constexpr std::size_t sessions = 100;
    std::vector<std::unique_ptr<Session>> all;
    std::vector<bool> open(sessions, false);
    for (std::size_t i = 0; i < sessions; ++i) {
        all.push_back(std::make_unique<Session>(database_.url()));
    }
    Rng rng(7);
    int next = 0;
    const auto insert = [&] {
        const int rows = rng.below(8) == 0 ? 70 : 1;
        const int first = next;
        next += rows;
        return fmt::format(
            "insert into ledger select g, case g % 3 when 0 then 'acme' when 1 then 'bolt' else "
            "'unknown' end, g::text, g * 7 % 100, 'x' from generate_series({}, {}) g",
            first,
            first + rows - 1
        );
    };
    const auto step = [&](std::size_t i) {
        Session& one = *all[i];
        if (!open[i]) one.script("begin");
        open[i] = true;
        switch (rng.below(6)) {
            case 0:
                one.script("savepoint a"), one.script(insert()), one.script("rollback to a");
                break;
            case 1: one.script("savepoint a"), one.script(insert()), one.script("release a"); break;
            case 2:
                one.script("savepoint a");
                one.script(insert());
                one.refusal("select 1 / 0");
                one.script("rollback to a");
                break;
            case 3: one.script("commit"), open[i] = false; break;
            case 4: one.script("rollback"), open[i] = false; break;
            default: one.script(insert());
        }
    };
    for (int n = 0; n < 1500; ++n) step(rng.below(sessions));
    for (std::size_t i = 0; i < sessions; ++i) {
        if (open[i]) all[i]->script(i % 2 == 0 ? "commit" : "rollback");
    }
    const std::string wanted = "merchant = 'bolt' or merchant = 'acme' and n >= 50";
    EXPECT_GT(std::stoi(count("ledger where " + wanted)), 100);
    EXPECT_EQ(count("pawl.inbox"), count("ledger where " + wanted));
    EXPECT_EQ(
        count(
            "ledger l where (" + wanted +
            ") and not exists (select 1 from pawl.inbox i where "
            "i.key = l.person)"
        ),
        "0"
    );
    EXPECT_EQ(count("pawl.trigger_pending"), count("pawl.inbox"));
}

// What a step of the type sql writes is known by its effect, and what started its run by its key.
TEST_F(WatchRace, ACircleIsRefusedAndNamed) {
    watch();
    workflow("acme", "[{\"event\": \"ledger\"}]", "award");
    session_.script("insert into ledger values (0, 'acme', 'ann', 1, 'x')");
    const auto round = [&](const std::string& started_by, const std::string& change) {
        return fmt::format(
            "begin; set local pawl.in_effect = 'true'; with run as (insert into pawl.live_run "
            "(run_id, due_at, tenant, workflow, "
            "version, bucket, state, priority) select pawl.uuid7(), now(), d.tenant, d.workflow, "
            "1, 0, 0, 0 from pawl.definition d where d.name = 'award' returning run_id, tenant, "
            "workflow), key as (insert into pawl.correlation (bucket, tenant, workflow, key, "
            "run_id) select 0, r.tenant, r.workflow, {}, r.run_id from run r) insert into "
            "pawl.sql_effect (bucket, run_id, key, begun_in) select 0, r.run_id, 'k', "
            "pg_current_xact_id() from run r; {}; commit",
            started_by,
            change
        );
    };
    const std::string newest =
        "'event:' || (select event_id from pawl.inbox order by id desc limit 1)";
    const std::string one = "insert into ledger values (1, 'acme', 'ann', 1, 'x')";
    for (int i = 1; i <= 10; ++i) {
        take();
        session_.script(round(newest, one));
    }
    take();
    EXPECT_EQ(
        session_.value(
            "select jsonb_array_length(data -> 'chain')::text from pawl.inbox order by id desc "
            "limit 1"
        ),
        "10"
    );
    const auto expect_refused = [&](const std::string& by) {
        for (const char* rows : {"1", "60"}) {
            const auto said = session_.refusal(round(
                by,
                "insert into ledger select g, 'acme', 'ann', 1, 'x' from generate_series(1, " +
                    std::string(rows) + ") g"
            ));
            session_.script("rollback");
            EXPECT_EQ(said.sqlstate, "PW013") << by;
            EXPECT_NE(said.message.find("award -> award"), std::string::npos) << said.message;
        }
    };
    expect_refused(newest);
    // Also in a run that this one has called, or that an event of it has started.
    session_.script(round(newest, "select 1"));
    const std::string run = "(select run_id from pawl.correlation order by run_id desc limit 1)";
    expect_refused("'call:' || " + run + " || ':1:2'");
    expect_refused("'event:' || " + run + " || ':5'");
    // A row that no workflow wants goes round no further.
    session_.script(round(
        "'event:' || " + run + " || ':5'", "insert into ledger values (1, 'bolt', 'ann', 1, 'x')"
    ));
    EXPECT_EQ(count("pawl.inbox"), "11");
}

}  // namespace
}  // namespace pawl::test
