#include "api/auth/jwt_claims.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

TokenIdentity identity(const std::string& claims, const ClaimRules& rules = {}) {
    return identity_of(parse_json(claims).value().as_object(), rules).value();
}

TEST(JwtClaims, RolesOfSupabase) {
    EXPECT_EQ(identity(R"({"role":"service_role"})").scopes, ScopeSet({Scope::admin}));
    const auto user = identity(R"({"role":"authenticated","sub":"u-1"})");
    EXPECT_EQ(user.scopes, ScopeSet({Scope::runs_read, Scope::runs_write}));
    EXPECT_EQ(user.name, "u-1");
    EXPECT_FALSE(user.tenant);
    const auto anon = identity(R"({"role":"anon"})");
    EXPECT_TRUE(anon.scopes.empty());
    EXPECT_EQ(anon.name, "anon");
    EXPECT_TRUE(identity(R"({"role":"postgres"})").scopes.empty());
    EXPECT_TRUE(identity(R"({"role":7,"sub":[]})").scopes.empty());
}

TEST(JwtClaims, ScopesInTheTokenCountOnlyWhereTheyAreAskedFor) {
    for (const char* claims :
         {R"({"scope":"admin"})",
          R"({"scp":["admin"]})",
          R"({"scope":"runs:read","scp":"admin"})"}) {
        EXPECT_TRUE(identity(claims).scopes.empty()) << claims;
    }
    ClaimRules rules;
    rules.scope_claim = parse_claim_path("scope").value();
    EXPECT_EQ(
        identity(R"({"scope":"openid runs:read  email","scp":"admin"})", rules).scopes,
        ScopeSet({Scope::runs_read})
    );
    EXPECT_TRUE(identity(R"({"scope":{"admin":true}})", rules).scopes.empty());
    EXPECT_TRUE(identity(R"({"scp":["admin"]})", rules).scopes.empty());
    rules.scope_claim = parse_claim_path("app_metadata.pawl").value();
    const auto both =
        identity(R"({"app_metadata":{"pawl":["workflows:read",3]},"role":"authenticated"})", rules);
    EXPECT_EQ(both.scopes, ScopeSet({Scope::workflows_read, Scope::runs_read, Scope::runs_write}));
}

TEST(JwtClaims, RolesCanBeConfigured) {
    ClaimRules rules;
    rules.roles = parse_role_scopes("anon=runs:write,authenticated=,robot=runs:read+admin").value();
    EXPECT_EQ(identity(R"({"role":"anon"})", rules).scopes, ScopeSet({Scope::runs_write}));
    EXPECT_TRUE(identity(R"({"role":"authenticated"})", rules).scopes.empty());
    EXPECT_TRUE(identity(R"({"role":"robot"})", rules).scopes.allows(Scope::workflows_write));
    EXPECT_EQ(identity(R"({"role":"service_role"})", rules).scopes, ScopeSet({Scope::admin}));
    const auto misspelt = parse_role_scopes("anon=run:write");
    ASSERT_FALSE(misspelt);
    EXPECT_NE(misspelt.error().message.find("did you mean 'runs:write'"), std::string::npos);
    EXPECT_FALSE(parse_role_scopes("anon"));
    EXPECT_FALSE(parse_role_scopes("=admin"));
}

TEST(JwtClaims, TheTenantComesFromWhereItWasConfigured) {
    ClaimRules rules;
    rules.tenant_claim = parse_claim_path("app_metadata.tenant").value();
    EXPECT_EQ(identity(R"({"app_metadata":{"tenant":"acme"}})", rules).tenant, "acme");
    EXPECT_FALSE(identity(R"({"app_metadata":{"tenant":"acme"}})").tenant) << "not asked for";
    for (const char* claims :
         {R"({})",
          R"({"role":"service_role"})",
          R"({"tenant":"acme"})",
          R"({"app_metadata":{}})",
          R"({"app_metadata":"acme"})",
          R"({"app_metadata":{"tenant":null}})",
          R"({"app_metadata":{"tenant":7}})",
          R"({"app_metadata":{"tenant":""}})",
          R"({"app_metadata":{"tenant":["acme"]}})"}) {
        const auto without = identity_of(parse_json(claims).value().as_object(), rules);
        ASSERT_FALSE(without) << claims;
        EXPECT_EQ(without.error().code, Errc::unauthenticated) << claims;
        EXPECT_NE(without.error().message.find("app_metadata.tenant"), std::string::npos);
    }
}

TEST(JwtClaims, UsersCannotChooseTheirTenant) {
    const auto path = parse_claim_path("user_metadata.tenant");
    ASSERT_FALSE(path);
    EXPECT_NE(path.error().message.find("app_metadata"), std::string::npos);
    EXPECT_FALSE(parse_claim_path(""));
    EXPECT_FALSE(parse_claim_path("."));
}

TEST(JwtClaims, ANameCannotForgeALogLine) {
    EXPECT_EQ(identity(R"({"sub":"a\nb"})").name, "a?b");
    EXPECT_EQ(identity("{\"sub\":\"" + std::string(500, 'x') + "\"}").name.size(), 200u);
    const std::string accented = std::string(199, 'x') + "\xc3\xa9";
    EXPECT_EQ(identity("{\"sub\":\"" + accented + "\"}").name, std::string(199, 'x'));
    EXPECT_EQ(identity("{}").name, "token");
}

}  // namespace
}  // namespace pawl::api
