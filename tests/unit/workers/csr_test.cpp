#include "support/code_run.hpp"
#include "unit/workers/workflow_of.hpp"
#include "workers/draft_diff.hpp"

namespace pawl::workers {
namespace {

const json::object ticket{
    {"id", "t1"},
    {"contact", "c1"},
    {"email", "ann@example.com"},
    {"subject", "It is broken"},
    {"body", "Please help"}};

json::object drafted(std::string body, double confidence = 0.5) {
    return {
        {"reply",
         {{"subject", "Re: It is broken"},
          {"body", body},
          {"confidence", confidence},
          {"needs_human", false}}},
        {"usage", {{"prompt_tokens", 10}, {"completion_tokens", 5}}},
        {"cost", 0.25}};
}

// A run that has come to its first draft.
CodeRun at_draft(json::object input = {}) {
    input["ticket_id"] = "t1";
    CodeRun run(workflow_of("csr"), input);
    EXPECT_EQ(run.open(), "fetch_ticket");
    run.complete("fetch_ticket", ticket);
    EXPECT_EQ(run.open(), "retrieve_context");
    EXPECT_EQ(run.input_of("retrieve_context").at("text"), "It is broken\nPlease help");
    run.complete("retrieve_context", {{"passages", json::array()}});
    EXPECT_EQ(run.open(), "draft_response");
    return run;
}

TEST(Csr, GoesFromTheTicketToItsEnd) {
    CodeRun run = at_draft();
    EXPECT_EQ(run.input_of("draft_response").at("ticket"), json::value(ticket));
    run.complete("draft_response", drafted("Turn it off and on"));
    ASSERT_EQ(run.open(), "human_review");
    EXPECT_EQ(run.step("human_review").config.at("data").at("body"), "Turn it off and on");
    EXPECT_EQ(run.step("human_review").config.at("due"), "7d");

    run.decide("human_review", {{"decision", "approved"}, {"by", "bob"}});
    ASSERT_EQ(run.open(), "send_response");
    EXPECT_EQ(run.input_of("send_response").at("to"), "ann@example.com");
    EXPECT_EQ(run.input_of("send_response").at("review").at("edited"), false);
    run.complete("send_response", {{"message_id", "m1"}});
    ASSERT_EQ(run.open(), "confirm_resolution");
    run.pass_time(std::chrono::hours(24 * 4));
    ASSERT_EQ(run.open(), "close_ticket");
    EXPECT_EQ(run.input_of("close_ticket").at("status"), "resolved");
    EXPECT_EQ(run.complete("close_ticket", nullptr), "step_completed run_completed");
    EXPECT_EQ(run.state.output.at("status"), "resolved");
    EXPECT_EQ(run.state.output.at("message_id"), "m1");
    EXPECT_EQ(run.state.output.at("spent"), (json::value{{"tokens", 15}, {"cost", 0.25}}));
    EXPECT_FALSE(plan::find_divergence(run.definition, run.plan, run.log));
}

TEST(Csr, AnEditedDraftIsSentAndKeptWithItsDiff) {
    CodeRun run = at_draft();
    run.complete("draft_response", drafted("Hello\nTurn it off"));
    const json::object edited{{"subject", "Re: It is broken"}, {"body", "Hello\nTurn it on"}};
    run.decide("human_review", {{"decision", "approved"}, {"by", "bob"}, {"data", edited}});
    const json::value sent = run.input_of("send_response");
    EXPECT_EQ(sent.at("body"), "Hello\nTurn it on");
    EXPECT_EQ(sent.at("review").at("edited"), true);
    EXPECT_EQ(sent.at("review").at("by"), "bob");
    EXPECT_EQ(
        sent.at("review").at("diff"),
        "  Re: It is broken\n  \n  Hello\n- Turn it off\n+ Turn it on\n"
    );
}

TEST(Csr, ARejectedDraftIsWrittenAgainThreeTimesAtMost) {
    CodeRun run = at_draft();
    run.complete("draft_response", drafted("one"));
    run.decide("human_review", {{"decision", "rejected"}, {"reason", "too short"}});
    ASSERT_EQ(run.open(), "draft_response#2");
    EXPECT_EQ(run.input_of("draft_response#2").at("feedback"), "too short");
    EXPECT_EQ(run.input_of("draft_response#2").at("previous").at("body"), "one");
    EXPECT_EQ(run.input_of("draft_response#2").at("spent").at("tokens"), 15);
    run.complete("draft_response#2", drafted("two"));
    run.decide("human_review#2", {{"decision", "rejected"}, {"reason", "no"}});
    run.complete("draft_response#3", drafted("three"));
    run.decide("human_review#3", {{"decision", "rejected"}, {"reason", "no"}});
    EXPECT_EQ(run.state.status, RunStatus::completed);
    EXPECT_EQ(run.state.output.at("status"), "handed_over");
}

TEST(Csr, AttemptsBeforeTheDraftCountAsSpent) {
    CodeRun run = at_draft();
    json::value draft = drafted("Turn it off and on");
    draft.as_object()["before"] = {{"tokens", 100}, {"cost", 0.5}};
    run.complete("draft_response", draft);
    run.decide("human_review", {{"decision", "rejected"}, {"by", "bob"}, {"reason", "no"}});
    EXPECT_EQ(
        run.input_of("draft_response#2").at("spent"), (json::value{{"tokens", 115}, {"cost", 0.75}})
    );
}

TEST(Csr, ReviewIsOptional) {
    CodeRun never = at_draft({{"review", "never"}});
    never.complete("draft_response", drafted("x", 0.1));
    EXPECT_EQ(never.open(), "send_response");
    CodeRun sure = at_draft({{"review", "auto"}});
    sure.complete("draft_response", drafted("x", 0.9));
    EXPECT_EQ(sure.open(), "send_response");
    CodeRun unsure = at_draft({{"review", "auto"}});
    unsure.complete("draft_response", drafted("x", 0.7));
    EXPECT_EQ(unsure.open(), "human_review");
}

TEST(Csr, AReviewThatIsNotMadeEndsTheRun) {
    CodeRun run = at_draft({{"review_within", "1h"}});
    run.complete("draft_response", drafted("x"));
    run.pass_time(std::chrono::hours(2));
    EXPECT_EQ(run.state.output.at("status"), "review_timed_out");
}

TEST(Csr, ACustomerWhoIsNotHappyReopensTheTicket) {
    CodeRun run = at_draft({{"review", "never"}});
    run.complete("draft_response", drafted("x"));
    run.complete("send_response", {{"message_id", "m1"}});
    run.feed(plan::SignalReceived{
        7,
        "event",
        {{"name", "ticket.replied"},
         {"key", "t1"},
         {"token", run.step("confirm_resolution").token},
         {"data", {{"resolved", false}}}}});
    ASSERT_EQ(run.open(), "close_ticket");
    EXPECT_EQ(run.input_of("close_ticket").at("status"), "reopened");
}

TEST(DraftDiff, ShowsWhatWasChanged) {
    EXPECT_EQ(draft_diff("same", "same"), "");
    EXPECT_EQ(draft_diff("a\nb\nc", "a\nx\nc"), "  a\n- b\n+ x\n  c\n");
    EXPECT_EQ(draft_diff("", "new"), "+ new\n");
    const std::string many(2000, '\n');
    EXPECT_EQ(draft_diff(many, many + "x").find("+ x"), draft_diff(many, many + "x").size() - 4);
}

}  // namespace
}  // namespace pawl::workers
