#include "http/address.hpp"

#include <gtest/gtest.h>

#include <string>

namespace pawl::http {
namespace {

TEST(Address, PublicOnes) {
    for (const char* text :
         {"1.1.1.1",
          "8.8.8.8",
          "100.63.255.255",
          "100.128.0.0",
          "172.15.255.255",
          "172.32.0.1",
          "192.0.1.1",
          "198.17.255.255",
          "198.20.0.0",
          "223.255.255.255",
          "2606:4700:4700::1111",
          "2a00:1450:4001:82f::200e",
          "2001:200::1",
          "::ffff:8.8.8.8",
          "64:ff9b::8.8.8.8"}) {
        EXPECT_EQ(is_public(std::string_view(text)), true) << text;
    }
}

TEST(Address, SpecialOnes) {
    for (const char* text :
         {"0.0.0.0",
          "10.1.2.3",
          "100.64.0.1",
          "127.0.0.1",
          "127.255.255.254",
          "169.254.169.254",
          "172.16.0.1",
          "172.31.255.255",
          "192.0.0.8",
          "192.0.2.1",
          "192.88.99.1",
          "192.168.0.1",
          "198.18.0.1",
          "198.19.255.255",
          "198.51.100.1",
          "203.0.113.1",
          "224.0.0.1",
          "240.0.0.1",
          "255.255.255.255",
          "::",
          "::1",
          "::127.0.0.1",
          "::8.8.8.8",
          "::ffff:127.0.0.1",
          "::ffff:169.254.169.254",
          "64:ff9b::10.0.0.1",
          "64:ff9b:1::1",
          "100::1",
          "2001::1",
          "2001:1ff::1",
          "2001:db8::1",
          "2002:7f00:1::",
          "3fff::1",
          "5f00::1",
          "fc00::1",
          "fd12:3456::1",
          "fe80::1",
          "fec0::1",
          "ff02::1"}) {
        EXPECT_EQ(is_public(std::string_view(text)), false) << text;
    }
}

TEST(Address, NotAnAddress) {
    EXPECT_EQ(is_public(std::string_view("example.com")), std::nullopt);
    EXPECT_EQ(is_public(std::string_view("")), std::nullopt);
    EXPECT_EQ(is_public(std::string_view("0x7f.1")), std::nullopt);
}

}  // namespace
}  // namespace pawl::http
