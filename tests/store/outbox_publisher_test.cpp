#include "engine/services/outbox_publisher.hpp"

#include "http/server.hpp"
#include "store/repos/outbox_targets.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;

// The one who sends, on a real outbox.
class Publisher : public ::testing::Test {
protected:
    PgUnderTest db_;
    asio::any_io_executor executor_ = db_.loop().context().get_executor();
    Session& session_ = db_.database().session();
    Vault vault_ = Vault::from_keys(std::string(64, 'a')).value();
    store::Outbox outbox_{db_.pool(), vault_};
    store::OutboxTargets targets_{db_.pool(), vault_};
    engine::Gate never_{executor_};
    int asked_ = 0;
    int slow_ = 0;
    http::Server server_{executor_, http::ServerOptions(), [this](http::ServerRequest request) {
                             return request.target == "/slow" ? never_answered() : answered();
                         }};
    http::Client client_{executor_, anywhere()};

    static http::ClientOptions anywhere() {
        http::ClientOptions options;
        options.outbound = http::Outbound::anywhere();
        return options;
    }
    // The first is told at once, the second takes for ever.
    asio::awaitable<http::ServerResponse> answered() {
        if (++asked_ > 1) co_await never_.wait(Steady::now() + 1h);
        co_return http::ServerResponse{200, {}, ""};
    }
    asio::awaitable<http::ServerResponse> never_answered() {
        ++slow_;
        engine::Gate never(executor_);
        co_await never.wait();
        co_return http::ServerResponse{200, {}, ""};
    }
    void SetUp() override { server_.listen(); }
    void TearDown() override { never_.open(); }

    void target(
        std::string event, int batch_max, const std::string& path = "/", store::TenantId tenant = 1
    ) {
        store::NewOutboxTarget target;
        target.events = {std::move(event)};
        target.kind = "webhook";
        target.batch_max = batch_max;
        target.address = fmt::format("http://127.0.0.1:{}{}", server_.port(), path);
        db_.loop().run(targets_.create({tenant}, target));
    }
    engine::PublisherOptions options() {
        engine::PublisherOptions options;
        options.workers = 1;
        options.batch = 2;
        return options;
    }
    // Runs it until something holds, and stops it then.
    template <class Until>
    asio::awaitable<void> run_until(engine::OutboxPublisher& publisher, Until until) {
        engine::CoroutineGroup group(executor_);
        group.spawn(publisher.run());
        while (!until()) {
            publisher.look();
            engine::Gate soon(executor_);
            co_await soon.wait(Steady::now() + 1ms);
        }
        group.cancel();
        co_await group.join();
    }
    std::string value(const std::string& sql) {
        return session_.value("select (" + sql + ")::text");
    }
};

TEST_F(Publisher, AStoppedPublisherRecordsWhatItSent) {
    target("*", 1);
    const auto worker = db_.worker();
    const RunId run = db_.run(worker);
    store::CommitBatch batch;
    batch.worker = worker;
    batch.events.push_back({run, step_completed(1)});
    db_.commit(batch);
    engine::OutboxPublisher publisher(executor_, outbox_, client_, options());
    db_.loop().run(run_until(publisher, [&] { return asked_ == 2; }));
    EXPECT_EQ(value("select state from pawl.outbox where seq = 0"), "2");
    EXPECT_EQ(value("select state from pawl.outbox where seq = 1"), "0");
    EXPECT_EQ(value("select attempts from pawl.outbox where seq = 1"), "0");
    EXPECT_EQ(value("select count(*) from pawl.outbox_lease where worker is not null"), "0")
        << "the next one need not wait";
}

TEST_F(Publisher, ABatchThatIsInterruptedIsGivenBack) {
    target("run.started", 2);
    const auto worker = db_.worker();
    asked_ = 1;  // no answer at all
    db_.run(worker);
    engine::OutboxPublisher publisher(executor_, outbox_, client_, options());
    db_.loop().run(run_until(publisher, [&] { return asked_ == 2; }));
    EXPECT_EQ(value("select state from pawl.outbox"), "0");
    EXPECT_EQ(value("select count(*) from pawl.outbox_lease where worker is not null"), "0");
}

TEST_F(Publisher, ASecretThatCannotBeReadIsSaidOnTheDelivery) {
    target("run.started", 1);
    db_.run(db_.worker());
    Vault wrong = Vault::from_keys(std::string(64, 'b')).value();
    store::Outbox blind(db_.pool(), wrong);
    engine::OutboxPublisher publisher(executor_, blind, client_, options());
    const std::string error = "select coalesce(max(error), '') from pawl.outbox";
    db_.loop().run(run_until(publisher, [&] { return !value(error).empty(); }));
    EXPECT_NE(value(error).find("its secret cannot be read"), std::string::npos) << value(error);
    EXPECT_EQ(value("select state || ' ' || attempts from pawl.outbox"), "0 0") << "not tried";
    EXPECT_EQ(asked_, 0);
    // A publisher that has the key sends it, and the error is gone.
    session_.script("update pawl.outbox set due_at = now()");
    session_.script("update pawl.outbox_lease set next_at = '-infinity'");
    engine::OutboxPublisher other(executor_, outbox_, client_, options());
    db_.loop().run(run_until(other, [&] { return value("select state from pawl.outbox") == "2"; }));
    EXPECT_EQ(value(error), "");
}

TEST_F(Publisher, SlowTargetsOfATenantKeepNoOthersWaiting) {
    const auto hostile = db_.other_tenant();
    for (int i = 0; i < 4; ++i) target("run.started", 1, "/slow", hostile);
    target("run.started", 1);
    auto theirs = new_run(db_.workflow());
    theirs.tenant = hostile;
    db_.start({theirs});
    db_.run();
    auto two = options();
    two.deliveries_max = 2;
    engine::OutboxPublisher publisher(executor_, outbox_, client_, two);
    db_.loop().run(run_until(publisher, [&] {
        return asked_ == 1 && slow_ == 1 && publisher.published() == 1;
    }));
    EXPECT_EQ(value("select max(attempts) from pawl.outbox where state = 0"), "0") << "put back";
    EXPECT_EQ(value("select count(*) from pawl.outbox_lease where worker is not null"), "0");
}

TEST_F(Publisher, CommitsThatFillNothingDoNotKeepItBusy) {
    target("run.failed", 1);
    engine::OutboxPublisher publisher(executor_, outbox_, client_, options());
    const auto begun = Steady::now();
    db_.loop().run(run_until(publisher, [&] { return publisher.rounds() >= 12; }));
    EXPECT_GE(Steady::now() - begun, 200ms);
}

}  // namespace
}  // namespace pawl::test
