#include "engine/services/matcher.hpp"

#include "store/repos/tenants.hpp"
#include "store/under_test.hpp"

#include <boost/asio/co_spawn.hpp>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

asio::awaitable<void> match_until_done(PgUnderTest& db, Session& sql, std::string wanted) {
    const auto executor = db.loop().context().get_executor();
    store::Inbox inbox(db.pool());
    store::Tenants tenants(db.pool());
    engine::StartLimits limits(tenants);
    engine::MatcherOptions options;
    options.poll = 1s;
    engine::Matcher matcher(executor, db.store(), inbox, limits, nullptr, nullptr, options);
    asio::cancellation_signal stop;
    bool ended = false;
    asio::co_spawn(
        executor,
        matcher.run(),
        asio::bind_cancellation_slot(stop.slot(), [&ended](std::exception_ptr) { ended = true; })
    );
    engine::Gate pause(executor);
    const auto deadline = Steady::now() + 60s;
    while (sql.value("select count(*)::text from pawl.signal") != wanted && Steady::now() < deadline
    ) {
        co_await pause.wait(Steady::now() + 3ms);
    }
    stop.emit(asio::cancellation_type::terminal);
    while (!ended) co_await pause.wait(Steady::now() + 3ms);
}

// Large events may be too much together, though not one by one.
TEST(MatcherPg, WhatIsTooMuchAtOnceIsMatchedInSmallerParts) {
    PgUnderTest db;
    const WorkerId worker = db.worker();
    for (int i = 0; i < 40; ++i) {
        const RunId run = db.parked_run(worker);
        store::CommitBatch batch;
        batch.worker = worker;
        batch.projections.subscribes.push_back({run, 0, 1, "paid", "k1", Instant{}});
        db.commit(batch);
    }
    Session sql(db.database().url());
    sql.script(
        "create function public.not_too_many() returns trigger language plpgsql as $$ begin "
        "if (select count(*) from made) > 5 then raise exception 'too much at once'; end if; "
        "return null; end $$;"
        "create trigger not_too_many after insert on pawl.signal referencing new table as made "
        "for each statement execute function public.not_too_many()"
    );
    store::OutsideEvent event;
    event.id = "e1";
    event.name = "paid";
    event.key = "k1";
    db.publish({event});
    db.loop().run(match_until_done(db, sql, "40"));
    EXPECT_EQ(sql.value("select count(distinct run_id)::text from pawl.signal"), "40");
    EXPECT_EQ(sql.value("select count(*)::text from pawl.inbox_pending"), "0");
}

}  // namespace
}  // namespace pawl::test
