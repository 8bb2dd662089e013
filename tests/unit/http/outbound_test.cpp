#include "http/outbound.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl::http {
namespace {

UrlPlace at(const std::string& url) {
    const auto parsed = parse_url(url);
    EXPECT_TRUE(parsed.place) << url << ": " << parsed.wrong;
    return parsed.place.value_or(UrlPlace());
}

Outbound allowing(std::initializer_list<const char*> entries) {
    Outbound outbound;
    for (const char* entry : entries) outbound.allow(entry).value();
    return outbound;
}

TEST(Outbound, OnlyThePublicInternetUnlessAllowed) {
    const Outbound usual;
    const UrlPlace place = at("http://example.com/");
    EXPECT_TRUE(usual.permits(place, "93.184.216.34"));
    EXPECT_TRUE(usual.permits(place, "2606:4700:4700::1111"));
    for (const char* address :
         {"127.0.0.1",
          "10.0.0.1",
          "169.254.169.254",
          "100.100.100.200",
          "0.0.0.0",
          "::",
          "::1",
          "fd00:ec2::254",
          "fe80::1",
          "fe80::1%eth0",
          "::ffff:127.0.0.1",
          "::ffff:a9fe:a9fe",
          "::127.0.0.1",
          "64:ff9b::7f00:1",
          "2002:7f00:1::",
          "ff02::1",
          "224.0.0.1",
          "of an unknown kind",
          ""}) {
        EXPECT_FALSE(usual.permits(place, address)) << address;
    }
    EXPECT_TRUE(Outbound::anywhere().permits(place, "127.0.0.1"));
}

TEST(Outbound, AllowsRanges) {
    const Outbound some = allowing({"10.1.0.0/16", "192.168.7.9", "fd00:1::/32"});
    const UrlPlace place = at("http://intern/");
    for (const char* address : {"10.1.255.1", "192.168.7.9", "::ffff:10.1.0.1", "fd00:1:2::3"}) {
        EXPECT_TRUE(some.permits(place, address)) << address;
    }
    for (const char* address : {"10.2.0.1", "192.168.7.8", "::ffff:10.2.0.1", "fd00:2::1"}) {
        EXPECT_FALSE(some.permits(place, address)) << address;
    }
    EXPECT_TRUE(allowing({"0.0.0.0/0"}).permits(place, "127.0.0.1"));
    EXPECT_TRUE(Outbound::loopback().permits(place, "127.3.2.1"));
    EXPECT_TRUE(Outbound::loopback().permits(place, "::1"));
    EXPECT_FALSE(Outbound::loopback().permits(place, "10.0.0.1"));
}

TEST(Outbound, AllowsNames) {
    const Outbound some = allowing({"CRM.internal", "*.corp.example:8080"});
    EXPECT_TRUE(some.permits(at("https://crm.INTERNAL./x"), "10.0.0.1"));
    EXPECT_TRUE(some.permits(at("http://a.b.corp.example:8080/"), "10.0.0.1"));
    for (const char* url :
         {"http://a.corp.example/",
          "http://corp.example:8080/",
          "http://xcorp.example:8080/",
          "http://crm.internal.evil.test/",
          "http://crm.internal@evil.test/",
          "http://10.0.0.1/"}) {
        EXPECT_FALSE(some.permits(at(url), "10.0.0.1")) << url;
    }
}

TEST(Outbound, RefusesEntriesThatItCannotRead) {
    Outbound outbound;
    for (const char* entry :
         {"",
          "10.0.0.0/33",
          "10.0.0.0/",
          "::1/129",
          "a b",
          "host:0",
          "host:70000",
          "http://x/",
          "127.1",
          "0x7f.1",
          "2130706433",
          "x/8",
          "*"}) {
        EXPECT_FALSE(outbound.allow(entry)) << entry;
    }
}

TEST(Url, NumbersInDisguiseComeOutAsAddresses) {
    for (const char* url :
         {"http://127.0.0.1/",
          "http://2130706433/",
          "http://0x7f000001/",
          "http://0177.0.0.1/",
          "http://127.1/",
          "http://0x7f.1/",
          "http://017700000001/"}) {
        EXPECT_EQ(at(url).host, "127.0.0.1") << url;
    }
    EXPECT_EQ(at("http://[::1]:8080/").origin(), "http://[::1]:8080");
    EXPECT_EQ(at("HTTPS://Example.com:443/a?b").origin(), "https://example.com");
    EXPECT_FALSE(parse_url("http://").place);
    EXPECT_FALSE(parse_url("http:/127.0.0.1/x").place) << "libcurl would go there";
    EXPECT_FALSE(parse_url("http:///127.0.0.1/x").place);
    EXPECT_TRUE(parse_url("http://127.0.0.1/a:/b").place);
    EXPECT_FALSE(parse_url(std::string("http://a\0b/", 11)).place);
}

}  // namespace
}  // namespace pawl::http
