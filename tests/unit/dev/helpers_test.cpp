#include "dev/postmaster_pid.hpp"
#include "dev/server_binaries.hpp"

#include <gtest/gtest.h>

namespace pawl::dev {
namespace {

TEST(PostmasterPid, IsReadAsFarAsItIsWritten) {
    const std::string begun = "4711\n/data\n1700000000\n5432\n/run\n127.0.0.1\n  1234  5\n";
    ASSERT_TRUE(parse_postmaster_pid(begun));
    EXPECT_EQ(parse_postmaster_pid(begun)->pid, 4711);
    EXPECT_FALSE(parse_postmaster_pid(begun)->ready);
    EXPECT_FALSE(parse_postmaster_pid(begun + "starting\n")->ready);
    EXPECT_TRUE(parse_postmaster_pid(begun + "ready   \n")->ready);
}

TEST(PostmasterPid, AnythingElseIsNone) {
    for (const char* text : {"", "\n", "x\n", "-5\n", "0\n", "99999999999\n", "12a\n"}) {
        EXPECT_FALSE(parse_postmaster_pid(text)) << text;
    }
}

TEST(ServerBinaries, TheNewestWinsUnlessTheDataWantsAnother) {
    const std::vector<std::filesystem::path> bins{
        "/usr/lib/postgresql/9.6/bin",
        "/usr/lib/postgresql/15/bin",
        "/usr/lib/postgresql/14/bin",
        "/usr/lib/postgresql/current/bin"};
    EXPECT_EQ(choose_bin(bins, std::nullopt), bins[1]);
    EXPECT_EQ(choose_bin(bins, 14), bins[2]);
    EXPECT_EQ(choose_bin(bins, 13), std::nullopt);
    EXPECT_EQ(choose_bin({}, std::nullopt), std::nullopt);
}

TEST(ServerBinaries, Versions) {
    EXPECT_EQ(version_of_bin("/usr/lib/postgresql/15/bin"), 15);
    EXPECT_EQ(version_of_bin("/usr/lib/postgresql/9.6/bin"), 9);
    EXPECT_EQ(version_of_bin("/usr/local/pgsql/bin"), std::nullopt);
    EXPECT_EQ(version_of_bin("bin"), std::nullopt);
    EXPECT_EQ(major_version("15\n"), 15);
    EXPECT_EQ(major_version("postgres (PostgreSQL) 16.2 (Debian 16.2-1)"), 16);
    EXPECT_EQ(major_version("none"), std::nullopt);
}

}  // namespace
}  // namespace pawl::dev
