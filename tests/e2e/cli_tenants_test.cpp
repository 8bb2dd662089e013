#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

constexpr const char* hello = R"({"name": "hello", "steps": [{"name": "a", "wait": "1h"}]})";

class CliTenants : public testing::Test {
protected:
    Outcome run(std::vector<std::string> args, std::string input = {}) {
        return pawl({std::move(args), {{"DATABASE_URL", database_.url()}}, std::move(input)});
    }

    TestDatabase database_;
};

TEST_F(CliTenants, CreateListShow) {
    const auto made = run({"tenants", "create", "acme", "-o", "json"});
    ASSERT_EQ(made.code, 0) << made.err;
    const auto tenant = parse_json(made.out).value();
    EXPECT_EQ(find(tenant, "name")->as_string(), "acme");
    const auto all = parse_json(run({"tenants", "list", "-o", "json"}).out).value().as_array();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(find(all[0], "name")->as_string(), "default");
    EXPECT_EQ(all[1], tenant);
    EXPECT_EQ(parse_json(run({"tenants", "show", "acme", "-o", "json"}).out).value(), tenant);
}

TEST_F(CliTenants, BadNamesAndUnknownOnes) {
    ASSERT_EQ(run({"tenants", "create", "acme"}).code, 0);
    const auto twice = run({"tenants", "create", "acme"});
    EXPECT_EQ(twice.code, 8);
    EXPECT_NE(twice.err.find("already"), std::string::npos) << twice.err;
    for (const std::string name : {"", "a b", "17", "a\nb", "a/b"}) {
        EXPECT_EQ(run({"tenants", "create", name}).code, 2) << name;
    }
    EXPECT_EQ(run({"tenants", "show", "unknown"}).code, 6);
    const auto runs = run({"--tenant", "unknown", "runs", "list"});
    EXPECT_EQ(runs.code, 6);
    EXPECT_NE(runs.err.find("no tenant named 'unknown'"), std::string::npos) << runs.err;
}

TEST_F(CliTenants, CommandsAreAboutOneTenant) {
    ASSERT_EQ(run({"tenants", "create", "acme"}).code, 0);
    const auto applied = run({"--tenant", "acme", "workflows", "apply", "-f", "-"}, hello);
    ASSERT_EQ(applied.code, 0) << applied.err;
    EXPECT_EQ(run({"run", "hello"}).code, 6) << "the default tenant has none";
    const auto started = run({"--tenant", "acme", "run", "hello", "-q"});
    ASSERT_EQ(started.code, 0) << started.err;
    const std::string id = started.out.substr(0, started.out.find('\n'));

    for (const std::string command : {"show", "why", "cancel", "watch"}) {
        EXPECT_EQ(run({"runs", command, id}).code, 6) << command;
    }
    EXPECT_EQ(run({"runs", "signal", id, "go"}).code, 6);
    EXPECT_EQ(run({"runs", "pause", id}).code, 6);
    EXPECT_EQ(run({"runs", "list", "-q"}).out, "");
    const auto shown = run({"runs", "show", id, "--tenant", "acme"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_NE(run({"runs", "list", "--tenant", "acme"}).out.find(id), std::string::npos);
    EXPECT_EQ(run({"runs", "cancel", id, "--tenant", "acme"}).code, 0);
}

}  // namespace
}  // namespace pawl::test
