#include "steps/sql.hpp"

#include "pg/pg_error.hpp"

#include <gtest/gtest.h>

namespace pawl::steps {
namespace {

std::string classified(const std::string& sqlstate) {
    const StepError error = classify_sql(pg::PgError({.sqlstate = sqlstate, .message = "m"}));
    return std::string(name(error.error_class)) + " " + error.code;
}

TEST(SqlStep, WhatAnErrorMeansForARetry) {
    EXPECT_EQ(classified("40001"), "retryable sql.40001");
    EXPECT_EQ(classified("40P01"), "retryable sql.40P01");
    EXPECT_EQ(classified("55P03"), "retryable sql.55P03");
    EXPECT_EQ(classified("57P01"), "retryable sql.57P01");
    EXPECT_EQ(classified("53300"), "retryable sql.53300");
    EXPECT_EQ(classified("08006"), "retryable sql.08006");
    EXPECT_EQ(classified(""), "retryable sql.08006");
    const pg::PgError lost(
        {.sqlstate = "", .message = "connection to server at \"10.0.0.5\" failed"}
    );
    EXPECT_EQ(classify_sql(lost).message.find("10.0.0.5"), std::string::npos);
    EXPECT_EQ(classified("57014"), "retryable timeout");
    EXPECT_EQ(classified("08P01"), "permanent sql.08P01");
    EXPECT_EQ(classified("23505"), "permanent sql.23505");
    EXPECT_EQ(classified("42601"), "permanent sql.42601");
    const StepError large = classify_sql(Failure({Errc::too_large, "more than 9 rows", {}}));
    EXPECT_EQ(large.code, "too_large");
    EXPECT_EQ(large.error_class, ErrorClass::permanent);
    EXPECT_EQ(
        classify_sql(Failure({Errc::timeout, "no connection", {}})).error_class,
        ErrorClass::retryable
    );
}

TEST(SqlStep, DetailsAndHintsAreTold) {
    const pg::PgError error(
        {.sqlstate = "23505", .message = "duplicate", .detail = "Key (a)=(1)", .hint = "try"}
    );
    EXPECT_EQ(classify_sql(error).message, "duplicate: Key (a)=(1) (try)");
}

TEST(SqlStep, TheFirstWordStandsBehindCommentsAndBrackets) {
    EXPECT_EQ(first_word("select 1"), "select");
    EXPECT_EQ(first_word(" \n\t(( SELECT 1))"), "select");
    EXPECT_EQ(first_word("-- begin\ninsert"), "insert");
    EXPECT_EQ(first_word("/* a /* nested */ begin */ update t"), "update");
    EXPECT_EQ(first_word("/**/--x\r\n/*-- */COMMIT"), "commit");
    EXPECT_EQ(first_word(";; commit"), "commit");
    EXPECT_EQ(first_word("/* never closed"), "");
    EXPECT_EQ(first_word("-- only"), "");
    EXPECT_EQ(first_word(""), "");
    EXPECT_EQ(first_word("commit;"), "commit");
    EXPECT_EQ(first_word("/"), "");
}

}  // namespace
}  // namespace pawl::steps
