#include "store/journey_fixture.hpp"

// Messages that are written down before they go out, and the rate of an account.
namespace pawl::test {
namespace {

class JourneyBegin : public Journeys {
protected:
    // The outcome of each, in the order of their places.
    std::vector<std::string> begin(
        const std::vector<int>& messages, int attempt = 1, const std::string& run = ""
    ) {
        const auto same = [&](const char* type, const std::string& text) {
            return array(messages, type, [&](int) { return text; });
        };
        return session_.column(fmt::format(
            "select place || ' ' || outcome || coalesce(' ' || external_id, '') "
            "from pawl.begin_messages(0::smallint, {0}, {1}, {2}, {1}, {1}, {3}, {4}, {5}) "
            "order by place",
            array(messages, "uuid", [](int message) { return quoted(id(message)); }),
            same("int", "1"),
            array(
                messages,
                "uuid",
                [&](int message) { return quoted(run.empty() ? id(message) : run); }
            ),
            same("text", "'greet'"),
            same("text", "'ann'"),
            same(
                "jsonb",
                fmt::format(
                    R"('{{"channel": "email", "connector": "resend", "account": "{}", )"
                    R"("attempt": {}{}}}')",
                    account_,
                    attempt,
                    also_
                )
            )
        ));
    }
    std::string begin_one(int message, int attempt = 1, const std::string& run = "") {
        return begin({message}, attempt, run).at(0).substr(2);
    }
    void release(int message) {
        value(fmt::format(
            "select pawl.release_messages(0::smallint, array['{}'::uuid])::text", id(message)
        ));
    }
    std::string settled() {
        return value(
            "select coalesce(string_agg(right(id::text, 2) || ' for ' || "
            "right(run_id::text, 2), ', '), '') from pawl.message_settled"
        );
    }
    void age(const std::string& time) {
        session_.script(
            fmt::format("update pawl.message set tried_at = tried_at - '{}'::interval", time)
        );
    }

    std::string account_ = "main";
    std::string also_;  // members of what is said about each
};

TEST_F(JourneyBegin, AProviderRecognisesARepeatForAWhile) {
    also_ = R"(, "window": 86400)";
    EXPECT_EQ(begin_one(1), "begun");
    age("23 hours");
    EXPECT_EQ(begin_one(1), "again");
    EXPECT_EQ(begin_one(1, 2), "again") << "also by the next attempt";
    EXPECT_EQ(state(1), "sending");
    age("2 hours");
    EXPECT_EQ(begin_one(1, 3), "interrupted") << "a day after the first try";
    EXPECT_EQ(state(1), "unknown");
    EXPECT_EQ(begin_one(1, 3), "interrupted") << "however many workers die after it";
    EXPECT_EQ(begin_one(1, 4), "begun") << "a person wants it sent again";
    age("23 hours");
    EXPECT_EQ(begin_one(1, 4), "again") << "the day begins anew";
    release(1);
    EXPECT_EQ(begin_one(1, 4), "begun");
}

TEST_F(JourneyBegin, AFactSettlesWhatIsNotRecognisedAnyMore) {
    also_ = R"(, "window": 86400)";
    begin_one(1);
    age("25 hours");
    EXPECT_EQ(begin_one(1), "interrupted");
    take({{.id = "f", .kind = "delivered", .external = "e1", .message = 1}});
    EXPECT_EQ(settled(), "01 for 01");
    EXPECT_EQ(begin_one(1), "sent e1");
}

TEST_F(JourneyBegin, AnotherAccountRecognisesNothing) {
    also_ = R"(, "window": 86400)";
    begin_one(1);
    account_ = "other";
    EXPECT_EQ(begin_one(1), "interrupted");
    begin_one(2);
    also_.clear();
    EXPECT_EQ(begin_one(2), "interrupted") << "nor does a provider that knows no repeats";
}

TEST_F(JourneyBegin, WhatWentWithOthersIsNotRecognisedByItself) {
    also_ = R"(, "window": 86400, "together": true)";
    EXPECT_EQ(begin({1, 2}), (std::vector<std::string>{"1 begun", "2 begun"}));
    EXPECT_EQ(begin_one(1), "interrupted");
    also_ = R"(, "window": 86400)";
    EXPECT_EQ(begin_one(2), "interrupted");
    EXPECT_EQ(begin_one(3), "begun");
    also_ = R"(, "window": 86400, "together": true)";
    EXPECT_EQ(begin_one(3), "again") << "it went by itself before, and is to go so again";
}

TEST_F(JourneyBegin, AnAttemptThatWasBegunAndDidNotEndMayHaveSent) {
    EXPECT_EQ(begin_one(1), "begun");
    EXPECT_EQ(state(1), "sending");
    EXPECT_EQ(begin_one(1), "interrupted");
    EXPECT_EQ(state(1), "unknown");
    EXPECT_EQ(begin_one(1), "interrupted") << "however many workers die after it";
    EXPECT_EQ(begin_one(1, 2), "begun") << "its log says that attempt 1 has ended";
    EXPECT_EQ(state(1), "sending");
    project(1, "sent");
    EXPECT_EQ(state(1), "sent");
}

TEST_F(JourneyBegin, AnOutcomeThatWasNotedButNotCommittedCounts) {
    begin_one(1);
    project(1, "unknown", "");
    EXPECT_EQ(begin_one(1), "interrupted");
    begin_one(2);
    project(2, "failed", "");
    EXPECT_EQ(begin_one(2), "begun") << "the provider refused it: it was not sent";
}

TEST_F(JourneyBegin, WhatWasSentIsNotSentAgain) {
    project(1, "sent", "e1");
    EXPECT_EQ(begin_one(1, 2), "sent e1");
    EXPECT_EQ(begin_one(1, 1, id(99)), "sent e1") << "by a retry of the run";
    EXPECT_EQ(state(1), "sent");
    begin_one(2);
    take({{.id = "f", .kind = "delivered", .external = "e2", .message = 2}});
    EXPECT_EQ(begin_one(2), "sent e2") << "a fact proves it, and brings the id";
    EXPECT_EQ(begin({1, 2, 3}), (std::vector<std::string>{"1 sent e1", "2 sent e2", "3 begun"}));
}

TEST_F(JourneyBegin, ARetriedRunSendsAgainUnlessItWasLeftInTheMiddle) {
    project(1, "failed", "");
    EXPECT_EQ(begin_one(1, 1, id(99)), "begun");
    EXPECT_EQ(begin_one(1, 2, id(98)), "interrupted") << "run 99 has not ended it";
    EXPECT_EQ(begin_one(1, 1, id(97)), "begun") << "the caller that retried run 98 knew that";
}

TEST_F(JourneyBegin, AFactSettlesTheStepThatIsThereNow) {
    begin_one(1);
    EXPECT_EQ(begin_one(1, 1, id(99)), "interrupted");
    take({{.id = "f", .kind = "sent", .external = "e1", .message = 1}});
    EXPECT_EQ(settled(), "01 for 99");
    EXPECT_EQ(
        value("select state || ' ' || external_id from pawl.settled_messages(0::smallint, 9)"),
        "sent e1"
    );
    const auto due = [&] {
        return value(
            "select coalesce(string_agg(right(id::text, 2) || ' ' || coalesce(state, "
            "'nothing'), ', '), '') from pawl.settled_messages(0::smallint, 9)"
        );
    };
    // A fact is quicker than the commit, or the outcome could not be noted.
    begin_one(2);
    take({{.id = "g", .kind = "failed", .external = "", .message = 2}});
    EXPECT_EQ(settled(), "01 for 99, 02 for 02");
    EXPECT_EQ(due(), "01 sent");
    session_.script("update pawl.message set created_at = now() - interval '31 seconds'");
    EXPECT_EQ(due(), "01 sent, 02 failed");
    EXPECT_EQ(begin_one(2), "interrupted");
    EXPECT_EQ(due(), "01 sent, 02 failed");
    project(2, "sent", "");
    EXPECT_EQ(due(), "01 sent, 02 nothing") << "the step went on by itself";
}

TEST_F(JourneyBegin, WhatCertainlyDidNotGoOutIsForgotten) {
    begin_one(1);
    release(1);
    EXPECT_EQ(value("select count(*)::text from pawl.message"), "0");
    EXPECT_EQ(begin_one(1), "begun");
    begin_one(2);
    begin_one(2);
    begin_one(2, 2);
    take(
        {{.id = "f",
          .kind = "bounced",
          .external = "",
          .detail = R"({"permanent": false})",
          .message = 2}}
    );
    release(2);
    EXPECT_EQ(begin_one(2, 2), "begun") << "attempt 2 has not gone out";
    project(3, "sent", "e3");
    release(3);
    EXPECT_EQ(state(3), "sent");
}

TEST_F(JourneyBegin, WhatIsSkippedAfterItWasBegunIsNotKnown) {
    begin_one(1);
    project(1, "skipped", "");
    EXPECT_EQ(state(1), "unknown");
    project(2, "skipped", "");
    EXPECT_EQ(state(2), "skipped");
}

TEST_F(JourneyBegin, WhatBecomesOfATestIsNoEvent) {
    want("message.delivered");
    const auto events = [&] { return value("select count(*)::text from pawl.inbox"); };
    value(fmt::format(
        "select pawl.project_messages(0::smallint, array['{0}'::uuid], array[1], "
        "array['{0}'::uuid], array[0], array[1], array['test'], array[null], "
        R"(array['{{"test": true, "state": "sent", "channel": "email"}}'::jsonb])::text)",
        id(1)
    ));
    EXPECT_EQ(value("select test::text from pawl.message"), "true");
    take({{.id = "f", .kind = "delivered", .external = "", .message = 1}});
    EXPECT_EQ(state(1), "delivered");
    EXPECT_EQ(events(), "0");
    project(2, "sent", "e2");
    take({{.id = "g", .kind = "delivered", .external = "e2"}});
    EXPECT_EQ(events(), "1");
}

TEST_F(JourneyBegin, AnAccountKeepsItsRate) {
    const auto pace = [&](int many, const std::string& gate, int step) {
        return session_.column(fmt::format(
            "select later || ' ' || round(wait / 100000.0) from pawl.pace_messages(0::smallint, "
            "array_fill('{}'::text, array[{}]), array_fill({}::bigint, array[{}])) order by place",
            gate,
            many,
            step,
            many
        ));
    };
    // Four a second: those of the first second go, the others come back one after the other.
    const std::vector<std::string> first{
        "false 0", "false 3", "false 5", "false 8", "false 10", "true 10", "true 13"};
    EXPECT_EQ(pace(7, "account/1/x/a", 250'000), first);
    EXPECT_EQ(pace(1, "account/1/x/a", 250'000).at(0).substr(0, 4), "true");
    EXPECT_EQ(pace(1, "account/1/x/b", 250'000).at(0), "false 0") << "another account";
    session_.script("update pawl.flow_rate set next_at = now() - interval '1 hour'");
    EXPECT_EQ(pace(7, "account/1/x/a", 250'000), first) << "an idle hour does not add up";
    EXPECT_EQ(
        value("select string_agg(place || ' ' || later, ', ' order by place) from "
              "pawl.pace_messages(0::smallint, array['c', 'd', 'c', 'd'], "
              "array[5000000, 1000, 5000000, 1000])"),
        "1 false, 2 false, 3 true, 4 false"
    );
}

}  // namespace
}  // namespace pawl::test
