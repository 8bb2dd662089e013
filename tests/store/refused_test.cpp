#include "store/under_test.hpp"
#include "store/working.hpp"

// A run whose commit the database refuses stops no other run of its worker.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class Refused : public ::testing::Test {
protected:
    Refused() {
        db_.apply(parse_definition("{name: good, steps: [{name: a, code: work}]}").value());
        db_.apply(parse_definition("{name: bad, steps: [{name: poison, code: work}]}").value());
    }
    void start(const std::string& workflow, int times) {
        for (int i = 0; i < times; ++i)
            session_.value("select pawl.start('" + workflow + "')::text");
    }
    // One that is stopped with what it cannot commit gives up soon, and the next one takes it over.
    void hurry(Working& working) {
        working.options.drain_timeout = 100ms;
        working.options.heartbeat_every = 200ms;
        working.options.dead_after = 2s;
    }
    std::string value(const std::string& sql) { return session_.value(sql); }
    // The database says no to every event of the step `poison`.
    void refuse(const std::string& sqlstate) {
        session_.script(
            "create function refuse() returns trigger language plpgsql as $$ begin raise exception "
            "'no room for it' using errcode = '" +
            sqlstate +
            "'; end $$; create trigger refuse before insert on pawl.event for each row "
            "when (new.node = 'poison') execute function refuse()"
        );
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    const std::string closed_ = "select count(*)::text from pawl.run";
    const std::string paused_ =
        "select count(*)::text from pawl.event where type = 12 and data ->> 'code' = "
        "'commit_refused'";
};

TEST_F(Refused, OneRunIsSetAsideAndTheOthersGoOn) {
    refuse("54000");
    start("good", 20);
    start("bad", 1);
    start("good", 20);
    Working working(db_);
    working.until([&] { return value(closed_) == "40" && value(paused_) == "1"; });
    EXPECT_EQ(working.executed("a"), 40) << "no step of another run is repeated";
    EXPECT_EQ(working.executed("poison"), 1);
    // A cancel ends it.
    value("select pawl.cancel((select run_id from pawl.live_run))::text");
    working.until([&] { return value(closed_) == "41"; });
    EXPECT_EQ(value("select count(*)::text from pawl.run where status = 3"), "1");
}

// What it did cannot be told: too large for a message, say. The database answers all others.
TEST_F(Refused, ARunThatEndsTheSessionsOfItsCommitsIsSetAside) {
    session_.script(
        "create function refuse() returns trigger language plpgsql security definer as $$ begin "
        "perform pg_terminate_backend(pg_backend_pid()); return new; end $$;"
        "create trigger refuse before insert on pawl.event for each row "
        "when (new.node = 'poison') execute function refuse()"
    );
    start("good", 10);
    start("bad", 1);
    start("good", 10);
    Working working(db_);
    working.until([&] { return value(closed_) == "20" && value(paused_) == "1"; });
    EXPECT_EQ(working.executed("a"), 20) << "no step of another run is repeated";
}

// Three commits fail while the database answers no heartbeat, as in a crash, and the fourth one
// when it is back: the run is not to blame.
TEST_F(Refused, CommitsThatFailInACrashSetNoRunAside) {
    session_.script(
        "create sequence public.crashes; grant all on sequence public.crashes to public;"
        "create function crash() returns trigger language plpgsql security definer as $$ begin "
        "if nextval('public.crashes') <= 4 then perform pg_terminate_backend(pg_backend_pid()); "
        "end if;"
        "return new; end $$;"
        "create trigger crash before insert on pawl.event for each row "
        "when (new.node = 'poison') execute function crash();"
        "create function be_down() returns trigger language plpgsql security definer as $$ begin "
        "if (select is_called and last_value <= 3 from public.crashes) then raise exception 'down' "
        "using "
        "errcode = '57P03'; end if; return new; end $$;"
        "create trigger be_down before update on pawl.worker for each row "
        "execute function be_down()"
    );
    start("bad", 1);
    Working working(db_);
    working.until([&] { return value(closed_) == "1" || value(paused_) == "1"; });
    EXPECT_EQ(value(paused_), "0");
    EXPECT_EQ(working.executed("poison"), 1);
}

TEST_F(Refused, AResumedRunIsTriedAgain) {
    refuse("22023");
    start("bad", 1);
    Working working(db_);
    working.until([&] { return value(paused_) == "1"; });
    session_.script("drop trigger refuse on pawl.event");
    value(
        "select count(*)::text from pawl.send_signals(0::smallint, array(select run_id from "
        "pawl.live_run), array['resume'], array['{}'::jsonb])"
    );
    working.until([&] { return value(closed_) == "1"; });
    EXPECT_EQ(working.executed("poison"), 2);
}

// It is not known to pass, and may: a lock, say. The others do not wait for it.
TEST_F(Refused, WhatMayPassIsSentAgainByItself) {
    refuse("55P03");
    start("good", 10);
    start("bad", 1);
    start("good", 10);
    Working working(db_);
    hurry(working);
    working.until([&] { return value(closed_) == "20"; });
    EXPECT_EQ(value(paused_), "0");
    session_.script("drop trigger refuse on pawl.event");
    working.until([&] { return value(closed_) == "21"; });
    EXPECT_EQ(working.executed("a"), 20);
}

// A trigger that may not do something: the database is up, only this row is refused.
TEST_F(Refused, WhatLooksLikeAnOutageOfAllIsTriedApart) {
    refuse("42501");
    start("good", 10);
    start("bad", 1);
    start("good", 10);
    Working working(db_);
    hurry(working);
    working.until([&] { return value(closed_) == "20"; });
    session_.script("drop trigger refuse on pawl.event");
    working.until([&] { return value(closed_) == "21"; });
    EXPECT_EQ(working.executed("a"), 20);
}

TEST_F(Refused, ARunThatCannotBeClaimedIsPutOff) {
    session_.script(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception "
        "'not this one' using errcode = 'P0001'; end $$; create trigger refuse before update on "
        "pawl.live_run for each row when (new.state = 1 and new.subject = 'poison') execute "
        "function refuse()"
    );
    value("select pawl.start('good', subject => 'poison')::text");
    start("good", 10);
    Working working(db_);
    working.until([&] { return value(closed_) == "10"; });
    EXPECT_EQ(
        value("select count(*)::text from pawl.live_run where due_at > now() and subject = 'poison'"
        ),
        "1"
    );
    session_.script("drop trigger refuse on pawl.live_run; update pawl.live_run set due_at = now()"
    );
    working.until([&] { return value(closed_) == "11"; });
}

TEST_F(Refused, WhatIsOpenOfAClosedRunStopsNoWorker) {
    Working working(db_);
    start("good", 1);
    session_.script("create table kept as select * from pawl.live_run");
    working.until([&] { return value(closed_) == "1"; });
    session_.script("insert into pawl.live_run select * from kept");
    start("good", 10);
    working.until([&] {
        return value(closed_) == "11" && value("select count(*)::text from pawl.live_run") == "0";
    });
    EXPECT_EQ(working.executed("a"), 11);
}

}  // namespace
}  // namespace pawl::test
