#include "store/journey_fixture.hpp"

// Messages whose outcome is unknown and whose provider can be asked.
namespace pawl::test {
namespace {

class JourneyInquiries : public Journeys {
protected:
    // Whether it may be sent, by a connector that can be asked after a minute.
    std::string begin(int message, int attempt = 1) {
        return value(fmt::format(
            "select outcome from pawl.begin_messages(0::smallint, array['{0}'::uuid], array[1], "
            "array['{0}'::uuid], array[1], array[1], array['greet'], array['ann'], "
            "array[jsonb_build_object('channel', 'sms', 'connector', 'twilio', 'account', 'main', "
            "'attempt', {1}, 'ask_after', 60.5, 'address', '+49170', 'text_hash', {1}00)])",
            id(message),
            attempt
        ));
    }
    void note_unknown(int message, const std::string& more = "'ask_after', 60.5") {
        value(fmt::format(
            "select pawl.project_messages(0::smallint, array['{0}'::uuid], array[1], "
            "array['{0}'::uuid], array[1], array[1], array['greet'], array['ann'], "
            "array[jsonb_build_object('state', 'unknown', 'channel', 'sms', 'connector', 'twilio', "
            "'account', 'main', {1})])::text",
            id(message),
            more
        ));
    }
    std::string planned() {
        return value(
            "select coalesce(string_agg(right(id::text, 2) || ' in ' || "
            "extract(epoch from due_at - created_at)::int || ' s', ', ' order by id), '') "
            "from pawl.message_inquiry"
        );
    }
    void become_due() { session_.script("update pawl.message_inquiry set due_at = now()"); }
    std::vector<std::string> take(int limit = 9) {
        return session_.column(fmt::format(
            "select right(id::text, 2) || ' ' || connector || ' ' || address || ' ' || "
            "text_hash || ' try ' || tries "
            "from pawl.take_inquiries(0::smallint, {}, '2 minutes') order by id",
            limit
        ));
    }
};

using Lines = std::vector<std::string>;

TEST_F(JourneyInquiries, APersonSaysWhatBecameOfAMessage) {
    const auto settle = [this](int message, int tenant, bool sent) {
        return value(fmt::format(
            "select pawl.settle_message(0::smallint, {}, '{}', {}, 'seen')::text",
            tenant,
            id(message),
            sent
        ));
    };
    const auto shown = [this](int message) {
        return value(fmt::format(
            "select pawl.message_state_name(state) || ' ' || coalesce(error, '-') || ' ' || "
            "(sent_at is not null) || ' ' || (failed_at is not null) "
            "from pawl.message where id = '{}'",
            id(message)
        ));
    };
    for (int message = 1; message <= 2; ++message) {
        begin(message);
        note_unknown(message);
    }
    EXPECT_EQ(settle(1, 2, true), "false") << "of another tenant";
    EXPECT_EQ(shown(1), "unknown - false false");
    EXPECT_EQ(settle(1, 1, true), "true");
    EXPECT_EQ(shown(1), "sent - true false");
    EXPECT_EQ(settle(1, 1, false), "false") << "it is known by now";
    EXPECT_EQ(settle(2, 1, false), "true");
    EXPECT_EQ(shown(2), "failed seen false true");
    EXPECT_EQ(settle(3, 1, true), "false") << "there is none";
    become_due();
    EXPECT_EQ(take(), Lines());
}

TEST_F(JourneyInquiries, AreForWhatBecameUnknown) {
    EXPECT_EQ(begin(1), "begun");
    EXPECT_EQ(planned(), "") << "its answer may come";
    EXPECT_EQ(begin(1), "interrupted");
    EXPECT_EQ(planned(), "01 in 61 s");
    begin(2);
    note_unknown(2);
    EXPECT_EQ(planned(), "01 in 61 s, 02 in 61 s");
    EXPECT_EQ(begin(2), "interrupted");
    EXPECT_EQ(planned(), "01 in 61 s, 02 in 61 s") << "once";
    note_unknown(3, "'address', '+49170'");
    EXPECT_EQ(planned(), "01 in 61 s, 02 in 61 s") << "a provider that cannot be asked";
    begin(4);
    Journeys::take({{.id = "f", .kind = "sent", .external = "e4", .message = 4}});
    note_unknown(4);
    EXPECT_EQ(planned(), "01 in 61 s, 02 in 61 s") << "a fact has proved it";
}

TEST_F(JourneyInquiries, AreTakenByOneProcessForAWhile) {
    begin(1);
    begin(1);
    EXPECT_EQ(take(), Lines{}) << "not yet due";
    become_due();
    EXPECT_EQ(take(), Lines{"01 twilio +49170 100 try 1"});
    EXPECT_EQ(take(), Lines{}) << "another process has it";
    become_due();
    EXPECT_EQ(take(), Lines{"01 twilio +49170 100 try 2"}) << "that process died";
}

// Its provider is still down, and answers before what is known of the first attempt is dropped.
TEST_F(JourneyInquiries, BeginAnewWithTheNextAttempt) {
    begin(1);
    begin(1);
    become_due();
    take();
    session_.script("update pawl.message_inquiry set created_at = now() - interval '1 hour'");
    begin(1, 2);
    note_unknown(1);
    EXPECT_EQ(planned(), "01 in 61 s");
    EXPECT_EQ(value("select tries::text from pawl.message_inquiry"), "0");
}

TEST_F(JourneyInquiries, SayWhatTheLastAttemptSaid) {
    begin(1);
    begin(1);
    EXPECT_EQ(begin(1, 2), "begun") << "it was found not to be there";
    become_due();
    EXPECT_EQ(take(), Lines{}) << "it is being sent";
    EXPECT_EQ(planned(), "");
    begin(1, 2);
    become_due();
    EXPECT_EQ(take(), Lines{"01 twilio +49170 200 try 1"});
}

TEST_F(JourneyInquiries, EndWithTheDoubt) {
    for (const int message : {1, 2, 3}) {
        begin(message);
        begin(message);
    }
    Journeys::take({{.id = "f", .kind = "delivered", .external = "e1", .message = 1}});
    session_.script("delete from pawl.message where id = '" + id(2) + "'");
    become_due();
    EXPECT_EQ(take(1).size() + take(9).size(), 1u);
    EXPECT_EQ(value("select string_agg(right(id::text, 2), ',') from pawl.message_inquiry"), "03");
    value("select known::text from pawl.erase_person(1, 'ann', false)");
    EXPECT_EQ(
        value("select (address is null and text_hash is null)::text from pawl.message "
              "where right(id::text, 2) = '03'"),
        "true"
    );
}

}  // namespace
}  // namespace pawl::test
