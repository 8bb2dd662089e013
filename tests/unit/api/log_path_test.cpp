#include "api/http/log_path.hpp"

#include "app/tenants/auth_key.hpp"
#include "base/seal.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TEST(LogPath, WhatOpensNothingIsShown) {
    for (const char* path :
         {"/",
          "/v1/runs",
          "/v1/runs/6f9619ff-8b86-d011-b42d-00c04fc964ff/steps",
          "/v1/workflows/customer_onboarding.with_a_long_name-1.2.3",
          "//double//",
          "*"}) {
        EXPECT_EQ(log_path(path), path);
    }
    EXPECT_EQ(log_path("/v1/tasks/1/decide?token=abc"), "/v1/tasks/1/decide");
}

TEST(LogPath, TokensAndKeysAreNot) {
    const std::string token =
        Seal(std::string(32, 's'))
            .close("callback", "6f9619ff-8b86-d011-b42d-00c04fc964ff 0 1 1 1");
    EXPECT_EQ(log_path("/v1/callbacks/" + token), "/v1/callbacks/(secret)");
    EXPECT_EQ(log_path("/v1/callbacks/short"), "/v1/callbacks/(secret)") << "a part of one";
    EXPECT_EQ(log_path("/v1/callbacks/" + token + "/x?y=1"), "/v1/callbacks/(secret)/x");
    EXPECT_EQ(log_path("/v1//callback/" + token), "/v1//callback/(secret)");
    EXPECT_EQ(log_path("/v1/hooks/line/abc?message=1"), "/v1/hooks/line/(secret)");
    EXPECT_EQ(log_path("/v1/unsubscribe/" + token), "/v1/unsubscribe/(secret)");
    for (const char* place : {"/l/", "/o/", "/p/"}) {
        EXPECT_EQ(log_path(place + token), std::string(place) + "(secret)");
        EXPECT_EQ(log_path(place + std::string("cut")), std::string(place) + "(secret)");
    }
    EXPECT_EQ(log_path("/v1/workflows/p/versions"), "/v1/workflows/p/versions");
    EXPECT_EQ(log_path("/v1/people/4711/unsubscribe"), "/v1/people/4711/unsubscribe");
    EXPECT_EQ(log_path("/" + app::make_api_key().text), "/(secret)");
}

}  // namespace
}  // namespace pawl::api
