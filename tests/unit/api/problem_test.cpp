#include "api/http/problem.hpp"

#include "pg/pg_error.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(Problem, an_outage_does_not_tell_where_the_database_is) {
    const pg::PgError lost(
        {.sqlstate = "", .message = "connection to server at \"10.0.0.5\", port 5432 failed"}
    );
    const Problem problem = to_problem(lost);
    EXPECT_EQ(problem.status, 503);
    EXPECT_EQ(problem.detail.find("10.0.0.5"), std::string::npos) << problem.detail;
    const Failure busy({Errc::timeout, "no database connection became free in time", {}});
    EXPECT_NE(to_problem(busy).detail.find("became free"), std::string::npos);
}

TEST(Problem, an_answer_does_not_grow_with_the_request) {
    Problem problem{422, "validation_failed", std::string(1 << 20, 'd'), {}, {}};
    const std::string key(100'000, 'k');
    for (int i = 0; i < 1000; ++i) problem.places.push_back({"/" + key, "", key});
    EXPECT_LT(to_response(problem, "id").body.size(), 70'000U);
}

}  // namespace
}  // namespace pawl::api
