#include "http/redirect.hpp"

#include <gtest/gtest.h>

namespace pawl::http {
namespace {

Request post(const std::string& url) {
    Request request;
    request.method = "POST";
    request.url = url;
    request.body = "{}";
    request.headers = {
        {"Authorization", "Bearer x"},
        {"X-Api-Key", "k"},
        {"Cookie", "c"},
        {"Content-Type", "application/json"},
        {"Accept", "text/plain"}};
    request.redirects_max = 5;
    request.trusted = true;
    return request;
}

Response redirect(int status, const std::string& location) {
    Response response;
    response.status = status;
    response.headers = {{"Location", location}};
    return response;
}

std::string names(const Request& request) {
    std::string all;
    for (const Header& header : request.headers) all += header.name + " ";
    return all;
}

TEST(Redirect, TheSameOriginGetsEverything) {
    const auto next = follow(post("https://a.test/x"), redirect(307, "/y?z=1")).next;
    ASSERT_TRUE(next);
    EXPECT_EQ(next->url, "https://a.test/y?z=1");
    EXPECT_EQ(next->method, "POST");
    EXPECT_EQ(next->body, "{}");
    EXPECT_EQ(next->headers.size(), 5U);
    EXPECT_EQ(next->redirects_max, 4);
    EXPECT_TRUE(next->trusted);
}

TEST(Redirect, CredentialsStayBehindAcrossOrigins) {
    for (const char* other :
         {"https://b.test/", "https://a.test:8443/", "//b.test/", "https://a.test.b.test/"}) {
        const auto next = follow(post("https://a.test/x"), redirect(308, other)).next;
        ASSERT_TRUE(next) << other;
        EXPECT_EQ(names(*next), "Content-Type Accept ") << other;
        EXPECT_FALSE(next->trusted) << other;
    }
}

TEST(Redirect, APostBecomesAGet) {
    for (const int status : {301, 302, 303}) {
        const auto next = follow(post("https://a.test/x"), redirect(status, "/y")).next;
        ASSERT_TRUE(next);
        EXPECT_EQ(next->method, "GET");
        EXPECT_EQ(next->body, "");
        EXPECT_EQ(names(*next), "Authorization X-Api-Key Cookie Accept ");
    }
}

TEST(Redirect, RefusesWhatLeadsAstray) {
    const auto refused = [](const Request& request, const std::string& to) {
        const auto result = follow(request, redirect(302, to));
        return result.fault && result.fault->kind == FaultKind::bad_redirect && !result.next;
    };
    EXPECT_TRUE(refused(post("https://a.test/"), "http://a.test/"));
    EXPECT_TRUE(refused(post("https://a.test/"), "file:///etc/passwd"));
    EXPECT_TRUE(refused(post("https://a.test/"), "gopher://a.test/"));
    EXPECT_TRUE(refused(post("https://a.test/"), "http://"));
    Request last = post("https://a.test/");
    last.redirects_max = 0;
    EXPECT_TRUE(refused(last, "/y"));
}

TEST(Redirect, OtherAnswersAreTheEnd) {
    for (const int status : {200, 204, 300, 304, 404}) {
        const auto result = follow(post("https://a.test/"), redirect(status, "/y"));
        EXPECT_FALSE(result.next || result.fault) << status;
    }
    EXPECT_FALSE(follow(post("https://a.test/"), Response()).next);
}

}  // namespace
}  // namespace pawl::http
