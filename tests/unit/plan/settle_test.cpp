#include "plan/settle.hpp"

#include "graph_run.hpp"
#include "model/message_id.hpp"
#include "plan/why.hpp"

namespace pawl::plan {
namespace {

constexpr std::string_view charge = R"(
name: x
steps:
- {name: charge, http: {url: "http://p/", method: POST}, retry: {attempts: 2}}
- {name: ship, code: f}
)";

std::string explained(const GraphRun& run) {
    return sentence_of(why(run.definition, run.state, {true, 1, "R"}, at(run.now)));
}

std::string settled(GraphRun& run, Settled as, json::value data = nullptr) {
    SettleRequest request{"charge", as, std::move(data), "looked", "ann"};
    auto settlement = settle(run.definition, run.state, request);
    if (!settlement.sentence.empty()) return settlement.sentence;
    run.signal("callback", std::move(settlement.signal));
    return run.wanted();
}

TEST(Settle, AnUnknownOutcomeWaitsToBeSettled) {
    GraphRun run(charge);
    EXPECT_EQ(run.fail("charge", "timeout", ErrorClass::ambiguous), "wait_started");
    EXPECT_EQ(run.wanted(), "");
    EXPECT_EQ(run.status(), "running");
    EXPECT_EQ(
        explained(run), "The outcome of 'charge' is unknown (it broke): it may have taken place."
    );
    run.pass_time(1e6);
    EXPECT_EQ(run.status(), "running");
    EXPECT_EQ(settled(run, Settled::completed, {{"id", "ch_1"}}), "ship");
    EXPECT_EQ(
        settled(run, Settled::completed), "the run is not at the step 'charge' now; it is at ship"
    );
}

TEST(Settle, ItMayBeTriedAgain) {
    GraphRun run(charge);
    run.fail("charge", "timeout", ErrorClass::ambiguous);
    EXPECT_EQ(settled(run, Settled::retry), "");
    run.pass_time(60);
    EXPECT_EQ(run.wanted(), "charge");
    EXPECT_EQ(run.token_at("charge")->attempt, 2);
    EXPECT_EQ(settled(run, Settled::completed), "the outcome of 'charge' is not unknown");
    EXPECT_EQ(run.fail("charge", "timeout", ErrorClass::ambiguous), "wait_started");
    EXPECT_EQ(settled(run, Settled::failed), "");
    EXPECT_EQ(run.status(), "failed settled");
}

TEST(Settle, SettlingFailsOrTriesAgainAtOnce) {
    GraphRun fails(
        "name: x\nsteps: [{name: charge, http: {url: 'http://p/', method: POST}, "
        "retry: {ambiguous: fail}}]"
    );
    fails.fail("charge", "timeout", ErrorClass::ambiguous);
    EXPECT_EQ(fails.status(), "failed timeout");
    GraphRun again("name: x\nsteps: [{name: charge, http: {url: 'http://p/'}}]");
    EXPECT_EQ(again.fail("charge", "timeout", ErrorClass::ambiguous), "step_failed");
    ASSERT_NE(again.token_at("charge"), nullptr);
    EXPECT_EQ(again.token_at("charge")->attempt, 2);
    GraphRun caught(
        "name: x\nnodes: [{id: charge, http: {url: 'http://p/', method: POST}}, {id: look, code: "
        "f}]\n"
        "edges: [{from: charge, to: look, handle: error.ambiguous}]"
    );
    caught.fail("charge", "timeout", ErrorClass::ambiguous);
    EXPECT_EQ(caught.wanted(), "look") << "the graph knows what to do";
}

TEST(Settle, SettlingMayTryAgainWhateverThePolicySays) {
    for (const char* policy :
         {"retry: {attempts: 1, ambiguous: settle}",
          "on_failure: abort",
          "retry: [{errors: [http_503], attempts: 3}]"}) {
        GraphRun run(fmt::format(
            "name: x\nsteps: [{{name: charge, http: {{url: 'http://p/', method: POST}}, "
            "{}}}]",
            policy
        ));
        EXPECT_EQ(run.fail("charge", "timeout", ErrorClass::ambiguous), "wait_started") << policy;
        EXPECT_EQ(settled(run, Settled::retry), "");
        EXPECT_EQ(run.status(), "running") << policy;
        run.pass_time(60);
        EXPECT_EQ(run.wanted(), "charge") << policy;
    }
}

TEST(Settle, AWordAboutOneAttemptIsNoneAboutTheNext) {
    GraphRun run(charge);
    run.fail("charge", "timeout", ErrorClass::ambiguous);
    // Two people have looked.
    const SettleRequest request{"charge", Settled::retry, nullptr, "looked", "ann"};
    auto first = settle(run.definition, run.state, request);
    auto second =
        settle(run.definition, run.state, {"charge", Settled::failed, nullptr, "", "bob"});
    run.signal("callback", std::move(first.signal));
    run.signal("callback", std::move(second.signal));
    run.pass_time(60);
    EXPECT_EQ(run.wanted(), "charge");
    EXPECT_EQ(run.fail("charge", "timeout", ErrorClass::ambiguous), "wait_started");
    EXPECT_EQ(run.status(), "running") << "the second attempt is not settled";
    EXPECT_EQ(settled(run, Settled::completed, 1), "ship");
}

TEST(Settle, AnItemOfAForeachWaitsAsWell) {
    GraphRun run(
        "name: x\nnodes: [{id: all, foreach: {items: [1, 2]}}, "
        "{id: charge, http: {url: 'http://p/', method: POST}}, {id: ship, code: f}]\n"
        "edges: [{from: all, to: charge, handle: each}, {from: all, to: ship}]"
    );
    EXPECT_EQ(run.wanted(), "charge charge");
    EXPECT_EQ(run.fail("charge", "timeout", ErrorClass::ambiguous), "wait_started");
    run.complete("charge", 1);
    EXPECT_EQ(settled(run, Settled::completed, 2), "charge");
    run.complete("charge", 1);
    EXPECT_EQ(run.wanted(), "ship");
}

TEST(Settle, AMessageSettlesTheItemThatSentIt) {
    GraphRun run(
        "name: x\nnodes: [{id: all, foreach: {items: [1, 2]}}, "
        "{id: send, message: {channel: sms, text: Hi}}, {id: ship, code: f}]\n"
        "edges: [{from: all, to: send, handle: each}, {from: all, to: ship}]"
    );
    const auto steps = wants(run.state, at(run.now)).steps;
    ASSERT_EQ(steps.size(), 2u);
    const auto message = [&](const ExecuteStep& step) {
        return message_id(idempotency_key("R", run.definition, step));
    };
    for (const ExecuteStep& step : steps) {
        StepFinished finished;
        finished.token = step.token;
        finished.attempt = step.attempt;
        finished.error = StepError{ErrorClass::ambiguous, "interrupted", "?", std::nullopt};
        run.feed(std::move(finished));
    }
    EXPECT_EQ(run.wanted(), "");
    const auto settle_by = [&](Uuid id) {
        json::object sent{{"state", "sent"}};
        SettleRequest request{"send", Settled::completed, std::move(sent), "", "", id, "R"};
        return settle(run.definition, run.state, request);
    };
    const auto done_with = [&](const ExecuteStep& step) {
        return is_done_with(run.definition, run.state, message(step), "R");
    };
    EXPECT_FALSE(done_with(steps[0]) || done_with(steps[1]));
    // A person names the node: whichever waits first, with the message that it may have sent.
    const SettleRequest by_node{"send", Settled::completed, {}, "", "", {}, "R"};
    EXPECT_EQ(settle(run.definition, run.state, by_node).message, message(steps[0]));
    auto second = settle_by(message(steps[1]));
    EXPECT_EQ(second.signal.at("token"), std::int64_t{steps[1].token});
    run.signal("callback", std::move(second.signal));
    EXPECT_EQ(settle_by(message(steps[1])).sentence, "the outcome of 'send' is not unknown");
    EXPECT_TRUE(done_with(steps[1]) && !done_with(steps[0]));
    auto first = settle_by(message(steps[0]));
    EXPECT_EQ(first.signal.at("token"), std::int64_t{steps[0].token});
    run.signal("callback", std::move(first.signal));
    EXPECT_EQ(run.wanted(), "ship");
}

TEST(Settle, AMessageThatMayHaveBeenSentHasNotFailedYet) {
    GraphRun run(
        "name: x\nnodes: [{id: send, message: {channel: sms, text: Hi}}, {id: call, code: f}]\n"
        "edges: [{from: send, to: call, handle: failed}]"
    );
    EXPECT_EQ(run.fail("send", "interrupted", ErrorClass::ambiguous), "wait_started");
    EXPECT_EQ(run.wanted(), "");
    auto settlement = settle(run.definition, run.state, {"send", Settled::failed, {}, "", ""});
    run.signal("callback", std::move(settlement.signal));
    EXPECT_EQ(run.wanted(), "call");
}

// What is found out about a message is of no use to a run that goes on without it.
TEST(Settle, ARunIsDoneWithAMessageOnceItsStepHasEnded) {
    const std::string_view sends =
        "name: x\nsteps: [{name: send, message: {channel: sms, text: Hi}, retry: {attempts: 2}}, "
        "{name: ship, code: f}]";
    GraphRun first(sends);
    const ExecuteStep step = wants(first.state, at(first.now)).steps.at(0);
    const Uuid message = message_id(idempotency_key("R", first.definition, step));
    const auto is_done = [&](const GraphRun& run) {
        return is_done_with(run.definition, run.state, message, "R");
    };
    for (const Settled as : {Settled::completed, Settled::failed, Settled::retry}) {
        GraphRun run(sends);
        EXPECT_FALSE(is_done(run)) << "it is being sent";
        run.fail("send", "interrupted", ErrorClass::ambiguous);
        EXPECT_FALSE(is_done(run)) << "its outcome is unknown";
        auto settlement = settle(run.definition, run.state, {"send", as, {}, "", "ann"});
        run.signal("callback", std::move(settlement.signal));
        EXPECT_EQ(is_done(run), as != Settled::retry) << run.status();
    }
    first.fail("send", "interrupted", ErrorClass::ambiguous);
    first.signal("cancel", {});
    EXPECT_EQ(first.status(), "cancelled");
    EXPECT_TRUE(is_done(first));
}

TEST(Settle, AStepThatIsHeldBackLosesNoAttempt) {
    GraphRun run(charge);
    for (int i = 0; i < 5; ++i) {
        const double until = run.now + 30;
        json::object wait{
            {"for", "target"}, {"target", "http://p"}, {"reason", "http://p: broken"}};
        wait["until"] = at(until).time_since_epoch().count();
        EXPECT_EQ(run.pend("charge", std::move(wait)), "wait_started");
        EXPECT_EQ(run.wanted(), "");
        EXPECT_EQ(wants(run.state, at(run.now)).wake_at, at(until));
        EXPECT_NE(
            explained(run).find("held back before attempt 1: http://p: broken"), std::string::npos
        );
        run.pass_time(30);
        EXPECT_EQ(run.wanted(), "charge");
        EXPECT_EQ(run.token_at("charge")->attempt, 1);
    }
    run.complete("charge", 1);
    run.complete("ship", 2);
    EXPECT_EQ(run.status(), "completed 2");
    EXPECT_FALSE(run.state.has_waited);
}

// After an hour without its provider, a message goes out when its account has its turn.
TEST(Settle, ATargetThatIsBackIsWaitedForNoLongerThanItsLimitSays) {
    GraphRun run(charge);
    const auto held_for = [&](bool limit) {
        json::object wait{{"for", "target"}, {"target", "http://p"}, {"reason", "later"}};
        if (limit) wait["limit"] = true;
        wait["until"] = at(run.now + 1).time_since_epoch().count();
        run.pend("charge", std::move(wait));
        const Duration held = wants(run.state, at(run.now)).wake_at.value() - at(run.now);
        run.pass_time(600);
        return held / std::chrono::seconds(1);
    };
    for (int i = 0; i < 12; ++i) held_for(false);
    EXPECT_EQ(held_for(true), 1);
    EXPECT_EQ(held_for(true), 2);
    EXPECT_EQ(held_for(true), 4);
    EXPECT_EQ(held_for(false), 1) << "it is gone once more";
}

TEST(Settle, WhatIsHeldBackAgainAndAgainSaysSoLessAndLessOften) {
    GraphRun run(charge);
    for (const int seconds : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600}) {
        json::object wait{{"for", "target"}, {"target", "http://p"}, {"reason", "broken"}};
        wait["until"] = at(run.now + 1).time_since_epoch().count();
        EXPECT_EQ(run.pend("charge", std::move(wait)), "wait_started");
        EXPECT_EQ(wants(run.state, at(run.now)).wake_at, at(run.now + seconds));
        run.pass_time(seconds);
    }
    run.fail("charge", "http_503", ErrorClass::retryable);
    run.pass_time(60);
    json::object wait{{"for", "target"}, {"target", "http://p"}, {"reason", "broken"}};
    wait["until"] = at(run.now + 1).time_since_epoch().count();
    run.pend("charge", std::move(wait));
    EXPECT_EQ(wants(run.state, at(run.now)).wake_at, at(run.now + 1)) << "another attempt";
}

}  // namespace
}  // namespace pawl::plan
