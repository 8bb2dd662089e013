#include "base/json.hpp"
#include "engine/services/projector.hpp"
#include "support/database.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

// Goals with a key or a filter: the log of a run says what they hang on, and the projector holds
// the events against it.
namespace pawl::test {
namespace {

class ParticularGoals : public ::testing::Test {
protected:
    void catch_up() {
        for (int i = 0; i < 1000; ++i) {
            const auto look = session_.value(
                "select counted || ' ' || more from pawl.project_funnels(0::smallint, 1000, 1000)"
            );
            if (look == "0 false") return;
        }
        FAIL() << "the projector does not come to an end";
    }
    void rebuild() { session_.script("select pawl.rebuild_funnels(0::smallint)"); }
    // As the projector does after each look.
    void settle_goals() {
        const auto doubts = session_.column(
            "select jsonb_build_object('run', d.run_id, 'goal', d.goal, 'id', d.id, 'filter', "
            "w.filter, 'event', jsonb_build_object('name', x.name, 'key', x.key, 'data', "
            "x.data))::text from pawl.goal_doubt d left join pawl.goal_watch w on w.run_id = "
            "d.run_id and w.goal = d.goal left join pawl.inbox x on x.id = d.id"
        );
        for (const std::string& text : doubts) {
            const json::value doubt = parse_json(text).value();
            const bool passes = engine::is_goal(*find(doubt, "filter"), *find(doubt, "event"));
            session_.script(fmt::format(
                "select pawl.settle_doubts(0::smallint, array['{}'::uuid], array['{}'], "
                "array[{}::bigint], array[{}])",
                text_in(doubt, "run"),
                text_in(doubt, "goal"),
                json::serialize(*find(doubt, "id")),
                passes
            ));
        }
    }

    TestDatabase database_;
    Session& session_ = database_.session();
};

TEST_F(ParticularGoals, CountWhetherTheRunIsOpenOrNot) {
    session_.script(
        "insert into pawl.workflow (tenant, name) values (1, 'goal');"
        "insert into pawl.workflow_version (workflow, version, definition) select w.id, 1, "
        "'{\"nodes\": [], \"goal\": [{\"name\": \"much\", \"event\": \"paid\", \"within\": "
        "\"7d\", \"filter\": {\"x\": 1}}, {\"name\": \"sent\", \"event\": \"shipped\", \"key\": "
        "\"{{ input.order }}\"}]}' from pawl.workflow w where w.name = 'goal';"
        "insert into pawl.event (run_id, at, seq, bucket, type, data) select pawl.uuid7(), now() - "
        "case n when 3 then 8 else 1 end * interval '1 day', 0, 0, 0, "
        "jsonb_build_object('workflow', w.id, 'version', 1, 'subject', 'p' || n) from "
        "pawl.workflow w, generate_series(1, 3) n where w.name = 'goal';"
        "insert into pawl.event (run_id, at, seq, bucket, type, token, data) select run_id, at, 1, "
        "0, 3, -1, jsonb_build_object('for', 'event', 'events', '[]'::jsonb, 'goals', "
        "jsonb_build_array(jsonb_build_object('handle', 'much', 'event', 'paid', 'key', "
        "data ->> 'subject', 'filter', '{\"path\": \"event.data.amount\", \"operator\": \">\", "
        "\"value\": 100}'::jsonb), jsonb_build_object('handle', 'sent', 'event', 'shipped', 'key', "
        "'order-' || (data ->> 'subject')))) from pawl.event where seq = 0"
    );
    const auto publish = [&](const std::string& name, const std::string& key, int amount) {
        session_.script(fmt::format(
            "select * from pawl.publish_events(0::smallint, array[1], array['{0}-{1}-{2}'], "
            "array['{0}'], array['{1}'], array[null::text], array[null::text], array[now()], "
            "array['{{\"amount\": {2}}}'::jsonb])",
            name,
            key,
            amount
        ));
    };
    publish("paid", "p1", 500);  // the projector has not seen the run
    catch_up();
    publish("paid", "p2", 50);
    publish("paid", "p3", 500);  // too late
    publish("shipped", "order-p2", 1);
    publish("shipped", "p1", 1);  // the key of another
    catch_up();
    const auto doubts = [&] {
        return session_.value(
            "select coalesce(string_agg(goal || ' ' || (select e.data ->> 'subject' from "
            "pawl.event "
            "e where e.run_id = d.run_id and e.seq = 0), ', ' order by goal, id), '') "
            "from pawl.goal_doubt d"
        );
    };
    EXPECT_EQ(doubts(), "much p1, much p2, sent p2");
    settle_goals();
    EXPECT_EQ(doubts(), "");
    const auto converted = [&] {
        return session_.value(
            "select string_agg(subject || ' ' || goal, ', ' order by subject, goal) from "
            "pawl.conversion"
        );
    };
    EXPECT_EQ(converted(), "p1 much, p2 sent");
    publish("paid", "p1", 700);
    publish("paid", "p2", 101);
    catch_up();
    EXPECT_EQ(doubts(), "much p2") << "p1 has reached it";
    settle_goals();
    EXPECT_EQ(converted(), "p1 much, p2 much, p2 sent");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.goal_pending"), "0");
    rebuild();
    catch_up();
    settle_goals();
    EXPECT_EQ(converted(), "p1 much, p2 much, p2 sent");
    EXPECT_EQ(
        session_.value("select count(*)::text from pawl.funnel_count where what = 'watches' or "
                       "node is null"),
        "0"
    );
}

TEST(IsGoal, WhatCannotBeToldIsNone) {
    const auto passes = [](const char* filter, const char* event) {
        return engine::is_goal(parse_json(filter).value(), parse_json(event).value());
    };
    constexpr const char* much = R"({"path": "event.data.amount", "operator": ">", "value": 100})";
    EXPECT_TRUE(passes("null", "{}"));
    EXPECT_TRUE(passes(much, R"({"data": {"amount": 101}})"));
    EXPECT_FALSE(passes(much, R"({"data": {"amount": 100}})"));
    EXPECT_FALSE(passes(much, R"({"data": {"amount": "101"}})"));
    for (const char* event : {"{}", "null", "[]", R"({"data": null})", R"({"data": {}})"}) {
        EXPECT_FALSE(passes(much, event)) << event;
    }
    for (const char* filter : {R"({"path": 1})", R"({"path": "a", "operator": "?"})"}) {
        EXPECT_FALSE(passes(filter, R"({"data": {"a": 1}})")) << filter;
    }
}

}  // namespace
}  // namespace pawl::test
