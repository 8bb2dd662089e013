#include "engine/observe/metrics.hpp"

#include "base/json.hpp"
#include "steps/call_targets.hpp"

#include <gtest/gtest.h>

namespace pawl::engine {
namespace {

bool has(const Metrics& metrics, const std::string& line) {
    return metrics.text().find(line + "\n") != std::string::npos;
}

TEST(Metrics, CountWorkflowsUpToALimit) {
    Metrics metrics;
    for (int i = 0; i < 250; ++i) metrics.of("w" + std::to_string(i)).runs_started(1);
    metrics.of("w0").runs_started(2);
    EXPECT_TRUE(has(metrics, "pawl_runs_started_total{workflow=\"w0\"} 3"));
    EXPECT_TRUE(has(metrics, "pawl_runs_started_total{workflow=\"(others)\"} 50"));
    EXPECT_FALSE(has(metrics, "pawl_runs_started_total{workflow=\"w249\"} 1"));
}

TEST(Metrics, OfWorkersOfAProcessAddUp) {
    Metrics metrics;
    const int one = 1;
    const int other = 2;
    metrics.holding(&one, 10, 1);
    metrics.holding(&other, 5, 2);
    metrics.holding(&one, 7, 0);
    EXPECT_TRUE(has(metrics, "pawl_runs_held 12"));
    EXPECT_TRUE(has(metrics, "pawl_steps_executing 2"));
}

TEST(Metrics, CircuitsOfWorkersAddUpAndCountOnce) {
    Metrics metrics;
    const int one = 1;
    const int other = 2;
    metrics.circuits(&one, {{"http://a", true, 1}});
    metrics.circuits(&one, {{"http://a", true, 1}});
    metrics.circuits(&other, {{"http://a", true, 2}, {"http://b", false, 1}});
    EXPECT_TRUE(has(metrics, "pawl_circuits_open{target=\"http://a\"} 2"));
    EXPECT_TRUE(has(metrics, "pawl_circuits_opened_total{target=\"http://a\"} 3"));
    EXPECT_TRUE(has(metrics, "pawl_circuits_open{target=\"http://b\"} 0"));
    // Forgotten by one, and broken again.
    metrics.circuits(&other, {});
    EXPECT_TRUE(has(metrics, "pawl_circuits_open{target=\"http://a\"} 1"));
    metrics.circuits(&other, {{"http://a", true, 1}});
    EXPECT_TRUE(has(metrics, "pawl_circuits_opened_total{target=\"http://a\"} 4"));
    std::vector<steps::CircuitView> many;
    for (int i = 0; i < 150; ++i) many.push_back({"http://x" + std::to_string(i), true, 1});
    metrics.circuits(&one, many);
    EXPECT_TRUE(has(metrics, "pawl_circuits_open{target=\"(others)\"} 52"));
}

TEST(Metrics, HaveTheDocumentsNamesToo) {
    Metrics metrics;
    auto& counters = metrics.of("csr");
    counters.step_ended(NodeType::http, StepEnd::completed);
    counters.step_ended(NodeType::http, StepEnd::retried);
    counters.step_ended(NodeType::http, StepEnd::failed);
    counters.step_ended(NodeType::http, StepEnd::postponed);
    metrics.step_took(NodeType::http, std::chrono::milliseconds(3));
    metrics.retry_in(std::chrono::seconds(2));
    EXPECT_TRUE(has(metrics, "workflow_steps_executed_total{type=\"http\",workflow=\"csr\"} 4"));
    EXPECT_TRUE(has(metrics, "workflow_steps_failed_total{type=\"http\",workflow=\"csr\"} 2"));
    EXPECT_TRUE(has(metrics, "step_execution_latency_seconds_count{type=\"http\"} 1"));
    EXPECT_TRUE(has(metrics, "step_retry_delay_seconds_bucket{le=\"2.5\"} 1"));
}

TEST(Metrics, ShowTheDatabasesFiguresAndLeaveOutWhatTheyDoNotKnow) {
    Metrics metrics;
    metrics.figures(parse_json(R"([["pawl_ready_runs", null, 3],
        ["pawl_queue_messages", {"queue": "a\"b"}, 4], ["pawl_from_the_future", null, 1],
        ["pawl_workers", null, null], "x", ["pawl_workers"]])")
                        .value());
    EXPECT_TRUE(has(metrics, "pawl_ready_runs 3"));
    EXPECT_TRUE(has(metrics, "workflow_steps_pending 3"));
    EXPECT_TRUE(has(metrics, R"(pawl_queue_messages{queue="a\"b"} 4)"));
    EXPECT_EQ(metrics.text().find("future"), std::string::npos);
    metrics.figures(parse_json(R"([["pawl_figures_age_seconds", null, 40]])").value());
    EXPECT_NE(metrics.text().find("\npawl_figures_age_seconds 40"), std::string::npos);
    metrics.figures(parse_json("[]").value());
    EXPECT_FALSE(has(metrics, "pawl_ready_runs 3"));
    EXPECT_TRUE(has(metrics, "# TYPE pawl_ready_runs gauge"));
    EXPECT_TRUE(has(metrics, "# TYPE pawl_database_commits_total counter"));
}

}  // namespace
}  // namespace pawl::engine
