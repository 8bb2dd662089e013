#include "support/code_run.hpp"

#include <stdexcept>

namespace pawl {
namespace {

namespace json = boost::json;

// Charges, asks a person about large sums, and tells two people at once.
class Payment : public Workflow {
public:
    std::string id() const override { return "payment"; }
    std::string version() const override { return "1.0.0"; }
    std::vector<StepDef> steps() const override {
        return {
            {.name = "charge", .attempts = 2},
            {.name = "review", .type = "human", .config = {{"title", "A large sum"}}},
            {.name = "nap", .type = "wait"},
            {.name = "tell", .may_fail = true}};
    }
    Plan plan(const Run& run) const override {
        Plan next;
        const auto* charged = next.run_step(run, "charge", {{"sum", *find(run, "sum")}});
        if (charged == nullptr) return next;
        if (find(run, "sum")->to_number<int>() > 100) {
            const auto* review = next.step(run, "review", {{"due", "1h"}});
            if (review == nullptr) return next;
            if (review->outcome != "approved") {
                next.fail("not_approved", std::string(review->outcome));
                return next;
            }
        }
        const auto* first = next.run_step(run, "tell", "buyer", "buyer");
        const auto* second = next.run_step(run, "tell", "seller", "seller");
        if (first == nullptr || second == nullptr) return next;
        next.finish({{"told", 2 - (first->failed() ? 1 : 0) - (second->failed() ? 1 : 0)}});
        return next;
    }

protected:
    static const json::value* find(const Run& run, std::string_view key) {
        return run.input->as_object().if_contains(key);
    }
};

CodeRun paying(int sum) {
    return CodeRun(std::make_shared<Payment>(), {{"sum", sum}});
}

TEST(CodeWorkflow, StepsComeAsThePlanAsksForThem) {
    CodeRun run = paying(5);
    EXPECT_EQ(run.open(), "charge");
    EXPECT_EQ(run.input_of("charge"), (json::value{{"sum", 5}}));
    const auto wants = plan::wants(run.state, run.now);
    ASSERT_EQ(wants.steps.size(), 1u);
    const auto config = plan::render_config(
        run.definition, run.state, wants.steps[0].node, 0, wants.steps[0].token
    );
    EXPECT_EQ((*config)->at("function"), "charge");
    EXPECT_EQ((*config)->at("input").at("sum"), 5);

    EXPECT_EQ(run.complete("charge", "receipt"), "step_completed planned");
    EXPECT_EQ(run.open(), "tell#buyer tell#seller");
    EXPECT_EQ(run.complete("tell#seller", nullptr), "step_completed planned") << "nothing new";
    EXPECT_EQ(run.complete("tell#buyer", nullptr), "step_completed run_completed");
    EXPECT_EQ(run.state.output, (json::value{{"told", 2}}));
}

TEST(CodeWorkflow, WhatAPlanGivesIsNoTemplate) {
    CodeRun run(std::make_shared<Payment>(), {{"sum", 5}, {"secret", "x"}});
    run.state.planned[0].config["input"] = "{{ secret }}";
    const auto wants = plan::wants(run.state, run.now);
    const auto config = plan::render_config(
        run.definition, run.state, wants.steps[0].node, 0, wants.steps[0].token
    );
    EXPECT_EQ((*config)->at("input"), "{{ secret }}");
}

TEST(CodeWorkflow, RetriesAndFailuresFollowTheDeclaration) {
    CodeRun run = paying(5);
    EXPECT_EQ(run.fail("charge", ErrorClass::retryable), "step_failed");
    CodeRun permanent = paying(5);
    EXPECT_EQ(permanent.fail("charge", ErrorClass::permanent), "step_failed run_failed");
    CodeRun allowed = paying(5);
    allowed.complete("charge", 1);
    allowed.complete("tell#buyer", 1);
    EXPECT_EQ(allowed.fail("tell#seller", ErrorClass::permanent), "step_failed run_completed")
        << "it may fail: the plan goes on";
    EXPECT_EQ(allowed.state.output, (json::value{{"told", 1}}));
}

TEST(CodeWorkflow, APersonDecidesAndThePlanSeesHow) {
    CodeRun run = paying(500);
    EXPECT_EQ(run.complete("charge", 1), "step_completed planned wait_started");
    EXPECT_EQ(
        run.decide("review", {{"decision", "approved"}, {"by", "ann"}}),
        "signal_received node_passed planned"
    );
    EXPECT_EQ(run.open(), "tell#buyer tell#seller");

    CodeRun refused = paying(500);
    refused.complete("charge", 1);
    EXPECT_EQ(
        refused.decide("review", {{"decision", "rejected"}}),
        "signal_received node_passed run_failed"
    );
    EXPECT_EQ(refused.state.error.at("code"), "not_approved");

    CodeRun late = paying(500);
    late.complete("charge", 1);
    EXPECT_EQ(late.pass_time(std::chrono::hours(2)), "node_passed run_failed");
    EXPECT_EQ(late.state.error.at("message"), "timeout");
}

TEST(CodeWorkflow, TheFoldNeedsNoPlan) {
    CodeRun run = paying(500);
    run.complete("charge", 1);
    run.decide("review", {{"decision", "approved"}});
    EXPECT_EQ(plan::fold(run.definition, run.log), run.state);
    EXPECT_FALSE(plan::find_divergence(run.definition, run.plan, run.log));
}

class Changed : public Payment {
public:
    Plan plan(const Run& run) const override {
        Plan next;
        if (next.run_step(run, "charge", {{"sum", 6}}) == nullptr) return next;
        next.run_step(run, "tell", "unknown");
        return next;
    }
};

TEST(CodeWorkflow, APlanThatDiffersFromTheLogIsReported) {
    CodeRun run = paying(5);
    run.complete("charge", 1);
    const embed::WorkflowPlan changed(std::make_shared<Changed>());
    const auto hold = plan::find_divergence(run.definition, changed, run.log);
    ASSERT_TRUE(hold);
    EXPECT_EQ(hold->code, "plan_differs");
    EXPECT_EQ(hold->reason, "at event 1 the plan gives other values to charge now");
    EXPECT_EQ(hold->details.at("seq"), 1);

    EXPECT_EQ(run.feed(plan::HoldRequested{*hold}), "run_paused");
    EXPECT_TRUE(plan::wants(run.state, run.now).steps.empty()) << "held, not failed";
    EXPECT_EQ(plan::fold(run.definition, run.log), run.state);
}

class Throwing : public Payment {
public:
    Plan plan(const Run& run) const override {
        if (run.find("charge") == nullptr) return Payment::plan(run);
        throw std::runtime_error("a bug");
    }
};

TEST(CodeWorkflow, APlanThatThrowsHoldsTheRunUntilItIsResumed) {
    CodeRun run(std::make_shared<Throwing>(), {{"sum", 5}});
    EXPECT_EQ(run.complete("charge", 1), "step_completed run_paused");
    EXPECT_EQ(run.state.held->code, "plan_failed");
    EXPECT_EQ(run.state.status, RunStatus::running);
    EXPECT_EQ(run.feed(plan::SignalReceived{1, "resume", {}}), "run_resumed run_paused");
}

class Undeclared : public Payment {
public:
    Plan plan(const Run& run) const override {
        Plan next;
        next.run_step(run, "refund", 1);
        return next;
    }
};

TEST(CodeWorkflow, AStepThatIsNotDeclaredHoldsTheRun) {
    CodeRun run(std::make_shared<Undeclared>());
    EXPECT_TRUE(run.state.paused);
    EXPECT_EQ(run.state.held->code, "plan_invalid");
}

TEST(CodeWorkflow, DefinitionsOfCodeAreChecked) {
    EXPECT_FALSE(parse_definition("{name: x, code: one, nodes: [{id: a, type: code}]}"));
    EXPECT_FALSE(parse_definition("{name: x, code: 1.0.0, nodes: [{id: a, type: condition}]}"));
    EXPECT_FALSE(
        parse_definition("{name: x, code: 1.0.0, nodes: [{id: a, type: code}, {id: b, type: code}],"
                         " edges: [{from: a, to: b}]}")
    );
    const auto good = parse_definition("{name: x, code: 1.0.0, nodes: [{id: a, type: human}]}");
    ASSERT_TRUE(good) << good.error().message;
    EXPECT_EQ(*definition_from_json(to_json(*good)), *good);
}

}  // namespace
}  // namespace pawl
