#include "base/header_rules.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

TEST(HeaderRules, WhatBelongsToTheConnectionOrSaysWhoGetsItIsRefused) {
    for (const char* name :
         {"Expect",
          "connection",
          "Content-Length",
          "HTTP2-Settings",
          "KEEP-ALIVE",
          "TE",
          "Trailer",
          "transfer-encoding",
          "Upgrade",
          "Proxy-Authorization",
          "proxy-connection"}) {
        EXPECT_NE(header_refusal(name).find("connection"), std::string_view::npos) << name;
    }
    EXPECT_NE(header_refusal("Host").find("the url"), std::string_view::npos);
    EXPECT_FALSE(header_refusal("hOST").empty());
}

TEST(HeaderRules, OthersMayBeSet) {
    for (const char* name :
         {"X-Host", "Authorization", "Content-Type", "Prox", "Accept", "T", ""}) {
        EXPECT_EQ(header_refusal(name), "") << name;
    }
}

}  // namespace
}  // namespace pawl
