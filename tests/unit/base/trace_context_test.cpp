#include "base/trace_context.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

const std::string good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceContext, IsReadAndWritten) {
    const auto context = parse_traceparent(good);
    ASSERT_TRUE(context);
    EXPECT_TRUE(context->sampled);
    EXPECT_EQ(to_hex(context->trace), "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(to_hex(context->span), "00f067aa0ba902b7");
    EXPECT_EQ(to_traceparent(*context), good);
    EXPECT_FALSE(parse_traceparent(good.substr(0, 53) + "00")->sampled);
}

TEST(TraceContext, OfALaterVersionIsReadAsFarAsKnown) {
    const auto context = parse_traceparent("cc" + good.substr(2) + "-what-comes-later");
    ASSERT_TRUE(context);
    EXPECT_EQ(to_traceparent(*context), good);
}

TEST(TraceContext, ThatIsNoneIsRefused) {
    const std::string zeros(32, '0');
    for (const std::string& text : {
             std::string(),
             good.substr(1),
             good + "-more",
             good + "0",
             "ff" + good.substr(2),
             "00-" + zeros + good.substr(35),
             good.substr(0, 36) + zeros.substr(16) + good.substr(52),
             "00-4BF92F3577B34DA6A3CE929D0E0E4736" + good.substr(35),
             good.substr(0, 10) + "g" + good.substr(11),
             "00_" + good.substr(3),
         }) {
        EXPECT_FALSE(parse_traceparent(text)) << text;
    }
}

}  // namespace
}  // namespace pawl
