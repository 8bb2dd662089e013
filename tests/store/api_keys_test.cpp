#include "store/repos/api_keys.hpp"

#include "store/under_test.hpp"

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

class ApiKeysPg : public ::testing::Test {
protected:
    static std::string hash(char fill) { return std::string(32, fill); }

    store::ApiKey create(char fill, std::optional<Instant> expires = std::nullopt) {
        store::NewApiKey key;
        key.name = "deploy";
        key.prefix = fill == 0 ? "pawl_0" : std::string("pawl_") + fill;
        key.hash = hash(fill);
        key.scopes = {"runs:read", "runs:write"};
        key.expires_at = expires;
        return db_.loop().run(keys_.create(key));
    }
    std::optional<store::ApiKey> find(char fill) {
        return db_.loop().run(keys_.find_by_hash(hash(fill)));
    }
    bool revoke(const std::string& which, std::int32_t tenant = 1) {
        return db_.loop().run(keys_.revoke(tenant, which));
    }

    PgUnderTest db_;
    store::ApiKeys keys_{db_.pool()};
};

TEST_F(ApiKeysPg, AKeyIsFoundByItsHash) {
    EXPECT_FALSE(db_.loop().run(keys_.any_exist()));
    const auto made = create('\0');  // hashes are bytes, not text
    const auto found = find('\0');
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, made.id);
    EXPECT_EQ(found->tenant.id, 1);
    EXPECT_EQ(found->tenant.bucket, 0);
    EXPECT_EQ(found->name, "deploy");
    EXPECT_EQ(found->scopes, (std::vector<std::string>{"runs:read", "runs:write"}));
    EXPECT_EQ(found->created_at, made.created_at);
    EXPECT_FALSE(found->expires_at);
    EXPECT_FALSE(found->last_used_at);
    EXPECT_FALSE(find('b'));
    EXPECT_TRUE(db_.loop().run(keys_.any_exist()));
}

TEST_F(ApiKeysPg, AnExpiredKeyIsNotFound) {
    create('a', db_.now() - 1s);
    create('b', db_.now() + 1h);
    EXPECT_FALSE(find('a'));
    EXPECT_TRUE(find('b'));
}

TEST_F(ApiKeysPg, ARevokedKeyIsNotFoundButListed) {
    create('a');
    const auto second = create('b');
    EXPECT_FALSE(revoke("pawl_a", 2)) << "another tenant's";
    EXPECT_FALSE(revoke("pawl_z"));
    EXPECT_TRUE(revoke("pawl_a"));
    EXPECT_TRUE(revoke("pawl_a")) << "twice is fine";
    EXPECT_FALSE(find('a'));
    EXPECT_TRUE(find('b'));
    EXPECT_TRUE(revoke(std::to_string(second.id)));
    EXPECT_FALSE(find('b'));
    const auto all = db_.loop().run(keys_.list(1));
    ASSERT_EQ(all.size(), 2u);
    EXPECT_TRUE(all[0].revoked_at);
    EXPECT_EQ(all[1].prefix, "pawl_b");
    EXPECT_TRUE(db_.loop().run(keys_.list(2)).empty());
}

TEST_F(ApiKeysPg, APrefixOfTwoKeysRevokesNone) {
    create('a');
    create('b');
    db_.database().session().script("update pawl.api_key set prefix = 'same'");
    EXPECT_EQ(failure_of([&] { revoke("same"); }), Errc::conflict);
    EXPECT_TRUE(find('a'));
    EXPECT_TRUE(find('b'));
}

TEST_F(ApiKeysPg, UseIsNotedOnceAMinute) {
    const auto key = create('a');
    auto& session = db_.database().session();
    const auto used = [&] {
        db_.loop().run(keys_.touch(key.id));
        return session.value("select last_used_at::text from pawl.api_key");
    };
    const auto first = used();
    EXPECT_EQ(used(), first);
    session.script("update pawl.api_key set last_used_at = now() - interval '61 s'");
    EXPECT_GT(used(), first);
}

TEST_F(ApiKeysPg, AHashIsStoredOnce) {
    create('a');
    EXPECT_EQ(failure_of([&] { create('a'); }), Errc::conflict);
}

}  // namespace
}  // namespace pawl::test
