#include "store/repos/outbox.hpp"
#include "store/repos/outbox_targets.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

// The order of a run holds, and nothing gets lost, whichever publisher settles messages and when.
namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using store::OutboxState;

class OutboxOrder : public ::testing::Test {
protected:
    PgUnderTest db_;
    Session& session_ = db_.database().session();
    Vault vault_ = Vault::from_keys(std::string(64, 'a')).value();
    store::Outbox outbox_{db_.pool(), vault_};
    store::OutboxTargets targets_{db_.pool(), vault_};
    WorkerId worker_ = db_.worker();
    RunId run_;

    void SetUp() override {
        target();
        run_ = db_.run(worker_);
    }
    std::int32_t target() {
        store::NewOutboxTarget target;
        target.events = {"*"};
        target.kind = "webhook";
        target.address = "http://hook.test/";
        return db_.loop().run(targets_.create({}, target)).id;
    }
    void step(int first, int last, const json::value& data = nullptr) {
        for (int seq = first; seq <= last; ++seq) {
            store::CommitBatch batch;
            batch.worker = worker_;
            Event event = step_completed(seq);
            event.data = data;
            batch.events.push_back({run_, event});
            db_.commit(batch);
        }
    }
    store::TakenMessages take(WorkerId sender, int limit = 50) {
        return db_.loop().run(outbox_.take(0, sender, limit, 30s));
    }
    // Messages up to `published` were told; the others are put back, or wait.
    void settle(
        const store::TakenMessages& taken,
        WorkerId sender,
        int published,
        std::optional<Duration> wait = Duration(0)
    ) {
        store::SettledMessages settled;
        settled.target = taken.target;
        settled.shard = taken.shard;
        for (const auto& message : taken.messages) {
            const bool told = message.seq <= published;
            const auto state = told ? OutboxState::published : OutboxState::pending;
            settled.messages.push_back(
                {message.run, message.seq, state, told, {}, "", "", told ? std::nullopt : wait}
            );
        }
        db_.loop().run(outbox_.settle(0, sender, settled));
    }
    static std::string seqs(const store::TakenMessages& taken) {
        std::string all;
        for (const auto& message : taken.messages) all += fmt::format("{} ", message.seq);
        return all;
    }
    std::string value(const std::string& sql) {
        return session_.value("select (" + sql + ")::text");
    }
};

TEST_F(OutboxOrder, WhatWasPutBackGoesFirst) {
    const auto sender = new_worker_id();
    step(1, 3);
    const auto taken = take(sender);
    EXPECT_EQ(seqs(taken), "0 1 2 3 ");
    step(4, 4);
    settle(taken, sender, 1);
    const auto rest = take(sender);
    EXPECT_EQ(seqs(rest), "2 3 4 ");
    settle(rest, sender, 2);
    EXPECT_EQ(seqs(take(sender, 1)), "3 ") << "also when not all of them are taken";
}

TEST_F(OutboxOrder, NothingPassesAnEarlierOneThatIsDueLater) {
    const auto sender = new_worker_id();
    step(1, 4);
    // As when one was written while an earlier one got another time.
    session_.script("update pawl.outbox set due_at = now() - interval '1 s' where seq <> 2");
    EXPECT_EQ(seqs(take(sender)), "0 1 2 3 4 ");
}

TEST_F(OutboxOrder, MoreThanOneTakeHolds) {
    const auto sender = new_worker_id();
    step(1, 9);
    const auto taken = take(sender, 6);
    settle(taken, sender, 3);
    std::string told;
    for (int i = 0; i < 20 && told.size() < 12; ++i) {
        const auto next = take(sender, 4);
        told += seqs(next);
        settle(next, sender, 99);
    }
    EXPECT_EQ(told, "4 5 6 7 8 9 ");
}

TEST_F(OutboxOrder, NothingPendingIsForgotten) {
    const auto sender = new_worker_id();
    settle(take(sender), sender, -1, std::nullopt);
    EXPECT_EQ(seqs(take(sender)), "0 ") << "no time for the next try: now";
    EXPECT_NE(
        session_.refusal("update pawl.outbox set state = 0, due_at = null").message.find("due"),
        std::string::npos
    );
}

TEST_F(OutboxOrder, ALateWordIsHeardOnlyWhenItIsGood) {
    const auto late = new_worker_id(), sender = new_worker_id();
    step(1, 1);
    const auto first = take(late);
    session_.script("update pawl.outbox_lease set leased_until = '-infinity'");
    const auto second = take(sender);
    EXPECT_EQ(seqs(second), "0 1 ");
    settle(first, late, 0, Duration(1h));
    EXPECT_EQ(value("select state from pawl.outbox where seq = 0"), "2") << "it was published";
    EXPECT_EQ(value("select state from pawl.outbox where seq = 1"), "1") << "it is under way";
    EXPECT_EQ(value("select count(*) from pawl.outbox_lease where worker is not null"), "1");
    settle(second, sender, -1);
    EXPECT_EQ(value("select state from pawl.outbox where seq = 0"), "2") << "and stays so";
    const auto third = take(sender);
    EXPECT_EQ(seqs(third), "1 ");
    settle(third, sender, 1);
    settle(first, late, -1, Duration(1h));
    EXPECT_EQ(value("select count(*) from pawl.outbox where state = 2"), "2");
}

TEST_F(OutboxOrder, BigResultsAreLeftOutHoweverWellTheyCompress) {
    const auto sender = new_worker_id();
    step(1, 1, json::value(std::string(1'000'000, 'x')));
    step(2, 2, json::value(std::string(19'000, 'x')));
    json::array many;
    for (int i = 0; i < 5000; ++i) many.push_back(1);
    step(3, 3, many);
    const auto taken = take(sender);
    ASSERT_EQ(taken.messages.size(), 4u);
    EXPECT_NE(taken.messages[1].body.find(R"("truncated": true)"), std::string::npos);
    EXPECT_LT(taken.messages[1].body.size(), 1000u);
    EXPECT_GT(taken.messages[2].body.size(), 19'000u);
    EXPECT_GT(taken.messages[3].body.size(), 15'000u) << "what goes out counts, not what is kept";
}

TEST_F(OutboxOrder, ATenantHasSoManyTargetsAndNoMore) {
    for (int i = 1; i < 50; ++i) target();
    try {
        target();
        FAIL() << "51 are too many";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.error().code, Errc::conflict);
        EXPECT_NE(failure.error().message.find("50 webhooks"), std::string::npos) << failure.what();
    }
}

}  // namespace
}  // namespace pawl::test
