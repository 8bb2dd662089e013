#include "pg/connection.hpp"
#include "pg/pg_error.hpp"
#include "support/database.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using pg::PgError;
using pg::Reaction;

constexpr pg::Query one{"one", "select 1", 0};
constexpr pg::Query echo{"echo", "select $1::text", 1};
constexpr pg::Query divide{"divide", "select 1 / $1::int", 1};
constexpr pg::Query insert_row{"insert_row", "insert into things values ($1::int)", 1};
constexpr pg::Query count_rows{"count_rows", "select count(*) from things", 0};
constexpr pg::Query sleep_long{"sleep_long", "select pg_sleep(20)", 0};
constexpr pg::Query copy_things{"copy_things", "copy things from stdin", 0};

pg::ConnectOptions options_for(const std::string& url, bool prepare = true) {
    pg::ConnectOptions options;
    options.conninfo = url;
    options.prepare = prepare;
    return options;
}

// The PgError that an action throws.
template <class Action>
PgError error_of(Action action) {
    try {
        action();
    } catch (const PgError& error) {
        return error;
    }
    ADD_FAILURE() << "did not throw";
    return PgError({});
}

// Over both ways to send statements.
class Connections : public ::testing::TestWithParam<bool> {
protected:
    std::unique_ptr<pg::Connection> connect() {
        return loop_.run(pg::Connection::connect(options_for(database_.url(), GetParam())));
    }
    pg::Rows run(const pg::Query& query, pg::Params params = {}, Duration limit = 10s) {
        return loop_.run(connection_->run(query, std::move(params), limit));
    }
    static pg::Params with(std::int32_t value) {
        pg::Params params;
        params.add(value);
        return params;
    }

    TestDatabase database_{TestDatabase::Content::empty};
    Loop loop_;
    std::unique_ptr<pg::Connection> connection_ = connect();
};
INSTANTIATE_TEST_SUITE_P(Prepare, Connections, ::testing::Bool(), [](const auto& parameter) {
    return parameter.param ? "On" : "Off";
});

TEST_P(Connections, RunsAQueryAgainAndAgain) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run(one).int4(0, 0), 1);
    pg::Params params;
    params.add("größe");
    EXPECT_EQ(run(echo, std::move(params)).text(0, 0), "größe");
}

TEST_P(Connections, AStatementThatFailsLeavesTheConnectionUsable) {
    const auto error = error_of([this] { run(divide, with(0)); });
    EXPECT_EQ(error.detail().sqlstate, "22012");
    EXPECT_EQ(error.detail().query, "divide");
    EXPECT_EQ(error.reaction(), Reaction::bug);
    EXPECT_TRUE(connection_->usable());
    EXPECT_EQ(run(divide, with(1)).int4(0, 0), 1);
}

TEST_P(Connections, APipelineIsAllOrNothing) {
    loop_.run(connection_->script("create table things (id int primary key)", 10s));
    const auto batch = [](std::vector<std::int32_t> values) {
        std::vector<pg::Statement> statements;
        statements.reserve(values.size());
        for (const auto value : values) statements.push_back({&insert_row, with(value)});
        return statements;
    };
    const auto error = error_of([&] { loop_.run(connection_->run_all(batch({1, 2, 2, 3}), 10s)); });
    EXPECT_EQ(error.detail().sqlstate, "23505");
    EXPECT_EQ(error.detail().constraint, "things_pkey");
    EXPECT_EQ(error.reaction(), Reaction::conflict);
    EXPECT_TRUE(connection_->usable());
    EXPECT_EQ(run(count_rows).int8(0, 0), 0);
    EXPECT_EQ(loop_.run(connection_->run_all(batch({1, 2, 3}), 10s)).size(), 3u);
    EXPECT_EQ(run(count_rows).int8(0, 0), 3);
}

TEST_P(Connections, AFailedPrepareInAPipelineIsNotRemembered) {
    const auto missing = error_of([this] { run(count_rows); });
    EXPECT_EQ(missing.detail().sqlstate, "42P01");
    loop_.run(connection_->script("create table things (id int)", 10s));
    EXPECT_EQ(run(count_rows).int8(0, 0), 0);
}

TEST_P(Connections, ALargeAnswerToALargeQuestion) {
    const std::string text(8 << 20, 'x');
    std::vector<pg::Statement> statements(4);
    for (auto& statement : statements) {
        statement.query = &echo;
        statement.params.add(std::string_view(text));
    }
    // More than the sockets buffer, in both directions at once.
    const auto rows = loop_.run(connection_->run_all(std::move(statements), 20s));
    ASSERT_EQ(rows.size(), 4u);
    for (const auto& row : rows) EXPECT_EQ(row.bytes(0, 0).size(), text.size());
}

TEST_P(Connections, ALimitThatPassesBreaksTheConnection) {
    const auto before = Steady::now();
    const auto error = error_of([this] { run(sleep_long, {}, 50ms); });
    EXPECT_LT(Steady::now() - before, 5s);
    EXPECT_EQ(error.reaction(), Reaction::reconnect);
    EXPECT_FALSE(connection_->usable());
    const auto again = error_of([this] { run(one); });
    EXPECT_NE(std::string(again.what()).find("cannot be used"), std::string::npos);
}

TEST_P(Connections, ABackendThatIsTerminatedMidQuery) {
    Session killer(database_.url());
    const std::string kill_when_asleep =
        "select pg_terminate_backend(pid)::text from pg_stat_activity where wait_event = 'PgSleep' "
        "and pid = " +
        std::to_string(connection_->backend_pid());
    const auto error = error_of([&] {
        loop_.run_beside(connection_->run(sleep_long, {}, 20s), [&] {
            killer.column(kill_when_asleep);
        });
    });
    EXPECT_EQ(error.reaction(), Reaction::reconnect);
    EXPECT_EQ(error.error().code, Errc::unavailable);
    EXPECT_FALSE(connection_->usable());
}

TEST_P(Connections, CopiesIn) {
    loop_.run(connection_->script("create table things (id int, name text)", 10s));
    std::string data;
    for (int i = 0; i < 50000; ++i) data += std::to_string(i) + "\tthing\n";
    EXPECT_EQ(loop_.run(connection_->copy_in(copy_things, data, 10s)), 50000);
    EXPECT_EQ(run(count_rows).int8(0, 0), 50000);
    const auto bad =
        error_of([&] { loop_.run(connection_->copy_in(copy_things, "not a number\tx\n", 10s)); });
    EXPECT_EQ(bad.detail().sqlstate, "22P02");
    EXPECT_TRUE(connection_->usable());
    EXPECT_EQ(run(count_rows).int8(0, 0), 50000);
}

TEST_P(Connections, ACopyThatCannotBeginLeavesNoDoubt) {
    const auto error = error_of([&] { loop_.run(connection_->copy_in(copy_things, "1\n", 10s)); });
    EXPECT_EQ(error.detail().sqlstate, "42P01");
}

TEST_P(Connections, HearsNotifications) {
    loop_.run(connection_->script("listen things", 10s));
    EXPECT_TRUE(loop_.run(connection_->notifications(10ms)).empty());
    EXPECT_TRUE(connection_->usable());
    Session other(database_.url());
    other.script("notify things, 'first'; notify things, 'second'");
    std::vector<std::string> heard;
    while (heard.size() < 2) {
        for (const auto& heard_one : loop_.run(connection_->notifications(10s))) {
            EXPECT_EQ(heard_one.channel, "things");
            EXPECT_EQ(heard_one.sender_pid, other.connection().backend_pid());
            heard.push_back(heard_one.payload);
        }
    }
    EXPECT_EQ(heard, (std::vector<std::string>{"first", "second"}));
    // One that comes with the answer to a query is not lost.
    other.script("notify things, 'third'");
    run(one);
    EXPECT_EQ(loop_.run(connection_->notifications(10s)).size(), 1u);
}

TEST_P(Connections, AScriptStopsAtItsFirstError) {
    const auto error = error_of([&] {
        loop_.run(connection_->script("create table a (i int); select 1/0; create table b ()", 10s)
        );
    });
    EXPECT_EQ(error.detail().sqlstate, "22012");
    EXPECT_TRUE(connection_->usable());
    Session other(database_.url());
    EXPECT_EQ(other.value("select (to_regclass('a') is null)::text"), "true");
}

TEST_P(Connections, AScriptOnATerminatedBackendBreaksTheConnection) {
    Session killer(database_.url());
    killer.value(
        "select pg_terminate_backend(" + std::to_string(connection_->backend_pid()) +
        ", 5000)::text"
    );
    EXPECT_EQ(
        error_of([&] { loop_.run(connection_->script("select 1", 10s)); }).reaction(),
        Reaction::reconnect
    );
    EXPECT_FALSE(connection_->usable());
}

TEST(PreparedStatements, ComeBackAfterTheyAreLost) {
    TestDatabase database(TestDatabase::Content::empty);
    Loop loop;
    auto connection = loop.run(pg::Connection::connect(options_for(database.url())));
    loop.run(connection->run(one, {}, 10s));
    loop.run(connection->script("deallocate all", 10s));
    const auto error = error_of([&] { loop.run(connection->run(one, {}, 10s)); });
    EXPECT_EQ(error.detail().sqlstate, "26000");
    EXPECT_EQ(error.reaction(), Reaction::prepare_again);
    EXPECT_TRUE(connection->usable());
    EXPECT_EQ(loop.run(connection->run(one, {}, 10s)).int4(0, 0), 1);
}

}  // namespace
}  // namespace pawl::test
