#include "app/tenants/auth_key.hpp"
#include "base/json.hpp"
#include "cli_program.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

class CliKeys : public testing::Test {
protected:
    Outcome run(std::vector<std::string> args) {
        args.insert(args.begin(), "keys");
        return pawl({std::move(args), {{"DATABASE_URL", database_.url()}}});
    }
    json::value list() { return parse_json(run({"list", "-o", "json"}).out).value(); }
    std::string sql(const std::string& query) { return database_.session().value(query); }

    TestDatabase database_;
};

TEST_F(CliKeys, CreatePrintsTheKeyOnceAndKeepsItsHash) {
    const auto made =
        run({"create", "--name", "ci", "--scope", "runs:read", "--scope", "runs:write"});
    ASSERT_EQ(made.code, 0) << made.err;
    const std::string key = made.out.substr(0, made.out.find('\n'));
    EXPECT_EQ(made.out, key + "\n") << "only the key goes to stdout";
    EXPECT_TRUE(app::looks_like_api_key(key));
    EXPECT_NE(made.err.find("only time"), std::string::npos) << made.err;
    EXPECT_EQ(made.err.find(key), std::string::npos);
    EXPECT_EQ(sql("select (hash = sha256('" + key + "'::bytea))::text from pawl.api_key"), "true");
    EXPECT_EQ(sql("select scopes::text from pawl.api_key"), "{runs:read,runs:write}");

    const auto listed = run({"list"});
    EXPECT_NE(listed.out.find("pawl_" + std::string(app::api_key_prefix(key))), std::string::npos);
    EXPECT_EQ(listed.out.find(key), std::string::npos);
}

TEST_F(CliKeys, CreateAsJsonWithAnEnd) {
    const auto made = run(
        {"create", "--name", "x", "--scope", "runs:read,admin", "--expires", "90d", "-o", "json"}
    );
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    const auto document = parse_json(made.out).value();
    EXPECT_TRUE(app::looks_like_api_key(find(document, "key")->as_string().c_str()));
    EXPECT_EQ(find(document, "scopes")->as_array().size(), 2u);
    EXPECT_EQ(
        sql("select (expires_at - created_at between interval '89 d' and interval '90 d')::text "
            "from pawl.api_key"),
        "true"
    );
    EXPECT_EQ(list().as_array().at(0).as_object().at("status").as_string(), "active");
    database_.session().script("update pawl.api_key set expires_at = now()");
    EXPECT_EQ(list().as_array().at(0).as_object().at("status").as_string(), "expired");
}

TEST_F(CliKeys, RevokeTakesWhatListShows) {
    const std::string key = run({"create", "--name", "x", "--scope", "admin"}).out;
    const std::string prefix = "pawl_" + std::string(app::api_key_prefix(key));
    const auto revoked = run({"revoke", prefix});
    EXPECT_EQ(revoked.code, 0) << revoked.err;
    EXPECT_EQ(list().as_array().at(0).as_object().at("status").as_string(), "revoked");
    EXPECT_EQ(run({"revoke", prefix}).code, 0) << "again";
}

TEST_F(CliKeys, AWholeKeyGivenToRevokeIsNotRepeated) {
    const std::string secret = app::make_api_key().text;
    const auto outcome = run({"revoke", secret});
    EXPECT_EQ(outcome.code, 6);
    EXPECT_EQ((outcome.out + outcome.err).find(secret), std::string::npos);
    EXPECT_NE(outcome.err.find("pawl keys list"), std::string::npos);
}

TEST_F(CliKeys, WrongInputIsRefused) {
    const auto scope = run({"create", "--name", "x", "--scope", "run:read"});
    EXPECT_EQ(scope.code, 2);
    EXPECT_NE(scope.err.find("did you mean 'runs:read'?"), std::string::npos) << scope.err;
    EXPECT_EQ(run({"create", "--name", "x"}).code, 2);
    EXPECT_EQ(run({"create", "--scope", "admin"}).code, 2);
    EXPECT_EQ(run({"create", "--name", "", "--scope", "admin"}).code, 2);
    EXPECT_EQ(run({"create", "--name", "x", "--scope", "admin", "--expires", "0s"}).code, 2);
    EXPECT_EQ(run({"create", "--name", "x", "--scope", "admin", "--expires", "soon"}).code, 2);
    const auto tenant = run({"create", "--name", "x", "--scope", "admin", "--tenant", "unknown"});
    EXPECT_EQ(tenant.code, 6);
    EXPECT_NE(tenant.err.find("no tenant named 'unknown'"), std::string::npos) << tenant.err;
    EXPECT_EQ(sql("select count(*)::text from pawl.api_key"), "0");
}

TEST_F(CliKeys, TenantsHaveKeysOfTheirOwn) {
    database_.session().script("insert into pawl.tenant (name) values ('acme')");
    const auto made = run({"create", "--name", "x", "--scope", "admin", "--tenant", "acme"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(list().as_array().empty());
    const auto theirs = run({"list", "--tenant", "acme", "-o", "json"});
    EXPECT_EQ(parse_json(theirs.out).value().as_array().size(), 1u);
}

TEST_F(CliKeys, ServeRefusesRulesForTokensThatCannotBeMeant) {
    ASSERT_EQ(run({"create", "--name", "x", "--scope", "admin"}).code, 0);
    const auto serve = [&](std::vector<std::string> more, const std::string& secret) {
        std::vector<std::string> args{"serve", "--listen", "127.0.0.1:0"};
        args.insert(args.end(), more.begin(), more.end());
        const Env env{{"DATABASE_URL", database_.url()}, {"PAWL_JWT_SECRET", secret}};
        return pawl({std::move(args), env});
    };
    const std::string secret(40, 's');
    const auto claim = serve({"--tenant-claim", "user_metadata.tenant"}, secret);
    EXPECT_EQ(claim.code, 2);
    EXPECT_NE(claim.err.find("app_metadata"), std::string::npos) << claim.err;
    const auto roles = serve({"--jwt-roles", "anon=run:write"}, secret);
    EXPECT_EQ(roles.code, 2);
    EXPECT_NE(roles.err.find("did you mean 'runs:write'"), std::string::npos) << roles.err;
    const auto weak = serve({}, "hunter2");
    EXPECT_EQ(weak.code, 2);
    EXPECT_NE(weak.err.find("at least 32"), std::string::npos) << weak.err;
    EXPECT_EQ(weak.err.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace pawl::test
