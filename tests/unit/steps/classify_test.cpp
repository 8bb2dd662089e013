#include "steps/classify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pawl::steps {
namespace {

using namespace std::chrono_literals;

constexpr Instant now = Instant(784111777s);  // Sun, 06 Nov 1994 08:49:37 GMT

TEST(Classify, EveryStatus) {
    for (int status = 100; status <= 599; ++status) {
        http::Response response;
        response.status = status;
        const auto error = classify(response, now);
        if (status >= 200 && status < 300) {
            EXPECT_FALSE(error) << status;
            continue;
        }
        ASSERT_TRUE(error) << status;
        EXPECT_EQ(error->code, "http_" + std::to_string(status));
        const bool retryable = status == 408 || status == 425 || status == 429 || status >= 500;
        EXPECT_EQ(error->error_class, retryable ? ErrorClass::retryable : ErrorClass::permanent)
            << status;
    }
}

TEST(Classify, RetryAfter) {
    struct Row {
        int status;
        std::string header;
        std::optional<Duration> wait;
    };
    const std::vector<Row> table = {
        {429, "7", 7s},
        {503, "Sun, 06 Nov 1994 08:50:07 GMT", 30s},
        {503, "whenever", std::nullopt},
        {404, "7", std::nullopt},
    };
    for (const Row& row : table) {
        http::Response response;
        response.status = row.status;
        response.headers = {{"Retry-After", row.header}};
        EXPECT_EQ(classify(response, now)->retry_after, row.wait) << row.header;
    }
}

TEST(Classify, EveryFault) {
    struct Row {
        http::FaultKind kind;
        ErrorClass error_class;
        std::string code;
    };
    const std::vector<Row> table = {
        {http::FaultKind::refused_before_sent, ErrorClass::retryable, "network"},
        {http::FaultKind::timeout_before_sent, ErrorClass::retryable, "timeout"},
        {http::FaultKind::timeout_after_sent, ErrorClass::ambiguous, "timeout"},
        {http::FaultKind::interrupted_after_sent, ErrorClass::ambiguous, "network"},
        {http::FaultKind::too_large, ErrorClass::permanent, "too_large"},
        {http::FaultKind::bad_url, ErrorClass::permanent, "bad_url"},
        {http::FaultKind::bad_request, ErrorClass::permanent, "bad_request"},
        {http::FaultKind::forbidden_address, ErrorClass::permanent, "forbidden_address"},
    };
    for (const Row& row : table) {
        const auto error = classify(http::Fault{row.kind, "why"}, now);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->error_class, row.error_class) << row.code;
        EXPECT_EQ(error->code, row.code);
        EXPECT_EQ(error->message, "why");
    }
}

}  // namespace
}  // namespace pawl::steps
