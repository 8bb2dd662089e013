#include "api/auth/authenticator.hpp"

#include "app/tenants/auth_key.hpp"
#include "base/sha256.hpp"
#include "store/under_test.hpp"
#include "support/tokens.hpp"

#include <gtest/gtest.h>

namespace pawl::test {
namespace {

using api::Principal;
using api::Scope;
using std::chrono::seconds;

const std::string secret = "super-secret-jwt-token-with-at-least-32-characters-long";

class AuthenticatorPg : public ::testing::Test {
protected:
    AuthenticatorPg() {
        options_.keyring.secret = secret;
        options_.keyring.clock = [this] { return now_; };
        options_.claims.tenant_claim = "app_metadata.tenant";
    }

    std::string make_key(std::vector<std::string> scopes) {
        const auto text = app::make_api_key();
        store::NewApiKey key;
        key.name = "test";
        key.prefix = text.prefix;
        key.hash = sha256(text.text);
        key.scopes = std::move(scopes);
        db_.loop().run(keys_.create(key));
        return text.text;
    }
    Result<Principal> ask(const std::string& bearer) {
        if (!authenticator_) {
            authenticator_.emplace(
                db_.loop().context().get_executor(), options_, keys_, sessions_, client_
            );
        }
        const http::Headers headers{{"Authorization", "Bearer " + bearer}};
        return db_.loop().run(authenticator_->authenticate(headers));
    }
    std::string refusal(const std::string& bearer) {
        const auto principal = ask(bearer);
        return principal ? "" : principal.error().message;
    }
    static std::string token(json::object claims) {
        const auto soon = wall_now() + seconds(300);
        claims["exp"] = std::chrono::duration_cast<seconds>(soon.time_since_epoch()).count();
        return sign_with_secret(secret, claims);
    }
    void script(const std::string& sql) { db_.database().session().script(sql); }

    PgUnderTest db_;
    store::ApiKeys keys_{db_.pool()};
    store::Sessions sessions_{db_.pool()};
    http::Client client_{db_.loop().context().get_executor()};
    Steady::time_point now_ = Steady::time_point{} + std::chrono::hours(1);
    api::AuthOptions options_;
    std::optional<api::Authenticator> authenticator_;
};

TEST_F(AuthenticatorPg, AKeyOpensWhatItsScopesSay) {
    const std::string key = make_key({"runs:read", "runs:write"});
    const auto principal = ask(key);
    ASSERT_TRUE(principal) << principal.error().message;
    EXPECT_EQ(principal->tenant, 1);
    EXPECT_EQ(principal->name, app::api_key_prefix(key));
    EXPECT_EQ(principal->scopes, api::ScopeSet({Scope::runs_read, Scope::runs_write}));
    auto& session = db_.database().session();
    EXPECT_NE(session.value("select last_used_at::text from pawl.api_key"), "");
}

// A standby takes no writes, so the use of a key cannot be noted there.
TEST_F(AuthenticatorPg, AKeyOpensADatabaseThatTakesNoWrites) {
    const std::string key = make_key({"runs:read"});
    pg::PoolOptions options;
    options.connect.conninfo = db_.database().url();
    options.connect.conninfo += "&options=-cdefault_transaction_read_only%3Don";
    pg::Pool pool(db_.loop().context().get_executor(), options);
    store::ApiKeys keys(pool);
    store::Sessions sessions(pool);
    const auto executor = db_.loop().context().get_executor();
    api::Authenticator reads(executor, options_, keys, sessions, client_);
    const http::Headers headers{{"Authorization", "Bearer " + key}};
    const auto principal = db_.loop().run(reads.authenticate(headers));
    ASSERT_TRUE(principal) << principal.error().message;
    auto& session = db_.database().session();
    EXPECT_EQ(session.value("select count(last_used_at)::text from pawl.api_key"), "0");
}

TEST_F(AuthenticatorPg, AnUnknownKeyIsRefusedWithoutShowingIt) {
    make_key({"admin"});
    const auto other = app::make_api_key();
    const std::string why = refusal(other.text);
    EXPECT_EQ(why, "the API key pawl_" + other.prefix + "_... is unknown, revoked or expired");
    EXPECT_NE(refusal("pawl_123").find("malformed API key"), std::string::npos);
    EXPECT_NE(refusal(std::string(9000, 'x')).find("longer than"), std::string::npos);
}

TEST_F(AuthenticatorPg, AKeyInUseCostsAQueryEveryFiveSeconds) {
    const std::string key = make_key({"admin"});
    ASSERT_TRUE(ask(key));
    script("update pawl.api_key set revoked_at = now()");
    now_ += seconds(4);
    EXPECT_TRUE(ask(key)) << "remembered";
    now_ += seconds(1);
    EXPECT_NE(refusal(key).find("revoked"), std::string::npos);
}

TEST_F(AuthenticatorPg, AnUnknownKeyIsLookedUpAgainAfterASecond) {
    const std::string key = make_key({"admin"});
    script("update pawl.api_key set revoked_at = now()");
    EXPECT_NE(refusal(key), "");
    script("update pawl.api_key set revoked_at = null");
    EXPECT_NE(refusal(key), "") << "remembered";
    now_ += seconds(1);
    EXPECT_EQ(refusal(key), "");
}

TEST_F(AuthenticatorPg, AScopeOfALaterReleaseGrantsNothing) {
    const auto principal = ask(make_key({"runs:read", "moon:land"}));
    ASSERT_TRUE(principal);
    EXPECT_EQ(principal->scopes, api::ScopeSet({Scope::runs_read}));
}

TEST_F(AuthenticatorPg, ATokenOfSupabase) {
    options_.claims.tenant_claim.clear();
    const auto user = ask(token({{"role", "authenticated"}, {"sub", "u-7"}}));
    ASSERT_TRUE(user) << user.error().message;
    EXPECT_EQ(user->name, "u-7");
    EXPECT_EQ(user->tenant, 1);
    EXPECT_TRUE(user->scopes.allows(Scope::runs_write));
    EXPECT_FALSE(user->scopes.allows(Scope::workflows_write));
    EXPECT_TRUE(ask(token({{"role", "service_role"}}))->scopes.allows(Scope::admin));
    EXPECT_TRUE(ask(token({{"role", "anon"}}))->scopes.empty());
    const std::string forged = sign_with_secret(std::string(40, 'x'), {{"exp", 9999999999}});
    EXPECT_EQ(refusal(forged), "the token's signature is wrong");
}

TEST_F(AuthenticatorPg, ATokenNamesItsTenant) {
    script("insert into pawl.tenant (name, bucket) values ('acme', 3)");
    const auto named = [](const char* name) {
        return token({{"role", "anon"}, {"app_metadata", json::object{{"tenant", name}}}});
    };
    const auto principal = ask(named("acme"));
    ASSERT_TRUE(principal) << principal.error().message;
    EXPECT_NE(principal->tenant, 1);
    EXPECT_EQ(principal->bucket, 3);
    const auto unknown = ask(named("unknown"));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Errc::forbidden);
}

TEST_F(AuthenticatorPg, ATokenWithoutATenantIsOfNone) {
    const auto stranger = ask(token({{"role", "service_role"}, {"sub", "u-7"}}));
    ASSERT_FALSE(stranger);
    EXPECT_EQ(stranger.error().code, Errc::unauthenticated);
    EXPECT_NE(stranger.error().message.find("app_metadata.tenant"), std::string::npos);
}

TEST_F(AuthenticatorPg, ATokenIsNotRememberedBeyondItsEnd) {
    Instant wall{seconds(1'800'000'000)};
    options_.wall = [&wall] { return wall; };
    const std::string text = sign_with_secret(
        secret, {{"exp", 1'800'000'000 - 58}, {"app_metadata", json::object{{"tenant", "default"}}}}
    );
    ASSERT_TRUE(ask(text));
    now_ += seconds(1);
    wall += seconds(1);
    EXPECT_TRUE(ask(text));
    now_ += seconds(1);
    wall += seconds(1);
    EXPECT_EQ(refusal(text), "the token expired at 2027-01-15T07:59:02.000000Z");
}

TEST_F(AuthenticatorPg, WithoutKeysForTokensOnlyApiKeysAreTaken) {
    options_.keyring.secret.clear();
    EXPECT_NE(refusal(token({{"role", "service_role"}})).find("not set up"), std::string::npos);
    EXPECT_EQ(refusal(make_key({"admin"})), "");
}

TEST_F(AuthenticatorPg, WhatCannotWorkIsRefusedAtTheStart) {
    options_.keyring.secret = "short";
    EXPECT_THROW(ask("x"), Failure);
}

}  // namespace
}  // namespace pawl::test
