#include "api/http/router.hpp"

#include "api/http/openapi.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

Router sample() {
    Router router;
    for (const auto& [method, pattern] : std::vector<std::pair<std::string, std::string>>{
             {"GET", "/v1/runs"},
             {"POST", "/v1/runs"},
             {"GET", "/v1/runs/{id}"},
             {"POST", "/v1/runs/batch"},
             {"GET", "/approve/{token}"},
             {"GET", "/approve/help"},
             {"POST", "/functions/v1/{name}"},
             {"POST", "/functions/v1/workflow-enqueue"}}) {
        router.add({method, pattern, Scope::runs_read, {}, {}});
    }
    return router;
}

TEST(Router, FindsTheRouteAndItsNames) {
    const Router router = sample();
    const Match match = router.match("GET", {"v1", "runs", "a b"});
    ASSERT_NE(match.route, nullptr);
    EXPECT_EQ(match.route->pattern, "/v1/runs/{id}");
    EXPECT_EQ(match.params, std::vector<std::string>{"a b"});
}

TEST(Router, FindsNamesInTheSecondSegment) {
    const Router router = sample();
    const Match named = router.match("GET", {"approve", "runs"});
    ASSERT_NE(named.route, nullptr);
    EXPECT_EQ(named.route->pattern, "/approve/{token}");
    const Match literal = router.match("GET", {"approve", "help"});
    ASSERT_NE(literal.route, nullptr);
    EXPECT_EQ(literal.route->pattern, "/approve/help");
}

TEST(Router, AnswersHeadLikeGet) {
    const Router router = sample();
    const Match match = router.match("HEAD", {"v1", "runs"});
    ASSERT_NE(match.route, nullptr);
    EXPECT_EQ(match.route->method, "GET");
}

TEST(Router, PrefersTheWordToTheName) {
    const Router router = sample();
    const Match own = router.match("POST", {"functions", "v1", "workflow-enqueue"});
    ASSERT_NE(own.route, nullptr);
    EXPECT_EQ(own.route->pattern, "/functions/v1/workflow-enqueue");
    const Match other = router.match("POST", {"functions", "v1", "send-email"});
    ASSERT_NE(other.route, nullptr);
    EXPECT_EQ(other.route->pattern, "/functions/v1/{name}");
}

TEST(Router, SaysWhichMethodsAPathHas) {
    const Router router = sample();
    const Match match = router.match("DELETE", {"v1", "runs"});
    EXPECT_EQ(match.route, nullptr);
    EXPECT_EQ(match.allowed, (std::vector<std::string>{"GET", "POST"}));
    ASSERT_NE(match.other, nullptr);
}

TEST(Router, KnowsNothingElse) {
    const Router router = sample();
    for (const std::vector<std::string>& path : std::vector<std::vector<std::string>>{
             {}, {""}, {"v1"}, {"v1", "runs", ""}, {"v1", "runs", "a", "b"}, {"V1", "runs"}}) {
        const Match match = router.match("GET", path);
        EXPECT_EQ(match.route, nullptr);
        EXPECT_TRUE(match.allowed.empty());
    }
}

// What is served must be what is described; tests/api checks the answers.
TEST(OpenApi, ReadsAsOneDocument) {
    const json::object& document = openapi();
    EXPECT_EQ(document.at("openapi"), "3.1.0");
    const json::object& paths = document.at("paths").as_object();
    EXPECT_TRUE(paths.contains("/v1/runs"));
    EXPECT_TRUE(paths.contains("/v1/workflows/{name}/activate"));
    const json::object& schemas = document.at("components").at("schemas").as_object();
    EXPECT_TRUE(schemas.contains("Run"));
    EXPECT_TRUE(document.at("components").as_object().contains("parameters"));
    for (const auto& [path, item] : paths) {
        for (const auto& [method, operation] : item.as_object()) {
            if (method == "parameters") continue;
            EXPECT_TRUE(operation.as_object().contains("x-scope")) << path << " " << method;
        }
    }
}

}  // namespace
}  // namespace pawl::api
