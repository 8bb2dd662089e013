#include "http/message.hpp"

#include "http/server_answer.hpp"

#include <gtest/gtest.h>

namespace pawl::http {
namespace {

TEST(HttpMessage, HeadersAreFoundWithoutCase) {
    const Headers headers = {{"Content-Type", "text/plain"}, {"X", "1"}, {"x", "2"}};
    ASSERT_NE(find_header(headers, "content-TYPE"), nullptr);
    EXPECT_EQ(*find_header(headers, "content-TYPE"), "text/plain");
    EXPECT_EQ(*find_header(headers, "x"), "1");
    EXPECT_EQ(find_header(headers, "content"), nullptr);
}

TEST(HttpMessage, NamesAndValuesCannotBreakOut) {
    EXPECT_TRUE(is_token("X-Request-Id"));
    for (const std::string_view text : {"", "a b", "a:", "a\r\n", "a\n", "\xc3\xa9", "a\tb"}) {
        EXPECT_FALSE(is_token(text)) << text;
    }
    EXPECT_FALSE(is_token(std::string_view("a\0", 2)));
    EXPECT_TRUE(is_field_value("text, with\ttab and \xc3\xa9"));
    EXPECT_TRUE(is_field_value(""));
    EXPECT_FALSE(is_field_value("a\r\nX: y"));
    EXPECT_FALSE(is_field_value("a\n"));
    EXPECT_FALSE(is_field_value(std::string_view("a\0", 2)));
}

TEST(HttpMessage, TheServerOwnsTheFraming) {
    ServerResponse response;
    response.headers = {{"Content-Length", "99"}, {"Connection", "upgrade"}, {"X", "y"}};
    response.body = "four";
    const std::string head = answer_head(response, {});
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 4\r\n")) << head;
    EXPECT_EQ(head.find("99"), std::string::npos);
    EXPECT_EQ(head.find("upgrade"), std::string::npos);

    response.status = 204;
    EXPECT_EQ(answer_head(response, {}).find("Content-Length"), std::string::npos);
    EXPECT_FALSE(has_body(response, {}));

    response.headers = {{"X", "a\r\nb"}};
    EXPECT_FALSE(is_sendable(response));
}

}  // namespace
}  // namespace pawl::http
