#include "support/database.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

// The jobs that start runs for an audience, and the rules by which people enter.
namespace pawl::test {
namespace {

class Audience : public ::testing::Test {
protected:
    // A workflow with an audience, and a job of it that has begun to read.
    std::string begin(
        const std::string& trigger = "",
        const std::string& slot = "2026-03-28 20:00Z",
        const std::string& settings = ""
    ) {
        session_.script(fmt::format(
            "insert into pawl.definition (name, steps, settings) values ('w', '[{{\"name\": \"a\", "
            "\"function\": \"f\", \"action\": \"x\"}}]', '{{\"triggers\": [{{\"audience\": "
            "\"select 1\", \"schedule\": \"0 9 * * *\"{}}}]{}}}')",
            trigger,
            settings
        ));
        session_.script(fmt::format(
            "select pawl.open_audiences(s, array[timestamptz '{}']) from pawl.schedule s;"
            "update pawl.job set status = 'running'",
            slot
        ));
        return session_.value("select id::text from pawl.job");
    }
    void add(const std::string& job, const std::string& subjects, const std::string& data) {
        session_.script(fmt::format(
            "select pawl.add_audience('{}', array[{}], array[{}]::jsonb[], '5 s')",
            job,
            subjects,
            data
        ));
    }
    std::string progress() {
        return session_.value(
            "select concat_ws('/', status, total, done, failed, counts ->> 'entered', "
            "counts ->> 'existing', counts ->> 'kept_out') from pawl.job"
        );
    }
    void enter(const std::string& job, int limit = 1000) {
        session_.script(fmt::format("select pawl.enter_audience('{}', {}, '5 s')", job, limit));
    }
    std::string runs(const std::string& what) {
        return session_.value(fmt::format(
            "select coalesce(string_agg({}, ' ' order by l.subject), '') from pawl.live_run l", what
        ));
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(Audience, EachSubjectGetsOneRunWhateverIsDoneAgain) {
    const std::string job = begin();
    add(job, "'ann', 'bob', 'ann'", "'{\"n\": 1}', '{\"n\": 2}', '{\"n\": 3}'");
    // As after a crash in the middle: all is read once more.
    session_.script(fmt::format("select pawl.begin_audience('{}', '5 s')", job));
    add(job, "'cid', 'bob', null, repeat('x', 501)", "'{}', '{}', '{}', '{}'");
    EXPECT_EQ(progress(), "running/5/0/2");
    session_.script(fmt::format("select pawl.end_audience('{}')", job));
    enter(job, 2);
    EXPECT_EQ(progress(), "running/5/2/2/2/0/0");
    enter(job, 2);
    enter(job, 2);
    EXPECT_EQ(progress(), "done/5/3/2/3/0/0");
    EXPECT_EQ(runs("l.subject"), "ann bob cid");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.audience_member"), "0");
    EXPECT_EQ(
        session_.value("select string_agg(e.data ->> 'correlation_id' || (e.data ->> 'input'), ' ' "
                       "order by 1) from pawl.event e where e.data ->> 'subject' = 'ann'"),
        "audience:1:2026-03-28T20:00:00.000Z:ann{\"n\": 1}"
    );
    // The slot has its job, and its keys are taken.
    EXPECT_EQ(
        session_.value(
            "select pawl.open_audiences(s, array[timestamptz '2026-03-28 20:00Z'])::text "
            "from pawl.schedule s"
        ),
        "{}"
    );
    EXPECT_EQ(
        session_
            .refusal("select pawl.start('w', correlation_id => "
                     "'audience:1:2026-03-28T20:00:00.000Z:zoe')")
            .sqlstate,
        "42939"
    );
}

// {{ trigger.amount }} is another word for {{ input.amount }}.
TEST_F(Audience, WhatTheTriggerBringsIsTheInput) {
    const std::string job = begin("", "2026-03-28 20:00Z", ", \"person\": true");
    session_.script(
        "update pawl.definition set steps = '[{\"name\": \"a\", \"function\": \"f\", \"action\": "
        "\"x\", \"payload_template\": {\"text\": \"{{ trigger.amount }} {{ trigger }}\"}}]'"
    );
    add(job,
        "'ann', 'bob', 'cid'",
        "'{\"amount\": 1}', '{\"trigger\": {\"amount\": 2}}', '{\"n\": 3}'");
    enter(job);
    EXPECT_EQ(progress(), "running/3/2/1/2/0/0");
    EXPECT_EQ(runs("l.subject"), "ann bob");
    // Nothing has to be looked at closely, which takes a thousand times as long.
    EXPECT_EQ(
        session_.value(
            "select string_agg(pawl.has_input(d.data, n.path)::text, ' ' order by d.data) from "
            "(values ('{\"amount\": 1}'::jsonb), ('{\"trigger\": {\"amount\": 2}}'), ('{\"n\": "
            "3}')) "
            "as d (data), pawl.workflow_version v, pawl.needed_input(v.definition) n "
            "where v.version = 2"
        ),
        "true false true"
    );
}

TEST_F(Audience, WhatDoesNotFitTheInputSchemaIsCountedAsFailed) {
    const std::string job = begin(
        "", "2026-03-28 20:00Z", ", \"input_schema\": {\"properties\": {\"n\": {\"minimum\": 2}}}"
    );
    add(job, "'ann', 'bob', 'cid'", "'{\"n\": 2}', '{\"n\": 1}', '{}'");
    enter(job);
    EXPECT_EQ(progress(), "running/3/2/1/2/0/0");
    EXPECT_EQ(runs("l.subject"), "ann cid");
    EXPECT_EQ(
        session_.value("select examples::text from pawl.job"),
        "[{\"problem\": \"input.n: must be at least 2\", \"subject\": \"bob\"}]"
    );
}

// The clocks of Berlin are put forward in the night after the slot.
TEST_F(Audience, ARunBeginsWhenTheClockOfItsPersonShowsTheTime) {
    const std::string job = begin(", \"local_time\": \"09:00\", \"timezone\": \"Asia/Bangkok\"");
    session_.script(
        "insert into pawl.person (tenant, key, attributes, timezone) values "
        "(1, 'dan', '{}', 'America/New_York'), (1, 'eve', '{}', 'Mars/Base')"
    );
    add(job,
        "'ann', 'bob', 'cid', 'dan', 'eve'",
        "'{\"timezone\": \"Europe/Berlin\"}', '{\"timezone\": \"Asia/Tokyo\"}', '{}', '{}', '{}'");
    enter(job);
    EXPECT_EQ(
        runs("l.subject || to_char(l.due_at at time zone 'UTC', '=DD\"T\"HH24:MI')"),
        "ann=29T07:00 bob=29T00:00 cid=29T02:00 dan=29T13:00 eve=29T02:00"
    );
}

TEST_F(Audience, ATimeThatTheClockLeapsOverComesAfterTheLeap) {
    const auto next = [this](const std::string& slot, const std::string& time) {
        return session_.value(fmt::format(
            "select (pawl.next_local_time('{}', '{}', 'Europe/Berlin') at time zone 'UTC')::text",
            slot,
            time
        ));
    };
    EXPECT_EQ(next("2026-03-28 20:00Z", "02:30"), "2026-03-29 01:30:00");
    EXPECT_EQ(next("2026-10-24 20:00Z", "02:30"), "2026-10-25 01:30:00");
    EXPECT_EQ(next("2026-10-24 20:00Z", "09:00"), "2026-10-25 08:00:00");
    EXPECT_EQ(next("2026-06-01 07:00Z", "09:00"), "2026-06-01 07:00:00");
    EXPECT_EQ(next("2026-06-01 07:00:01Z", "09:00"), "2026-06-02 07:00:00");
}

TEST_F(Audience, KeepsToTheRulesOfEntryAndToWhatAStartNeeds) {
    const std::string job = begin(
        "", "2026-03-28 20:00Z", ", \"reentry\": \"once\", \"enter_if\": {\"tier\": \"gold\"}"
    );
    session_.script(
        "update pawl.definition set required_fields = '{n}';"
        "insert into pawl.person (tenant, key, attributes) values (1, 'ann', '{\"tier\": "
        "\"gold\"}'), (1, 'bob', '{\"tier\": \"silver\"}'), (1, 'cid', '{\"tier\": \"gold\"}'),"
        "(1, 'dan', '{\"tier\": \"gold\"}')"
    );
    session_.script("select pawl.start('w', '{\"n\": 0}', subject => 'cid')");
    add(job,
        "'ann', 'bob', 'cid', 'dan', 'eve'",
        "'{\"n\": 1}', '{\"n\": 1}', '{\"n\": 1}', '{}', '{\"n\": 1}'");
    enter(job);
    enter(job);
    EXPECT_EQ(progress(), "done/5/4/1/1/1/2");
    EXPECT_EQ(
        session_.value("select examples::text from pawl.job"),
        "[{\"problem\": \"Missing: n\", \"subject\": \"dan\"}]"
    );
    EXPECT_EQ(runs("l.subject"), "ann cid");
}

TEST_F(Audience, ATenantThatMayNotStartMoreWaits) {
    session_.script("update pawl.tenant set open_runs_max = 2, starts_per_second_max = 2");
    const std::string job = begin();
    add(job, "'a', 'b', 'c'", "'{}', '{}', '{}'");
    enter(job);
    EXPECT_EQ(progress(), "running/3/2/0/2/0/0");
    enter(job);
    EXPECT_EQ(
        session_.value("select error from pawl.job"),
        "it waits: tenant default may have 2 open runs, and this would be more"
    );
    session_.script("delete from pawl.live_run; update pawl.tenant set starts_per_second_max = null"
    );
    enter(job);
    enter(job);
    EXPECT_EQ(progress(), "done/3/3/0/3/0/0");
}

TEST_F(Audience, AJobThatWasPausedOrCancelledStartsNothing) {
    const std::string job = begin();
    add(job, "'a', 'b'", "'{}', '{}'");
    for (const char* status : {"paused", "cancelled"}) {
        session_.script(fmt::format("update pawl.job set status = '{}'", status));
        enter(job);
        add(job, "'c'", "'{}'");
        EXPECT_EQ(runs("l.subject"), "");
        EXPECT_EQ(progress(), fmt::format("{}/2/0/0", status));
    }
    EXPECT_EQ(session_.value("select pawl.purge_audiences(100)::text"), "2");
    EXPECT_EQ(session_.value("select pawl.purge_audiences(100)::text"), "0");
}

TEST_F(Audience, ManyStartsInSqlSkipThoseWhoMayNotEnter) {
    begin(
        "", "2026-03-28 20:00Z", ", \"enter_if\": {\"age\": {\"operator\": \">=\", \"value\": 18}}"
    );
    session_.script(
        "insert into pawl.person (tenant, key, attributes) values (1, 'ann', '{\"age\": 30}'), "
        "(1, 'bob', '{\"age\": 3}'), (1, 'cid', '{\"age\": \"30\"}')"
    );
    EXPECT_EQ(
        session_.value(
            "select string_agg(concat_ws('/', s.place, s.created, s.run_id is null), ' ' order by "
            "s.place) from pawl.start_many('w', '[{\"subject\": \"ann\"}, {\"subject\": \"bob\"}, "
            "{\"subject\": \"cid\"}, {}]') s"
        ),
        "1/t/f 2/f/t 3/f/t 4/f/t"
    );
    EXPECT_EQ(session_.value("select (pawl.start('w', subject => 'bob') is null)::text"), "true");
}

}  // namespace
}  // namespace pawl::test
