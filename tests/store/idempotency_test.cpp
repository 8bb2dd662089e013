#include "store/repos/idempotency.hpp"

#include "store/under_test.hpp"

namespace pawl::test {
namespace {

class IdempotencyPg : public ::testing::Test {
protected:
    static store::StoredAnswer answer(const std::string& body) {
        store::StoredAnswer answer;
        answer.fingerprint = std::string("\0\xff", 2) + body;
        answer.status = 201;
        answer.headers = json::object{{"Location", "/v1/runs/7"}};
        answer.body = body;
        return answer;
    }
    store::StoredAnswer remember(const std::string& key, const std::string& body) {
        return db_.loop().run(answers_.remember(1, key, answer(body)));
    }
    std::optional<store::StoredAnswer> find(const std::string& key, std::int32_t tenant = 1) {
        return db_.loop().run(answers_.find(tenant, key));
    }
    void age() {
        db_.database().session().script(
            "update pawl.idempotency_key set at = at - interval '25 hours'"
        );
    }

    PgUnderTest db_;
    store::Idempotency answers_{db_.pool()};
};

TEST_F(IdempotencyPg, AnAnswerIsKept) {
    EXPECT_FALSE(find("k"));
    remember("k", "{}");
    const auto found = find("k");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->fingerprint, answer("{}").fingerprint);
    EXPECT_EQ(found->status, 201);
    EXPECT_EQ(found->headers, answer("").headers);
    EXPECT_EQ(found->body, "{}");
    EXPECT_FALSE(find("k", 2)) << "another tenant's";
}

TEST_F(IdempotencyPg, TheFirstAnswerStays) {
    EXPECT_EQ(remember("k", "first").body, "first");
    EXPECT_EQ(remember("k", "second").body, "first");
    std::vector<asio::awaitable<store::StoredAnswer>> calls;
    for (int i = 0; i < 8; ++i) {
        calls.push_back(answers_.remember(1, "race", answer(std::to_string(i))));
    }
    const auto kept = db_.loop().run_all(std::move(calls));
    for (const auto& one : kept) EXPECT_EQ(one.body, kept.front().body);
}

TEST_F(IdempotencyPg, ADayLaterTheKeyIsFree) {
    remember("k", "first");
    age();
    EXPECT_FALSE(find("k"));
    EXPECT_EQ(remember("k", "second").body, "second");
}

TEST_F(IdempotencyPg, PurgesInBatchesWhatIsTooOld) {
    for (const char* key : {"a", "b", "c"}) remember(key, "x");
    EXPECT_EQ(db_.loop().run(answers_.purge(10)), 0);
    age();
    remember("d", "x");
    EXPECT_EQ(db_.loop().run(answers_.purge(2)), 2);
    EXPECT_EQ(db_.loop().run(answers_.purge(2)), 1);
    EXPECT_TRUE(find("d"));
}

}  // namespace
}  // namespace pawl::test
