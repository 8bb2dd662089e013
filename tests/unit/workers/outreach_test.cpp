#include "support/code_run.hpp"
#include "unit/workers/workflow_of.hpp"

namespace pawl::workers {
namespace {

const json::object contact{{"id", "c1"}, {"name", "Ann"}, {"email", "ann@example.com"}};

json::object drafted() {
    return {
        {"reply",
         {{"subject", "Hello"},
          {"body", "Shall we meet?"},
          {"confidence", 1},
          {"needs_human", false}}},
        {"usage", {{"prompt_tokens", 1}, {"completion_tokens", 1}}},
        {"cost", 0}};
}

void reply(CodeRun& run, std::string_view step, bool interested) {
    run.feed(plan::SignalReceived{
        9,
        "event",
        {{"name", "contact.replied"},
         {"key", "c1"},
         {"token", run.step(step).token},
         {"data", {{"interested", interested}}}}});
}

TEST(Bdr, ArrangesAMeetingWithAContactThatWantsOne) {
    CodeRun run(workflow_of("bdr"), {{"contact_id", "c1"}, {"goal", "a first talk"}});
    EXPECT_EQ(run.input_of("lookup_contact").at("contact_id"), "c1");
    run.complete("lookup_contact", contact);
    EXPECT_EQ(run.input_of("plan_outreach").at("role"), "bdr");
    run.complete("plan_outreach", drafted());
    run.decide("human_review", {{"decision", "approved"}, {"by", "bob"}});
    run.complete("send_email", {{"message_id", "m"}});
    EXPECT_EQ(run.open(), "await_reply");
    reply(run, "await_reply", true);
    EXPECT_EQ(run.input_of("schedule_meeting").at("attendee"), "ann@example.com");
    run.complete("schedule_meeting", {{"starts_at", "2026-01-05T09:00:00Z"}});
    EXPECT_EQ(run.open(), "record_outcome");
    run.complete("record_outcome", nullptr);
    EXPECT_EQ(run.state.output.at("status"), "meeting");
    EXPECT_FALSE(plan::find_divergence(run.definition, run.plan, run.log));
}

TEST(Bdr, LeavesAContactThatDeclinesAlone) {
    CodeRun run(workflow_of("bdr"), {{"contact_id", "c1"}, {"goal", "x"}, {"review", "never"}});
    run.complete("lookup_contact", contact);
    run.complete("plan_outreach", drafted());
    run.complete("send_email", {{"message_id", "m"}});
    reply(run, "await_reply", false);
    EXPECT_EQ(run.open(), "record_outcome");
    run.complete("record_outcome", nullptr);
    EXPECT_EQ(run.state.output.at("status"), "declined");
}

CodeRun qualified(std::string fit) {
    CodeRun run(
        workflow_of("sdr"), {{"contact_id", "c1"}, {"interest", "pumps"}, {"review", "never"}}
    );
    EXPECT_EQ(run.open(), "lookup_contact retrieve_context") << "side by side";
    run.complete("retrieve_context", {{"passages", json::array()}});
    run.complete("lookup_contact", contact);
    EXPECT_EQ(run.open(), "qualify_lead");
    run.complete("qualify_lead", {{"reply", {{"fit", fit}, {"reason", "because"}}}});
    return run;
}

TEST(Sdr, DoesNotWriteToContactsThatDoNotFit) {
    CodeRun run = qualified("none");
    EXPECT_EQ(run.open(), "record_outcome");
    run.complete("record_outcome", nullptr);
    EXPECT_EQ(run.state.output.at("status"), "not_qualified");
}

TEST(Sdr, RemindsTwiceThenGivesUp) {
    CodeRun run = qualified("good");
    run.complete("plan_outreach", drafted());
    run.complete("send_email", nullptr);
    run.pass_time(std::chrono::hours(24 * 6));
    EXPECT_EQ(run.open(), "send_email#2");
    run.complete("send_email#2", nullptr);
    run.pass_time(std::chrono::hours(24 * 6));
    run.complete("send_email#3", nullptr);
    run.pass_time(std::chrono::hours(24 * 6));
    EXPECT_EQ(run.open(), "record_outcome");
    run.complete("record_outcome", nullptr);
    EXPECT_EQ(run.state.output.at("status"), "no_reply");
    EXPECT_FALSE(plan::find_divergence(run.definition, run.plan, run.log));
}

TEST(Va, ArrangesTheMeetingBeforeItWrites) {
    CodeRun run(
        workflow_of("va"),
        {{"contact", contact}, {"request", "talk about pumps"}, {"meeting", true}}
    );
    run.complete("lookup_contact", contact);
    EXPECT_EQ(run.open(), "schedule_meeting");
    run.complete("schedule_meeting", {{"starts_at", "2026-01-05T09:00:00Z"}});
    EXPECT_EQ(run.input_of("plan_outreach").at("meeting_at"), "2026-01-05T09:00:00Z");
    run.complete("plan_outreach", drafted());
    run.decide("human_review", {{"decision", "approved"}, {"by", "bob"}});
    run.complete("send_email", nullptr);
    run.complete("record_outcome", nullptr);
    EXPECT_EQ(run.state.output.at("status"), "sent");
}

}  // namespace
}  // namespace pawl::workers
