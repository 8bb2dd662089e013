#include "store/sql_fixture.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <unistd.h>

#include <algorithm>
#include <functional>

// A statement can catch its cancellation. It is ended all the same, and meanwhile it has one of the
// connections that its tenant may have.
namespace pawl::test {
namespace {

constexpr const char* stubborn =
    "do $$ begin loop begin perform set_config('client_connection_check_interval', '0', true); "
    "perform pg_sleep(600); exception when query_canceled then null; end; "
    "end loop; end $$";

class SqlEndingsPg : public SqlStepsPg {
protected:
    int backends() {
        return std::stoi(value(fmt::format(
            "select count(*)::text from pg_stat_activity where usename = '{}' and datname = "
            "current_database()",
            name_
        )));
    }
    steps::StepRequest stubborn_one() {
        auto asked = request(stubborn);
        asked.timeout = std::chrono::milliseconds(100);
        return asked;
    }

    const std::string name_ = fmt::format("pawl_test_stubborn_{}", ::getpid());
    const Login login_{db_.database().session(), name_};
    pg::PoolOptions options() {
        auto options = sql_pool(db_.database().url() + "&user=" + name_);
        options.connections_max = 2;
        return options;
    }
    pg::Pool own_{db_.loop().context().get_executor(), options()};
    store::SqlSteps own_steps_{own_, ""};
};

TEST_F(SqlEndingsPg, StatementsThatCatchTheirCancellationAreEndedAndCounted) {
    asio::io_context& context = db_.loop().context();
    constexpr int all = 6;
    int ended = 0;
    for (int i = 0; i < all; ++i) {
        asio::co_spawn(
            context,
            steps::run_sql(own_steps_, 0, stubborn_one()),
            [&](std::exception_ptr, const steps::StepOutcome& outcome) {
                EXPECT_TRUE(outcome.error);
                ++ended;
            }
        );
    }
    int most = 0;
    const auto deadline = Steady::now() + std::chrono::seconds(60);
    while (ended < all && Steady::now() < deadline) {
        context.restart();
        context.run_for(std::chrono::milliseconds(100));
        most = std::max(most, backends());
    }
    EXPECT_EQ(ended, all);
    EXPECT_EQ(own_.open(), 0u);
    EXPECT_LE(most, 4) << "two, and the two that end them";
    EXPECT_EQ(backends(), 0) << "nothing goes on after its step has ended";
}

// The one that used the connection is gone: the next one ends what it left.
TEST_F(SqlEndingsPg, WhatACancelledStepLeftIsEndedBeforeTheNextStatement) {
    asio::io_context& context = db_.loop().context();
    asio::cancellation_signal cancel;
    bool over = false;
    asio::co_spawn(
        context,
        steps::run_sql(own_steps_, 0, stubborn_one()),
        asio::bind_cancellation_slot(
            cancel.slot(), [&](std::exception_ptr, const steps::StepOutcome&) { over = true; }
        )
    );
    const auto deadline = Steady::now() + std::chrono::seconds(60);
    const auto until = [&](const std::function<bool()>& so) {
        while (!so() && Steady::now() < deadline) {
            context.restart();
            context.run_for(std::chrono::milliseconds(10));
        }
    };
    until([&] {
        return value(
                   "select count(*)::text from pg_stat_activity where query like "
                   "'do $$ begin loop%' and usename = '" +
                   name_ + "'"
               ) == "1";
    });
    cancel.emit(asio::cancellation_type::all);
    until([&] { return over; });
    ASSERT_TRUE(over);
    EXPECT_EQ(
        text(db_.loop().run(steps::run_sql(own_steps_, 0, request("select 1 as n")))),
        R"({"rows":[{"n":1}],"count":1})"
    );
    EXPECT_EQ(backends(), 1) << "that of the second one";
}

}  // namespace
}  // namespace pawl::test
