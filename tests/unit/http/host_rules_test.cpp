#include "http/host_rules.hpp"

#include <gtest/gtest.h>

namespace pawl::http {
namespace {

int status(const HostRules& rules, std::string host, std::string origin = "") {
    Headers headers{{"Host", std::move(host)}};
    if (!origin.empty()) headers.push_back({"Origin", std::move(origin)});
    const auto refusal = refused_by(rules, headers);
    return refusal ? refusal->status : 200;
}

TEST(HostRules, NamesOfThisMachine) {
    for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "127.8.9.10", "::1"}) {
        EXPECT_TRUE(is_loopback_host(host)) << host;
    }
    for (const char* host :
         {"",
          "127.evil.test",
          "127.0.0.1.evil.test",
          "localhost.evil.test",
          "0.0.0.0",
          "10.0.0.1"}) {
        EXPECT_FALSE(is_loopback_host(host)) << host;
    }
}

TEST(HostRules, AServerOfThisMachineAnswersToItsNamesOnly) {
    const HostRules rules = rules_for("127.0.0.1", {}, {});
    for (const char* host :
         {"127.0.0.1:8080",
          "localhost",
          "localhost:8080",
          "LOCALHOST.:80",
          "[::1]:8080",
          "127.1.1.1"}) {
        EXPECT_EQ(status(rules, host), 200) << host;
    }
    for (const char* host :
         {"rebind.test",
          "rebind.test:8080",
          "127.rebind.test",
          "10.0.0.1",
          "",
          "[fe80::1]:80",
          "[::1"}) {
        EXPECT_EQ(status(rules, host), 421) << host;
    }
    EXPECT_FALSE(refused_by(rules, {})) << "HTTP/1.0 has no Host, and no browser speaks it";
}

TEST(HostRules, PagesOfOtherOriginsMayNotCallIt) {
    const HostRules rules = rules_for("127.0.0.1", {"pawl.internal:8443"}, {"https://app.test"});
    EXPECT_EQ(status(rules, "localhost:8080", "http://localhost:8080"), 200);
    EXPECT_EQ(status(rules, "pawl.internal", "https://pawl.internal"), 200);
    EXPECT_EQ(status(rules, "localhost:8080", "https://app.test"), 200);
    EXPECT_EQ(status(rules, "localhost:8080", "https://evil.test"), 403);
    EXPECT_EQ(status(rules, "localhost:8080", "https://app.test.evil.test"), 403);
    EXPECT_EQ(status(rules, "localhost:8080", "null"), 403);
    EXPECT_EQ(status(rules_for("localhost", {}, {"*"}), "localhost", "https://evil.test"), 200);
}

TEST(HostRules, OtherServersAreCheckedWhenHostsAreNamed) {
    EXPECT_EQ(status(rules_for("0.0.0.0", {}, {}), "anything.test", "https://app.test"), 200);
    const HostRules rules = rules_for("0.0.0.0", {"api.example.com"}, {});
    EXPECT_EQ(status(rules, "API.example.com:443"), 200);
    EXPECT_EQ(status(rules, "other.example.com"), 421);
    EXPECT_EQ(status(rules, "192.168.1.5:8080"), 421);
    HostRules numeric = rules;
    numeric.addresses = true;
    EXPECT_EQ(status(numeric, "192.168.1.5:8080"), 200);
    EXPECT_EQ(status(numeric, "other.example.com"), 421);
    EXPECT_EQ(status(numeric, "192.168.1.5", "http://192.168.1.9"), 403);
    EXPECT_EQ(status(numeric, "192.168.1.5:80", "http://192.168.1.5:80"), 200) << "its own page";
}

}  // namespace
}  // namespace pawl::http
