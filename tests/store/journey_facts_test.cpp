#include "base/rng.hpp"
#include "store/journey_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <future>

// What providers say about messages: late, twice, in any order, and before the message is there.
namespace pawl::test {
namespace {

class Facts : public Journeys {
protected:
    // All of a message but what makes it another one.
    std::string row(int message) {
        return value(fmt::format(
            "select (to_jsonb(m) - '{{id, run_id, created_at, sent_at, external_id}}'::text[])"
            " || jsonb_build_object('facts', (select count(*) from pawl.message_fact f where "
            "f.message = m.id))::text from pawl.message m where id = '{}'",
            id(message)
        ));
    }
    std::string events() {
        return value(
            "select coalesce(string_agg(name || ' ' || key || ' ' || subject || ' ' || "
            "(data ->> 'node') || ' ' || (data ->> 'workflow'), ', ' order by name), '') "
            "from pawl.inbox"
        );
    }
    // Until no fact is left to look at again: transactions of other tests hold that up.
    void match_all() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        do match();
        while (value("select count(*)::text from pawl.fact_pending") != "0" &&
               std::chrono::steady_clock::now() < end);
    }
    // Until a session of this database waits for another one.
    void await_a_lock() {
        Session watcher(database_.url());
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        const std::string waiting =
            "select count(*)::text from pg_stat_activity where wait_event_type = 'Lock' "
            "and datname = current_database()";
        while (watcher.value(waiting) == "0") {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "none waits";
        }
    }
    std::string suppressed() {
        return value(
            "select coalesce(string_agg(channel || ' ' || address || ' ' || reason, ', ' order by "
            "reason), '') from pawl.suppression where lifted_at is null or lifted_at < at"
        );
    }
};

std::vector<Fact> life_of(const std::string& message) {
    std::vector<Fact> all{
        {"sent", "sent", message, "2026-05-01 10:00:01+00"},
        {"failed", "failed", message, "2026-05-01 10:00:02+00"},
        {"soft", "bounced", message, "2026-05-01 10:00:03+00", false, R"({"permanent": false})"},
        {"delivered", "delivered", message, "2026-05-01 10:00:04+00"},
        {"machine", "opened", message, "2026-05-01 10:00:05+00", true},
        {"opened", "opened", message, "2026-05-01 11:00+00"},
        {"again", "opened", message, "2026-05-01 12:00+00"},
        {"clicked", "clicked", message, "2026-05-01 11:00:09+00"},
    };
    for (Fact& fact : all) fact.id += message;
    return all;
}

TEST_F(Facts, SayWhetherAnythingIsToBeDoneAboutThem) {
    want("message.opened");
    project(1, "sent");
    project(2, "unknown", "e2");
    // Of a transaction of its own, as the server takes them.
    const auto told = [&](const Fact& fact) {
        session_.script("begin");
        take({fact});
        const std::string said =
            value("select coalesce(current_setting('pawl.facts_told', true), '')");
        session_.script("commit");
        return said == "on";
    };
    EXPECT_FALSE(told({.id = "a", .kind = "delivered"})) << "no workflow wants it";
    EXPECT_TRUE(told({.id = "b", .kind = "opened"}));
    EXPECT_FALSE(told({.id = "b", .kind = "opened"})) << "it is known";
    EXPECT_FALSE(told({.id = "c", .kind = "opened", .machine = true})) << "by a program";
    EXPECT_TRUE(told({.id = "d", .kind = "delivered", .external = "e2"})) << "a step is settled";
}

TEST_F(Facts, EndInTheSameRowInAnyOrderAndHoweverOften) {
    project(1, "sent");
    take(life_of("e1"));
    const std::string expected = row(1);
    EXPECT_EQ(state(1), "clicked");
    EXPECT_EQ(
        value("select opened_at::text from pawl.message"),
        value("select '2026-05-01 11:00+00'::timestamptz::text")
    );
    Rng rng(11);
    for (int message = 2; message < 40; ++message) {
        const std::string external = fmt::format("e{}", message);
        auto facts = life_of(external);
        const auto twice = facts;
        facts.insert(facts.end(), twice.begin(), twice.end());
        for (std::size_t i = facts.size(); i > 1; --i) std::swap(facts[i - 1], facts[rng.below(i)]);
        // The message comes at any place among them, and once more.
        const auto place = rng.below(facts.size());
        const auto again = rng.below(facts.size());
        std::vector<Fact> batch;
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (i == place || (i == again && i > place)) project(message, "sent", external);
            batch.push_back(facts[i]);
            if (rng.below(3) == 0) {
                take(batch);
                batch.clear();
            }
        }
        take(batch.empty() ? std::vector<Fact>{facts[0]} : batch);
        match();
        EXPECT_EQ(row(message), expected) << message;
    }
}

TEST_F(Facts, RaiseAStateAndNeverLowerIt) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"sent", "failed"}, "failed"},
        {{"delivered", "failed"}, "delivered"},
        {{"delivered", "bounced"}, "bounced"},
        {{"opened", "delivered"}, "opened"},
        {{"complained", "clicked", "opened"}, "complained"},
        {{"unsubscribed"}, "delivered"},
        {{"followed"}, "sent"},
    };
    for (int message = 1; const auto& [kinds, expected] : cases) {
        const std::string external = fmt::format("e{}", ++message);
        project(message, "sent", external);
        for (const std::string& kind : kinds) take({{kind + external, kind, external}});
        EXPECT_EQ(state(message), expected);
    }
    project(99, "sent", "e99");
    take({{"m", "clicked", "e99", "2026-05-01", true}});
    EXPECT_EQ(state(99), "sent") << "a program clicked";
    EXPECT_EQ(
        value("select coalesce(clicked_at::text, '') from pawl.message where external_id = "
              "'e99'"),
        ""
    );
}

TEST_F(Facts, SayWhyAMessageFailed) {
    const std::string why = "select pawl.message_error(bucket, id, state, error) from pawl.message";
    project(1, "sent");
    EXPECT_EQ(value("select coalesce((" + why + "), '')"), "");
    take({{"b", "bounced", "e1", "2026-05-02", false, R"({"code": 30003, "message": "off"})"},
          {"c", "bounced", "e1", "2026-05-03", false, R"({"reason": "later"})"}});
    EXPECT_EQ(value(why), "30003: off");
}

TEST_F(Facts, TheSameFactCountsOnceInOneBatchAndInTwoSessions) {
    want("message.delivered");
    project(1, "sent");
    const Fact fact{"f1", "delivered"};
    Session other(database_.url());
    session_.script("begin");
    EXPECT_EQ(take({fact, fact}), "1 1 0");
    auto second = std::async(std::launch::async, [&other, &fact] {
        return other.value(take_sql({fact, {"f2", "opened"}}));
    });
    await_a_lock();
    session_.script("commit");
    EXPECT_EQ(second.get(), "1 1 0") << "only the other one";
    EXPECT_EQ(take({fact}), "0 0 0");
    EXPECT_EQ(events(), "message.delivered ann ann greet flow");
    EXPECT_EQ(state(1), "opened");
    EXPECT_EQ(value("select count(*)::text from pawl.message_fact"), "2");
}

TEST_F(Facts, OneThatComesBeforeItsMessageIsKeptForIt) {
    want("message.opened");
    EXPECT_EQ(
        take({{"f1", "opened", "e1"}, {"f2", "clicked", "", "2026-05-01", false, "", 2}}), "2 0 2"
    );
    EXPECT_EQ(events(), "");
    match_all();
    EXPECT_EQ(value("select count(*)::text from pawl.fact_pending"), "0");
    project(1, "sent");
    project(2, "sent", "");
    EXPECT_EQ(state(1), "opened");
    EXPECT_EQ(state(2), "clicked");
    EXPECT_EQ(events(), "message.opened ann ann greet flow");
    project(1, "sent");
    EXPECT_EQ(value("select count(*)::text from pawl.inbox"), "1");
}

// Neither of two transactions sees the other: the matcher brings them together.
TEST_F(Facts, OneThatComesDuringTheCommitOfItsMessageIsMatchedAfterwards) {
    Session worker(database_.url());
    worker.script("begin");
    worker.value(project_sql(1, "sent"));
    EXPECT_EQ(take({{"f1", "delivered"}}), "1 0 1");
    for (int i = 0; i < 3; ++i) match();
    worker.script("commit");
    match_all();
    EXPECT_EQ(state(1), "delivered");
    EXPECT_EQ(value("select count(*)::text from pawl.fact_pending"), "0");

    session_.script("begin");
    EXPECT_EQ(take({{"f2", "delivered", "e2"}}), "1 0 1");
    worker.value(project_sql(2, "sent", "e2"));
    session_.script("commit");
    match();
    EXPECT_EQ(state(2), "delivered");
}

TEST_F(Facts, OneWhoseHorizonIsNeverReachedIsLookedAtForAnHour) {
    take({{"f1", "delivered"}});
    match();
    // As after a restore: the ids of transactions are lower than they were.
    session_.script("update pawl.fact_pending set horizon = '9999999999'");
    match();
    EXPECT_EQ(value("select count(*)::text from pawl.fact_pending"), "1");
    session_.script("update pawl.fact_pending set at = now() - interval '61 minutes'");
    match();
    EXPECT_EQ(value("select count(*)::text from pawl.fact_pending"), "0");
    project(1, "sent");
    EXPECT_EQ(state(1), "delivered");
}

TEST_F(Facts, OfAnotherTenantOrAccountAreNotOfThisMessage) {
    session_.script(
        "insert into pawl.tenant (name) values ('other'); "
        "select pawl.take_facts(0::smallint, array[2], array['resend'], array['main'], array['x'], "
        "array['opened'], array['e1'], array['00000000-0000-0000-0000-000000000001'::uuid], "
        "array[null], array[null], array[null], array[now()], array[false], array[null::jsonb]); "
        "select pawl.take_facts(0::smallint, array[1], array['resend'], array['second'], "
        "array['x'], array['opened'], array['e1'], array[null::uuid], array[null], array[null], "
        "array[null], array[now()], array[false], array[null::jsonb])"
    );
    project(1, "sent");
    match();
    EXPECT_EQ(state(1), "sent");
    EXPECT_EQ(value("select count(*)::text from pawl.message_fact where message is null"), "2");
}

TEST_F(Facts, SuppressAddressesThatMustGetNothing) {
    project(1, "sent");
    take({{"f1", "bounced", "e1", "2026-05-01", false, R"({"permanent": false})"}});
    EXPECT_EQ(suppressed(), "");
    take({{"f2", "bounced", "e1"}});
    EXPECT_EQ(suppressed(), "email ann@x.io bounced");
    EXPECT_EQ(prepare(Ask{.category = "transactional"}), "suppressed");
    session_.script("delete from pawl.suppression");
    // About a message that is not ours, and yet about the address.
    take(
        {{.id = "f3",
          .kind = "complained",
          .external = "theirs",
          .address = "Ann@X.io",
          .channel = "email"}}
    );
    EXPECT_EQ(suppressed(), "email ann@x.io complained");
    EXPECT_EQ(prepare(Ask{}), "suppressed");
}

TEST_F(Facts, AFollowLiftsAnUnfollowWhicheverComesFirst) {
    const auto fact = [](const char* id, const char* kind, const char* at) {
        return Fact{
            .id = id, .kind = kind, .external = "", .at = at, .address = "U1", .channel = "line"};
    };
    take({fact("1", "unfollowed", "2026-05-01")});
    EXPECT_EQ(suppressed(), "line U1 unfollowed");
    take({fact("2", "followed", "2026-05-03")});
    EXPECT_EQ(suppressed(), "");
    take({fact("3", "unfollowed", "2026-05-02")});
    EXPECT_EQ(suppressed(), "") << "older than the follow";
    take({fact("4", "unfollowed", "2026-05-04"), fact("5", "followed", "2026-05-03 12:00")});
    EXPECT_EQ(suppressed(), "line U1 unfollowed");
}

TEST_F(Facts, AnUnsubscribeStopsMarketingToThePerson) {
    project(1, "sent");
    take({{"f1", "unsubscribed"}});
    EXPECT_EQ(prepare(Ask{}), "unsubscribed");
    EXPECT_EQ(prepare(Ask{.category = "transactional"}), "go");
    EXPECT_EQ(suppressed(), "");
    // Of an address that belongs to no person that is known.
    take(
        {{.id = "f2",
          .kind = "unsubscribed",
          .external = "",
          .address = "bob@x.io",
          .channel = "email"}}
    );
    EXPECT_EQ(prepare(Ask{.person = "", .to = "Bob@x.io"}), "unsubscribed");
    EXPECT_EQ(prepare(Ask{.person = "", .category = "transactional", .to = "Bob@x.io"}), "go");
}

TEST_F(Facts, ArePublishedOnlyWhereAWorkflowWantsThem) {
    project(1, "sent");
    take({{"f1", "delivered"}});
    EXPECT_EQ(events(), "");
    session_.script("insert into pawl.tenant (name) values ('other')");
    want("message.opened", false, 2);
    want("message.clicked", true);
    take({{"f2", "clicked"}, {"f3", "clicked", "e1", "2026-05-01", true}, {"f4", "opened"}});
    EXPECT_EQ(events(), "message.clicked ann ann greet flow") << "not what a program did";
    EXPECT_EQ(value("select data ->> 'message' from pawl.inbox"), id(1));
    want("message.replied");
    take(
        {{.id = "f5",
          .kind = "replied",
          .external = "",
          .address = "U1",
          .channel = "line",
          .person = "ann"}}
    );
    EXPECT_EQ(
        value("select key || ' ' || (data ->> 'channel') from pawl.inbox where name = "
              "'message.replied'"),
        "ann line"
    );
}

TEST_F(Facts, ProveASendWhoseOutcomeWasUnknown) {
    const std::string settled =
        "select coalesce(string_agg(node || ' ' || state, ', '), '') from "
        "pawl.settled_messages(0::smallint, 10)";
    project(1, "unknown");
    project(2, "unknown", "e2");
    take({{"early", "delivered", "e3"}});
    project(3, "sent", "e4");
    EXPECT_EQ(value(settled), "");
    take({{"f1", "delivered"}, {"f2", "failed", "e2"}});
    EXPECT_EQ(
        value("select string_agg(state, ' ' order by state) from "
              "pawl.settled_messages(0::smallint, 10)"),
        "delivered failed"
    );
    session_.script("delete from pawl.message_settled");
    project(4, "unknown", "e3");
    EXPECT_EQ(value(settled), "greet delivered") << "the fact was there before";
    project(4, "sent", "e3");
    EXPECT_EQ(state(4), "delivered");
    project(2, "sent", "e2");
    EXPECT_EQ(state(2), "failed");
}

TEST_F(Facts, SessionsThatMeetAtTheSameMessagesEndInTheSameState) {
    constexpr int messages = 12;
    std::vector<std::future<std::string>> sessions;
    for (int n = 0; n < 8; ++n) {
        sessions.push_back(std::async(std::launch::async, [this, n]() -> std::string {
            Session session(database_.url());
            Rng rng(static_cast<std::uint64_t>(n));
            try {
                for (int round = 0; round < 30; ++round) {
                    const auto any = [&rng] { return 1 + static_cast<int>(rng.below(messages)); };
                    if (round % 5 == 4) {
                        const int message = any();
                        session.value(project_sql(message, "sent", fmt::format("e{}", message)));
                        session.value("select more::text from pawl.match_inbox(0::smallint, 9)");
                        continue;
                    }
                    std::vector<Fact> facts;
                    for (int i = 0; i < 6; ++i) {
                        facts.push_back(life_of(fmt::format("e{}", any()))[rng.below(8)]);
                    }
                    session.value(take_sql(facts));
                }
            } catch (const std::exception& error) {
                return error.what();
            }
            return "";
        }));
    }
    for (auto& session : sessions) EXPECT_EQ(session.get(), "");
    for (int n = 1; n <= messages; ++n) {
        project(n, "sent", fmt::format("e{}", n));
        take(life_of(fmt::format("e{}", n)));
    }
    match_all();
    for (int n = 2; n <= messages; ++n) EXPECT_EQ(row(n), row(1)) << n;
    EXPECT_EQ(state(1), "clicked");
    EXPECT_EQ(value("select count(*)::text from pawl.fact_pending"), "0");
}

TEST_F(Facts, WhatTheEngineSaysLastCounts) {
    project(1, "failed", "");
    EXPECT_EQ(state(1), "failed");
    project(1, "sent", "e1");
    EXPECT_EQ(state(1), "sent");
    EXPECT_EQ(take({{"f1", "opened"}}), "1 1 0");
    project(1, "sent", "");
    EXPECT_EQ(state(1), "opened");
    EXPECT_EQ(value("select external_id from pawl.message"), "e1");
}

}  // namespace
}  // namespace pawl::test
