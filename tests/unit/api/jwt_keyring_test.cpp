#include "api/auth/jwt_keyring.hpp"

#include "http/server.hpp"
#include "support/loop.hpp"
#include "support/tokens.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace pawl::api {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::TokenSigner;

// An identity provider: a real server with a JWK set that the test changes.
class JwtKeyringTest : public ::testing::Test {
protected:
    JwtKeyringTest() {
        server_.listen();
        options_.jwks_url = "http://127.0.0.1:" + std::to_string(server_.port()) + "/jwks.json";
        options_.clock = [this] { return now_; };
    }
    ~JwtKeyringTest() override { loop_.run(server_.stop()); }

    asio::awaitable<http::ServerResponse> answer(http::ServerRequest) {
        ++fetches_;
        co_return http::ServerResponse{status_, {}, document_};
    }

    static Jwt token_of(const TokenSigner& signer) {
        return parse_jwt(signer.sign({{"exp", 1}})).value();
    }
    JwtKeyring& ring() {
        if (!ring_) ring_.emplace(loop_.context().get_executor(), options_, client_);
        return *ring_;
    }
    // Whether there is a key for the token, or the code of the error.
    std::string look(const TokenSigner& signer) {
        const Jwt token = token_of(signer);
        const auto keys = loop_.run(ring().keys_for(token));
        if (!keys) return std::string(info(keys.error().code).name);
        return has_key_for(token, **keys) ? "found" : "none";
    }

    test::Loop loop_;
    Steady::time_point now_ = Steady::time_point{} + std::chrono::hours(1);
    int fetches_ = 0;
    int status_ = 200;
    std::string document_ = R"({"keys":[]})";
    http::Server server_{loop_.context().get_executor(), {}, [this](http::ServerRequest request) {
                             return answer(std::move(request));
                         }};
    http::Client client_{loop_.context().get_executor()};
    KeyringOptions options_;
    std::optional<JwtKeyring> ring_;
    const TokenSigner old_{TokenSigner::Kind::ec, "old"};
    const TokenSigner new_{TokenSigner::Kind::ec, "new"};
};

TEST_F(JwtKeyringTest, FetchesOnceAndKeeps) {
    document_ = old_.jwks();
    EXPECT_EQ(look(old_), "found");
    EXPECT_EQ(look(old_), "found");
    EXPECT_EQ(fetches_, 1);
}

TEST_F(JwtKeyringTest, AnUnknownKidBringsANewLookOnceAMinute) {
    document_ = old_.jwks();
    EXPECT_EQ(look(old_), "found");
    document_ = new_.jwks();
    EXPECT_EQ(look(new_), "none") << "fetched a moment ago";
    now_ += minutes(1);
    EXPECT_EQ(look(new_), "found");
    EXPECT_EQ(fetches_, 2);
    const TokenSigner stranger(TokenSigner::Kind::ec, "stranger");
    for (int i = 0; i < 5; ++i) EXPECT_EQ(look(stranger), "none");
    EXPECT_EQ(fetches_, 2) << "strangers must not make us call the issuer";
}

TEST_F(JwtKeyringTest, AllCallersWaitForTheFirstFetch) {
    document_ = old_.jwks();
    std::vector<asio::awaitable<Result<JwtKeyring::Keys>>> looks;
    for (int i = 0; i < 8; ++i) looks.push_back(ring().keys_for(token_of(old_)));
    for (const auto& keys : loop_.run_all(std::move(looks))) {
        ASSERT_TRUE(keys);
        EXPECT_EQ((*keys)->size(), 1u);
    }
    EXPECT_EQ(fetches_, 1);
}

TEST_F(JwtKeyringTest, TheLastGoodKeysStayWhenTheIssuerFails) {
    document_ = old_.jwks();
    EXPECT_EQ(look(old_), "found");
    status_ = 500;
    now_ += minutes(1);
    EXPECT_EQ(look(new_), "none");
    EXPECT_EQ(fetches_, 2);
    EXPECT_EQ(look(old_), "found");
    status_ = 200;
    document_ = "<html>";
    now_ += minutes(1);
    EXPECT_EQ(look(new_), "none");
    EXPECT_EQ(look(old_), "found");
}

TEST_F(JwtKeyringTest, WithoutAnyKeysItIsNotTheCallersFault) {
    status_ = 503;
    EXPECT_EQ(look(old_), "unavailable");
    EXPECT_EQ(look(old_), "unavailable");
    EXPECT_EQ(fetches_, 1);
    status_ = 200;
    document_ = old_.jwks();
    now_ += seconds(5);
    EXPECT_EQ(look(old_), "found");
}

TEST_F(JwtKeyringTest, WithdrawnKeysGoAfterTenMinutes) {
    document_ = old_.jwks();
    EXPECT_EQ(look(old_), "found");
    document_ = new_.jwks();
    now_ += minutes(10);
    EXPECT_EQ(look(old_), "found") << "no caller waits while there is a key";
    EXPECT_EQ(look(new_), "found") << "this one waits for the look that is under way";
    EXPECT_EQ(look(old_), "none");
    EXPECT_EQ(fetches_, 2);
}

TEST_F(JwtKeyringTest, ASecretNeedsNoIssuer) {
    options_.secret = std::string(40, 's');
    const Jwt token = parse_jwt(test::sign_with_secret(options_.secret, {{"exp", 1}})).value();
    const auto keys = loop_.run(ring().keys_for(token));
    ASSERT_TRUE(keys);
    EXPECT_TRUE(has_key_for(token, **keys));
    EXPECT_EQ(fetches_, 0);
}

TEST_F(JwtKeyringTest, AFetchMayOutliveTheKeyring) {
    document_ = old_.jwks();
    EXPECT_EQ(look(old_), "found");
    now_ += minutes(10);
    EXPECT_EQ(look(old_), "found");
    ring_.reset();
    http::Request request{"GET", options_.jwks_url};
    request.trusted = true;  // like the keyring's own
    EXPECT_EQ(loop_.run(client_.send(std::move(request))).value().status, 200);
}

TEST_F(JwtKeyringTest, AFileIsReadAtTheStartAndForUnknownKeys) {
    const std::string path = testing::TempDir() + "jwks-" + std::to_string(::getpid()) + ".json";
    std::ofstream(path) << old_.jwks();
    options_.jwks_url.clear();
    options_.jwks_file = path;
    EXPECT_EQ(look(old_), "found");
    std::ofstream(path) << new_.jwks();
    EXPECT_EQ(look(new_), "found");
    std::ofstream(path) << "nonsense";
    now_ += minutes(1);
    EXPECT_EQ(look(old_), "none");
    EXPECT_EQ(look(new_), "found") << "the last good ones stay";
    EXPECT_THROW(JwtKeyring(loop_.context().get_executor(), options_, client_), Failure);
    std::remove(path.c_str());
    EXPECT_THROW(JwtKeyring(loop_.context().get_executor(), options_, client_), Failure);
}

}  // namespace
}  // namespace pawl::api
