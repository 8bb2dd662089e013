// Which failures are tried again.
#include "graph_run.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

std::string retried(std::string_view policy, std::string code, ErrorClass kind) {
    GraphRun run(fmt::format("name: x\nmax_retries: 2\nsteps: [{{name: a, code: f, {}}}]", policy));
    run.fail("a", std::move(code), kind);
    return run.state.status == RunStatus::running ? "again" : run.status();
}

TEST(RetryRule, OneThatNamesTheErrorCountsForAPermanentOneToo) {
    const std::string_view named = "retry: [{errors: [http_404], attempts: 3}]";
    EXPECT_EQ(retried(named, "http_404", ErrorClass::permanent), "again");
    EXPECT_EQ(retried(named, "http_410", ErrorClass::permanent), "failed http_410");
    const std::string_view by_class = "retry: [{errors: [permanent], attempts: 3}]";
    EXPECT_EQ(retried(by_class, "http_410", ErrorClass::permanent), "again");
    const std::string_view any = "retry: [{errors: ['*'], attempts: 3}]";
    EXPECT_EQ(retried(any, "http_404", ErrorClass::permanent), "failed http_404");
    EXPECT_EQ(retried(any, "http_503", ErrorClass::retryable), "again");
    EXPECT_EQ(
        retried("retry: {attempts: 3}", "http_404", ErrorClass::permanent), "failed http_404"
    );
}

TEST(RetryRule, ItEndsWithItsAttempts) {
    GraphRun run("name: x\nsteps: [{name: a, code: f, retry: [{errors: [gone], attempts: 2}]}]");
    run.fail("a", "gone");
    run.now += 60;
    run.fail("a", "gone");
    EXPECT_EQ(run.status(), "failed gone");
}

TEST(RetryRule, OnFailureRetryTriesWhateverWentWrong) {
    EXPECT_EQ(retried("on_failure: retry", "http_400", ErrorClass::permanent), "again");
    EXPECT_EQ(retried("on_failure: retry", "http_503", ErrorClass::retryable), "again");
    EXPECT_EQ(retried("on_failure: abort", "http_503", ErrorClass::retryable), "failed http_503");
    GraphRun run("name: x\nmax_retries: 2\nsteps: [{name: a, code: f, on_failure: retry}]");
    for (int i = 0; i < 2; ++i) {
        run.fail("a", "no");
        run.now += 3600;
        EXPECT_EQ(run.status(), "running");
    }
    run.fail("a", "no");
    EXPECT_EQ(run.status(), "failed no");
    const auto definition = run.definition;
    EXPECT_EQ(definition_from_json(to_json(definition)).value(), definition);
}

json::object failed_child(json::object error) {
    return {{"token", 0}, {"run", "r1"}, {"status", "failed"}, {"error", std::move(error)}};
}

TEST(RetryRule, WhatFailedAChildReachesItsParent) {
    const json::object gone{{"class", "retryable"}, {"code", "http_503"}, {"message", "no"}};
    GraphRun run("name: x\nsteps: [{name: c, call: other}]");
    run.pend("c", {{"for", "child"}, {"run", "r1"}});
    run.signal("child", failed_child(gone));
    EXPECT_EQ(run.status(), "failed child_failed");
    EXPECT_EQ(run.state.error.at("cause").at("code"), "http_503");
    EXPECT_EQ(run.state.error.at("cause").at("class"), "retryable");
    GraphRun outer("name: y\nsteps: [{name: c, call: x}]");
    outer.pend("c", {{"for", "child"}, {"run", "r1"}});
    outer.signal("child", failed_child(run.state.error.get_object()));
    EXPECT_EQ(outer.state.error.at("cause").at("code"), "http_503") << "the step that failed first";
    for (const char* name : {"child_failed", "http_503", "retryable"}) {
        GraphRun again(fmt::format(
            "name: x\nsteps: [{{name: c, call: other, retry: [{{errors: [{}], attempts: 2}}]}}]",
            name
        ));
        again.pend("c", {{"for", "child"}, {"run", "r1"}});
        again.signal("child", failed_child(gone));
        EXPECT_EQ(again.status(), "running") << name;
    }
    GraphRun caught(
        "name: x\nnodes: [{id: c, call: other}, {id: b, code: f}]\n"
        "edges: [{from: c, to: b, handle: error.http_503}]"
    );
    caught.pend("c", {{"for", "child"}, {"run", "r1"}});
    caught.signal("child", failed_child(gone));
    EXPECT_EQ(caught.wanted(), "b");
}

TEST(RetryRule, ACallNamesAVersion) {
    const auto fine = [](std::string_view version) {
        return parse_definition(
                   fmt::format(
                       "name: x\nsteps: [{{name: c, call: {{workflow: y, version: {}}}}}]", version
                   )
        )
            .has_value();
    };
    EXPECT_TRUE(fine("3"));
    EXPECT_TRUE(fine("1.2.0"));
    EXPECT_FALSE(fine("0"));
    EXPECT_FALSE(fine("[]"));
    EXPECT_FALSE(fine("'{{ v }}'"));
}

}  // namespace
}  // namespace pawl::plan
