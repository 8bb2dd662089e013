#include "app/messages/message_links.hpp"

#include "app/messages/tracking.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

const Seal seal(std::string(32, 's'));
const std::string home = "https://pawl.example";
const Uuid message = *parse_uuid("6f9619ff-8b86-d011-b42d-00c04fc964ff");

std::string token_of(const std::string& url) {
    return url.substr(url.rfind('/') + 1);
}

TEST(MessageLinks, AClickLeadsWhereItWasSignedFor) {
    const std::string url = click_url(seal, home, {{7, 3}, message, "https://a.example/?b=ก\"<"});
    ASSERT_TRUE(url.starts_with(home + "/l/"));
    const auto link = open_click(seal, token_of(url));
    ASSERT_TRUE(link);
    EXPECT_EQ(link->tenant.id, 7);
    EXPECT_EQ(link->tenant.bucket, 3);
    EXPECT_EQ(link->message, message);
    EXPECT_EQ(link->url, "https://a.example/?b=ก\"<");
    EXPECT_EQ(url, click_url(seal, home, *link)) << "a repeat is the same message";
}

TEST(MessageLinks, WhatWasChangedOrMadeElsewhereOpensNothing) {
    const std::string token =
        token_of(click_url(seal, home, {{1, 0}, message, "https://a.example"}));
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::string other = token;
        other[i] = other[i] == 'A' ? 'B' : 'A';
        if (other != token) EXPECT_FALSE(open_click(seal, other)) << i;
    }
    EXPECT_FALSE(open_click(seal, ""));
    EXPECT_FALSE(open_click(seal, "."));
    EXPECT_FALSE(open_click(Seal(std::string(32, 't')), token));
    EXPECT_FALSE(open_click(Seal(), token));
    EXPECT_FALSE(open_pixel(seal, token + ".gif")) << "for another purpose";
    EXPECT_FALSE(open_preferences(seal, token));
}

TEST(MessageLinks, ThePixelIsAnImageByItsName) {
    const std::string url = pixel_url(seal, home, {{1, 0}, message});
    EXPECT_TRUE(url.ends_with(".gif"));
    const auto mark = open_pixel(seal, token_of(url));
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->message, message);
    std::string bare = token_of(url);
    bare.resize(bare.size() - 4);
    EXPECT_FALSE(open_pixel(seal, bare));
}

TEST(MessageLinks, WithoutASecretThereAreNone) {
    EXPECT_EQ(click_url(Seal(), home, {{1, 0}, message, "https://a.example"}), "");
    EXPECT_EQ(pixel_url(seal, "", {{1, 0}, message}), "");
    EXPECT_EQ(preferences_url(Seal(), home, {{1, 0}, "ann"}), "");
    EXPECT_EQ(preferences_url(seal, home, {{1, 0}, ""}), "") << "of no person";
}

TEST(MessageLinks, OfOursAreNotTracked) {
    EXPECT_TRUE(is_own_link(home, preferences_url(seal, home, {{1, 0}, "ann"})));
    EXPECT_TRUE(is_own_link(home, home + "/v1/unsubscribe/x"));
    EXPECT_FALSE(is_own_link(home, home + "/shop"));
    EXPECT_FALSE(is_own_link(home, "https://pawl.example.evil/p/x"));
    EXPECT_FALSE(is_own_link("", "/p/x"));
}

TEST(MessageLinks, ANonceOfLineExpiresAndIsShort) {
    const Instant now(std::chrono::seconds(1'769'850'000));
    const auto nonce = seal_line_nonce(seal, {{1, 0}, "ann/ก"}, now + std::chrono::minutes(30));
    ASSERT_TRUE(nonce);
    EXPECT_LE(nonce->size(), 255U);
    EXPECT_EQ(open_line_nonce(seal, *nonce, now)->person, "ann/ก");
    EXPECT_FALSE(open_line_nonce(seal, *nonce, now + std::chrono::minutes(31)));
    EXPECT_FALSE(open_line_nonce(seal, *nonce + "x", now));
    EXPECT_FALSE(seal_line_nonce(seal, {{1, 0}, std::string(200, 'k')}, now));
}

TEST(Tracking, ProgramsAreToldFromPeople) {
    const auto machine = [](std::string_view agent) { return is_machine({"GET", agent, ""}); };
    for (const char* agent :
         {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
          "like "
          "Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
          "Chrome/130.0.0.0 Safari/537.36",
          "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) "
          "Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Line/14.20.1/IAB"}) {
        EXPECT_FALSE(machine(agent)) << agent;
        EXPECT_TRUE(is_machine({"HEAD", agent, ""}));
        EXPECT_TRUE(is_machine({"GET", agent, "prefetch;prerender"}));
    }
    for (const char* agent :
         {"",
          "Mozilla/5.0",
          "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com "
          "GoogleImageProxy)",
          "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
          "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
          "facebookexternalhit/1.1;line-poker/1.0",
          "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
          "BarracudaCentral",
          "curl/8.5.0",
          "python-requests/2.32"}) {
        EXPECT_TRUE(machine(agent)) << agent;
    }
}

TEST(Tracking, VisitsWithinTenSecondsAreOne) {
    const Instant at(std::chrono::seconds(1'769'850'000));
    const ClickLink link{{7, 0}, message, "https://a.example"};
    const auto first = click_fact(link, false, at);
    EXPECT_EQ(first.kind, "clicked");
    EXPECT_EQ(first.connector, "pawl");
    EXPECT_EQ(first.detail.at("url"), "https://a.example");
    EXPECT_EQ(click_fact(link, false, at + std::chrono::seconds(9)).event_id, first.event_id);
    EXPECT_NE(click_fact(link, false, at + std::chrono::seconds(10)).event_id, first.event_id);
    EXPECT_NE(click_fact(link, true, at).event_id, first.event_id);
    const ClickLink other{{7, 0}, message, "https://b.example"};
    EXPECT_NE(click_fact(other, false, at).event_id, first.event_id);
    EXPECT_NE(open_fact({{7, 0}, message}, false, at).event_id, first.event_id);
    EXPECT_LE(first.event_id.size(), 200U);
}

}  // namespace
}  // namespace pawl::app
