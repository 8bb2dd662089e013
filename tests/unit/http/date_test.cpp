#include "http/date.hpp"

#include <gtest/gtest.h>

namespace pawl::http {
namespace {

using namespace std::chrono_literals;

constexpr Instant then = Instant(784111777s);

TEST(HttpDate, WritesTheFixedForm) {
    EXPECT_EQ(format_date(then + 999ms), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(format_date(Instant(0s)), "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST(HttpDate, ReadsAllThreeForms) {
    EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT"), then);
    EXPECT_EQ(parse_date("Sunday, 06-Nov-94 08:49:37 GMT"), then);
    EXPECT_EQ(parse_date("Sun Nov  6 08:49:37 1994"), then);
    EXPECT_EQ(parse_date("Sun, 06 Nov 1994 08:49:37 GMT+1"), std::nullopt);
    EXPECT_EQ(parse_date("tomorrow"), std::nullopt);
}

TEST(HttpDate, RetryAfter) {
    EXPECT_EQ(parse_retry_after("0", then), 0s);
    EXPECT_EQ(find_retry_after({{"retry-AFTER", "120"}}, then), 120s);
    EXPECT_EQ(find_retry_after({{"Retry", "120"}}, then), std::nullopt);
    EXPECT_EQ(parse_retry_after("120", then), 120s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:50:07 GMT", then), 30s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:00:00 GMT", then), 0s) << "in the past";
    EXPECT_EQ(parse_retry_after("99999999", then), 24h);
    EXPECT_EQ(parse_retry_after("99999999999999999999999", then), 24h);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 2994 08:50:07 GMT", then), 24h);
    for (const char* text : {"", "-5", "1.5", "soon", "5 s"}) {
        EXPECT_EQ(parse_retry_after(text, then), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace pawl::http
