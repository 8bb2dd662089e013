#include "api/problem.hpp"

#include "pg/error.hpp"

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

}  // namespace
}  // namespace pawl::api
