#include "engine/start/start_request.hpp"
#include "plan/crossing.hpp"
#include "support/code_run.hpp"

// C++ workflows from one version to another.
namespace pawl {
namespace {

namespace json = boost::json;

// Packs, then waits.
class Parcel : public Workflow {
public:
    explicit Parcel(std::string version, std::vector<std::string> before = {})
        : version_(std::move(version)), before_(std::move(before)) {}
    std::string id() const override { return "parcel"; }
    std::string version() const override { return version_; }
    std::vector<StepDef> steps() const override {
        std::vector<StepDef> steps;
        for (const std::string& name : before_) steps.push_back({.name = name});
        steps.push_back({.name = "pack"});
        steps.push_back({.name = "rest", .type = "wait"});
        return steps;
    }
    Plan plan(const Run& run) const override {
        Plan next;
        if (next.run_step(run, "pack", 1) != nullptr) next.step(run, "rest", {{"signal", "go"}});
        return next;
    }

private:
    std::string version_;
    std::vector<std::string> before_;
};

CodeRun waiting(std::string version, std::vector<std::string> before = {}) {
    CodeRun run(std::make_shared<Parcel>(std::move(version), std::move(before)));
    run.complete("pack", "done");
    return run;
}

Definition version_of(std::string version, std::vector<std::string> before = {}) {
    return embed::definition_of(Parcel(std::move(version), std::move(before))).value();
}

std::vector<std::string> names(const Definition& definition, const plan::RunState& state) {
    std::vector<std::string> names;
    for (const StepView& step : embed::run_view(definition, state).steps) {
        names.emplace_back(step.name);
    }
    return names;
}

TEST(CodeCrossing, AnotherPlanIsNeverUnaffected) {
    const CodeRun run = waiting("1.0.0");
    const Definition to = version_of("1.1.0");
    const auto verdict = plan::Crossing(run.definition, to, {}).judge(run.state);
    EXPECT_EQ(verdict.impact, plan::Impact::moves_on);
    EXPECT_EQ(verdict.reason, "what comes next is up to the plan of 1.1.0 then");
}

TEST(CodeCrossing, WhatThePlanAskedForKeepsItsName) {
    const CodeRun run = waiting("1.0.0", {"label"});
    const Definition to = version_of("1.1.0");
    plan::RunState state = run.state;
    ASSERT_FALSE(plan::Crossing(run.definition, to, {}).carry(state));
    EXPECT_EQ(names(to, state), (std::vector<std::string>{"pack", "rest"}));
}

TEST(CodeCrossing, AStepThatIsGoneHasNoName) {
    const CodeRun run = waiting("1.0.0");
    Definition to = version_of("1.1.0");
    to.nodes.erase(to.nodes.begin());
    plan::RunState state = run.state;
    ASSERT_FALSE(plan::Crossing(run.definition, to, {}).carry(state));
    EXPECT_EQ(names(to, state), (std::vector<std::string>{"", "rest"}));
}

TEST(CodeCrossing, NothingMovesBetweenAGraphAndCode) {
    const CodeRun run = waiting("1.0.0");
    Definition graph = run.definition;
    graph.code.clear();
    const auto to_graph = plan::Crossing(run.definition, graph, {}).judge(run.state);
    EXPECT_EQ(to_graph.impact, plan::Impact::would_break);
    EXPECT_EQ(to_graph.reason, "its version is in C++, and the new one is a graph");
    const auto to_code = plan::Crossing(graph, run.definition, {}).judge(run.state);
    EXPECT_EQ(to_code.impact, plan::Impact::would_break);
    EXPECT_EQ(to_code.reason, "its version is a graph, and the new one is in C++");
}

TEST(CodeRunStart, IsTheSameInEveryFoldOfTheLog) {
    engine::Program program;
    program.definition = version_of("1.0.0");
    engine::StartRequest request;
    request.program = std::make_shared<const engine::Program>(program);
    request.input = json::object();
    const Instant begun{std::chrono::milliseconds(1'700'000'000'123)};
    const RunId id{make_uuid7(1'700'000'000'123, 1, 1)};
    std::vector<Event> log(1);
    log[0].data = engine::to_new_run(id, std::move(request)).data;
    // The worker that started it knows the time only nearly; the database has its own.
    for (const auto late : {std::chrono::milliseconds(3), std::chrono::milliseconds(5)}) {
        log[0].at = begun + late;
        const auto state = plan::fold(program.definition, log);
        EXPECT_EQ(embed::run_view(program.definition, state).started_at, begun);
        EXPECT_EQ(state.started_at, log[0].at);
    }
}

}  // namespace
}  // namespace pawl
