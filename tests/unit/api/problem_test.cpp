#include "api/http/problem.hpp"

#include "app/refusal.hpp"
#include "base/json.hpp"
#include "pg/pg_error.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(Problem, AnOutageDoesNotTellWhereTheDatabaseIs) {
    const pg::PgError lost(
        {.sqlstate = "", .message = "connection to server at \"10.0.0.5\", port 5432 failed"}
    );
    const Problem problem = to_problem(lost);
    EXPECT_EQ(problem.status, 503);
    EXPECT_EQ(problem.detail.find("10.0.0.5"), std::string::npos) << problem.detail;
    const Failure busy({Errc::timeout, "no database connection became free in time", {}});
    EXPECT_NE(to_problem(busy).detail.find("became free"), std::string::npos);
}

TEST(Problem, ARefusalIsAnsweredByItsCodeAndItsReason) {
    const Problem plain = to_problem(app::not_found("there is no run 7"));
    EXPECT_EQ(plain.status, 404);
    EXPECT_EQ(plain.code, "not_found");
    const Problem known = to_problem(app::refusal(Errc::conflict, "not_open", "it is not open"));
    EXPECT_EQ(known.status, 409);
    EXPECT_EQ(known.code, "not_open");
    EXPECT_TRUE(known.places.empty());
    const Problem wrong = to_problem(app::wrong_at("no step a", "/from", "is not a step"));
    EXPECT_EQ(wrong.status, 422);
    EXPECT_EQ(wrong.code, "validation_failed");
    ASSERT_EQ(wrong.places.size(), 1U);
    EXPECT_EQ(wrong.places[0].pointer, "/from");
    const Problem many = to_problem(app::refusal(Errc::unavailable, "too_many_starts", "wait"));
    EXPECT_EQ(many.status, 429);
    ASSERT_EQ(many.headers.size(), 1U);
    EXPECT_EQ(many.headers[0].name, "Retry-After");
}

TEST(Problem, ARefusalSaysWhatItsSentenceNames) {
    const Problem missing = to_problem(app::not_found("there is no run 7").with("run", "7"));
    EXPECT_EQ(missing.more.at("values"), (json::object{{"run", "7"}}));
    EXPECT_EQ(to_problem(app::not_found("there is nothing")).more.count("values"), 0U);
    // What the database says of an error is for the log.
    const Error inside{Errc::conflict, "twice", {{"query", "select 1"}}};
    EXPECT_TRUE(to_problem(inside).more.empty());
}

TEST(Problem, MissingInputTellsHowManyMorePlacesThereAre) {
    Error missing = app::refusal(Errc::invalid, "missing_input", "Missing required fields: a");
    missing.context.emplace_back("/data/a", "is missing");
    missing.context.emplace_back("/data/b/zip", "is missing");
    const Problem problem = to_problem(missing);
    EXPECT_EQ(problem.status, 422);
    EXPECT_EQ(problem.code, "validation_failed");
    EXPECT_EQ(problem.detail, "Missing required fields: a (and 1 more)");
    EXPECT_EQ(problem.places.size(), 2U);
}

// Text of the caller that is quoted would turn the rest of the sentence around.
TEST(Problem, WhatIsQuotedTurnsNothingAround) {
    const char* typed = "there is no run '\u202e\u2066x\u2028' \u00e9 \u200d";
    const Problem problem{404, "not_found", typed, {{"/\u202e", "", typed}}, {}};
    const std::string body = to_response(problem, "id").body;
    const auto document = parse_json(body).value().as_object();
    const std::string_view shown = "there is no run '\\u202e\\u2066x\\u2028' \u00e9 \u200d";
    EXPECT_EQ(document.at("detail").as_string(), shown);
    const auto& place = document.at("errors").as_array().at(0).as_object();
    EXPECT_EQ(place.at("detail").as_string(), shown);
    EXPECT_EQ(place.at("pointer").as_string(), "/\u202e") << "data stays as it is";
}

TEST(Problem, AnAnswerDoesNotGrowWithTheRequest) {
    Problem problem{422, "validation_failed", std::string(1 << 20, 'd'), {}, {}};
    const std::string key(100'000, 'k');
    for (int i = 0; i < 1000; ++i) problem.places.push_back({"/" + key, "", key});
    EXPECT_LT(to_response(problem, "id").body.size(), 70'000U);
}

}  // namespace
}  // namespace pawl::api
