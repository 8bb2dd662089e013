#include "cli/terminal/advice.hpp"

#include "pg/pg_error.hpp"

#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

std::string advice_for(const char* sqlstate) {
    return advice(pg::PgError({.sqlstate = sqlstate, .message = "no"}), "grant it");
}

TEST(Advice, IsAboutWhatTheDatabaseSaid) {
    EXPECT_NE(advice_for("53100").find("disk is full"), std::string::npos);
    EXPECT_NE(advice_for("25006").find("primary"), std::string::npos);
    EXPECT_NE(advice_for("55P03").find("lock"), std::string::npos);
    EXPECT_NE(advice_for("26000").find("--prepare off"), std::string::npos);
    EXPECT_NE(advice_for("").find("connection was lost"), std::string::npos);
    EXPECT_NE(advice_for("57P03").find("connection was lost"), std::string::npos);
}

TEST(Advice, IsTheUsualOneWhereThatDoesNotTell) {
    EXPECT_EQ(advice_for("42501"), "grant it");
    EXPECT_EQ(advice(Failure({Errc::internal, "no", {}}), "grant it"), "grant it");
}

}  // namespace
}  // namespace pawl::cli
