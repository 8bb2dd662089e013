#include "store/journey_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

// What keeps a message from a person, in the order in which it is looked at.
namespace pawl::test {
namespace {

class Guards : public Journeys {
protected:
    // When a message to a person of that zone may go; "go": now.
    std::string wait(const std::string& zone, const std::string& now) {
        session_.script(fmt::format("update pawl.person set timezone = '{}'", zone));
        return prepare(
                   {Ask{}},
                   "case when verdict = 'quiet_hours' then to_char(wait_until at time zone 'UTC', "
                   "'MM-DD HH24:MI') else coalesce(verdict, 'go') end",
                   now
        )
            .at(0);
    }
};

TEST_F(Guards, PeopleWithoutAnAddressAreSkippedAndSoAreThoseWhoAreGone) {
    person("bob", R"({"email": ""})");
    EXPECT_EQ(
        prepare({Ask{.person = "ann"}, Ask{.person = "bob"}, Ask{.person = "nemo"}}),
        (std::vector<std::string>{"go", "no_address", "no_person"})
    );
    EXPECT_EQ(prepare(Ask{}, "address"), "Ann@x.io");
    EXPECT_EQ(prepare(Ask{}, "person ->> 'key'"), "ann");
    session_.script("update pawl.person set erased_at = now(), addresses = '{}' where key = 'ann'");
    EXPECT_EQ(prepare(Ask{}), "no_person");
    EXPECT_EQ(prepare(Ask{.to = "ann@other.io"}), "no_person") << "erased, whatever the address is";
    EXPECT_EQ(prepare(Ask{.person = "order-7", .to = "desk@x.io"}), "go") << "is no person";
    EXPECT_EQ(prepare(Ask{.person = "", .to = "desk@x.io"}, "address"), "desk@x.io");
}

TEST_F(Guards, SuppressedAddressesGetNothingInAnySpelling) {
    value("select pawl.suppress_address(1, 'email', 'ANN@x.io ', null)::text");
    value("select pawl.suppress_address(1, 'sms', '+49-170', null)::text");
    EXPECT_EQ(prepare(Ask{}), "suppressed");
    EXPECT_EQ(prepare(Ask{.category = "transactional"}), "suppressed");
    account("twilio", "a");
    EXPECT_EQ(prepare(Ask{.channel = "sms"}), "suppressed");
    EXPECT_EQ(value("select pawl.lift_suppression(1, 'email', 'ann@X.io')::text"), "true");
    EXPECT_EQ(value("select pawl.lift_suppression(1, 'email', 'ann@X.io')::text"), "false");
    EXPECT_EQ(prepare(Ask{}), "go");
}

TEST_F(Guards, WhatAPersonUnsubscribedFromStopsWhatIsTransactionalGoes) {
    const auto set = [this](const char* channel, const char* category, bool on, const char* at) {
        value(fmt::format(
            "select pawl.set_subscription(1, 'ann', '{}', '{}', {}, '{}')::text",
            channel,
            category,
            on,
            at
        ));
    };
    const std::vector<Ask> all{
        {.category = ""}, {.category = "news"}, {.category = "transactional"}};
    set("email", "news", false, "2026-01-01");
    EXPECT_EQ(prepare(all), (std::vector<std::string>{"go", "unsubscribed", "go"}));
    set("email", "news", true, "2026-01-02");
    set("email", "news", false, "2026-01-01 12:00");  // came late
    EXPECT_EQ(prepare(all), (std::vector<std::string>{"go", "go", "go"}));
    set("*", "*", false, "2026-01-03");
    EXPECT_EQ(prepare(all), (std::vector<std::string>{"unsubscribed", "unsubscribed", "go"}));
}

// Who has unsubscribed from all and wants one thing again gets that, and nothing else.
TEST_F(Guards, WantingOneThingAgainLeavesTheRestUnsubscribed) {
    account("twilio", "a");
    value(
        "select version::text from pawl.put_template(1, 'digest', 'news', "
        "'{\"en\": {\"text\": \"x\"}}')"
    );
    const auto say = [this](const char* channel, const char* category, bool wanted) {
        value(fmt::format(
            "select pawl.set_subscription(1, 'ann', '{}', '{}', {}, null)::text",
            channel,
            category,
            wanted
        ));
    };
    const std::vector<Ask> all{
        {.category = ""},
        {.category = "news"},
        {.channel = "sms", .category = ""},
        {.channel = "sms", .category = "news"}};
    using Verdicts = std::vector<std::string>;
    const std::string no = "unsubscribed";
    say("*", "*", false);
    say("email", "*", true);
    EXPECT_EQ(prepare(all), (Verdicts{"go", "go", no, no}));
    say("*", "*", false);
    EXPECT_EQ(prepare(all), (Verdicts{no, no, no, no}));
    say("*", "news", true);
    EXPECT_EQ(prepare(all), (Verdicts{no, "go", no, "go"}));
    say("*", "*", false);
    say("sms", "news", true);
    EXPECT_EQ(prepare(all), (Verdicts{no, no, no, "go"}));
    say("*", "marketing", true);
    EXPECT_EQ(prepare(all), (Verdicts{"go", no, "go", "go"}));
    say("*", "*", true);
    EXPECT_EQ(prepare(all), (Verdicts{"go", "go", "go", "go"}));
    // On the page of preferences, where sms is not among what is shown.
    say("*", "*", false);
    value(
        "select pawl.set_preferences(0::smallint, 1, 'ann', '{email,email}', "
        "'{marketing,news}', '{true,false}')::text"
    );
    EXPECT_EQ(prepare(all), (Verdicts{"go", no, no, no}));
}

TEST_F(Guards, QuietHoursEndInThePersonsZoneInNightsWhenTheClockChanges) {
    policy("quiet_from, quiet_to", "'22:00', '08:00'");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-04 21:59:59+02"), "go");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-04 22:00+02"), "05-05 06:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-05 07:59:59+02"), "05-05 06:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-05 08:00+02"), "go");
    // An hour less, before midnight and after it, before the change and after it.
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-28 23:00+01"), "03-29 06:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-29 01:30+01"), "03-29 06:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-29 03:30+02"), "03-29 06:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-29 08:00+02"), "go");
    // An hour more.
    EXPECT_EQ(wait("Europe/Berlin", "2026-10-24 23:00+02"), "10-25 07:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-10-25 02:30+02"), "10-25 07:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-10-25 07:59+01"), "10-25 07:00");
    EXPECT_EQ(wait("America/New_York", "2026-03-07 23:00-05"), "03-08 12:00");
    EXPECT_EQ(wait("America/New_York", "2026-03-08 07:59-04"), "03-08 12:00");
    EXPECT_EQ(wait("America/New_York", "2026-10-31 23:00-04"), "11-01 13:00");
    EXPECT_EQ(wait("America/New_York", "2026-11-01 01:30-05"), "11-01 13:00");
    EXPECT_EQ(wait("America/New_York", "2026-11-01 08:00-05"), "go");
}

TEST_F(Guards, QuietHoursThatEndInTheHourOfTheChangeEndOnce) {
    policy("quiet_from, quiet_to", "'22:00', '02:30'");
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-29 01:59+01"), "03-29 01:30") << "03:30 in summer";
    EXPECT_EQ(wait("Europe/Berlin", "2026-03-29 03:30+02"), "go");
    EXPECT_EQ(wait("Europe/Berlin", "2026-10-25 01:00+02"), "10-25 01:30") << "the second 02:30";
    EXPECT_EQ(wait("Europe/Berlin", "2026-10-25 02:30+01"), "go");
}

TEST_F(Guards, QuietHoursWithinADayAndZonesThatAreNone) {
    policy("quiet_from, quiet_to, timezone", "'12:00', '14:00', 'Asia/Bangkok'");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-04 12:00+02"), "05-04 12:00");
    EXPECT_EQ(wait("Europe/Berlin", "2026-05-04 14:00+02"), "go");
    EXPECT_EQ(wait("Atlantis/Deep", "2026-05-04 13:00+07"), "05-04 07:00") << "the policy's";
    EXPECT_EQ(
        prepare(
            {Ask{.category = "transactional"}}, "coalesce(verdict, 'go')", "2026-05-04 13:00+02"
        )
            .at(0),
        "go"
    );
    session_.script("update pawl.message_policy set timezone = 'nowhere'");
    EXPECT_EQ(wait("Atlantis/Deep", "2026-05-04 13:00+00"), "05-04 14:00") << "UTC";
}

TEST_F(Guards, TheRowOfAChannelCountsBeforeThatOfAll) {
    policy("quiet_from, quiet_to", "'00:00', '23:59'");
    policy("channel, cap_count, cap_period", "'email', 1, '1 day'");
    EXPECT_EQ(prepare(Ask{}), "go");
    account("twilio", "a");
    EXPECT_EQ(prepare(Ask{.channel = "sms"}), "quiet_hours");
}

TEST_F(Guards, ACapCountsWhatWasSentWithinItsPeriod) {
    policy("cap_count, cap_period", "2, '1 day'");
    const std::vector<Ask> three{{.message = 1}, {.message = 2}, {.message = 3}};
    EXPECT_EQ(prepare(three), (std::vector<std::string>{"go", "go", "frequency_cap"}));
    EXPECT_EQ(prepare(three), (std::vector<std::string>{"go", "go", "frequency_cap"}))
        << "a message counts once, however often its step is tried";
    EXPECT_EQ(prepare(Ask{.message = 4, .category = "transactional"}), "go");
    // What was not sent gives its place back.
    project(1, "failed", "");
    project(2, "sent", "x");
    EXPECT_EQ(prepare(Ask{.message = 3}), "go");
    EXPECT_EQ(prepare(Ask{.message = 4}), "frequency_cap");
    EXPECT_EQ(
        prepare({Ask{.message = 4}}, "coalesce(verdict, 'go')", "2026-05-05 12:00+00").at(0), "go"
    );
    // Others count by themselves; so does an address of no person.
    person("bob", R"({"email": "bob@x.io"})");
    EXPECT_EQ(prepare(Ask{.person = "bob", .message = 5}), "go");
    EXPECT_EQ(
        prepare(
            {{.person = "", .message = 6, .to = "C@x.io"},
             {.person = "", .message = 7, .to = "c@x.io"},
             {.person = "", .message = 8, .to = "c@X.io"}}
        ),
        (std::vector<std::string>{"go", "go", "frequency_cap"})
    );
}

TEST_F(Guards, ACapHoldsUnderTwentySessions) {
    policy("cap_count, cap_period", "7, '1 day'");
    person("bob", R"({"email": "bob@x.io"})");
    std::atomic<int> went{0};
    std::vector<std::thread> sessions;
    for (int n = 0; n < 20; ++n) {
        sessions.emplace_back([this, n, &went] {
            Session session(database_.url());
            for (int round = 0; round < 5; ++round) {
                const int message = 100 * n + 10 * round;
                // Both orders, so that sessions meet crosswise.
                const bool swap = (n + round) % 2 == 0;
                const auto verdicts = session.column(prepare_sql(
                    {{.person = swap ? "ann" : "bob", .message = message + 1},
                     {.person = swap ? "bob" : "ann", .message = message + 2}},
                    "coalesce(problem, verdict, 'go')",
                    "2026-05-04 12:00+00"
                ));
                for (const std::string& verdict : verdicts) went += verdict == "go" ? 1 : 0;
            }
        });
    }
    for (std::thread& session : sessions) session.join();
    EXPECT_EQ(went, 2 * 7);
    EXPECT_EQ(
        value("select string_agg(cardinality(messages)::text, ' ') from pawl.message_reservation"),
        "7 7"
    );
}

TEST_F(Guards, AShareOfThePeopleGetsNothingAlwaysTheSame) {
    policy("holdout", "25");
    session_.script(
        "insert into pawl.person (tenant, key, addresses) select 1, 'p' || n, "
        "'{\"email\": \"p@x.io\"}' from generate_series(1, 400) n"
    );
    std::vector<Ask> asks;
    for (int n = 1; n <= 400; ++n) asks.push_back({.person = fmt::format("p{}", n), .message = n});
    const auto verdicts = prepare(asks);
    const auto held = std::count(verdicts.begin(), verdicts.end(), "holdout");
    EXPECT_NEAR(static_cast<double>(held), 100, 35);
    EXPECT_EQ(std::count(verdicts.begin(), verdicts.end(), "go"), 400 - held);
    EXPECT_EQ(prepare(asks), verdicts);
    for (Ask& ask : asks) ask.category = "transactional";
    EXPECT_EQ(prepare(asks), std::vector<std::string>(400, "go"));
}

TEST_F(Guards, TheFirstReasonIsTheOneThatIsSaid) {
    policy(
        "quiet_from, quiet_to, cap_count, cap_period, holdout", "'00:00', '23:59', 1, '1 day', 100"
    );
    value("select pawl.set_subscription(1, 'ann', '*', '*', false, null)::text");
    value("select pawl.suppress_address(1, 'email', 'ann@x.io', null)::text");
    EXPECT_EQ(prepare(Ask{}), "suppressed");
    EXPECT_EQ(prepare(Ask{}, "coalesce(wait_until::text, 'none')"), "none");
    value("select pawl.lift_suppression(1, 'email', 'ann@x.io')::text");
    EXPECT_EQ(prepare(Ask{}), "unsubscribed");
    session_.script("delete from pawl.unsubscribe");
    EXPECT_EQ(prepare(Ask{}), "quiet_hours");
    session_.script("update pawl.message_policy set quiet_from = null, quiet_to = null, holdout = 0"
    );
    EXPECT_EQ(prepare(Ask{}), "go");
    session_.script("update pawl.message_policy set holdout = 100");
    EXPECT_EQ(prepare(Ask{.message = 2}), "frequency_cap");
    EXPECT_EQ(prepare(Ask{.message = 1}), "holdout") << "it has its place";
    person("bob", R"({"email": "bob@x.io"})");
    EXPECT_EQ(prepare(Ask{.person = "bob"}), "holdout");
    EXPECT_EQ(
        value("select count(*)::text from pawl.message_reservation where person = 'bob' "
              "and messages <> '{}'"),
        "0"
    ) << "takes no place";
}

}  // namespace
}  // namespace pawl::test
