#include "store/sql_fixture.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>

// A statement can catch its cancellation. It is ended all the same, and meanwhile it has one of the
// connections that its tenant may have.
namespace pawl::test {
namespace {

constexpr const char* stubborn =
    "do $$ begin loop begin perform pg_sleep(600); exception when query_canceled then null; end; "
    "end loop; end $$";

class SqlEndingsPg : public SqlStepsPg {
protected:
    int backends() {
        return std::stoi(
            value("select count(*)::text from pg_stat_activity where usename = "
                  "'pawl_test_stubborn' and datname = current_database()")
        );
    }
};

TEST_F(SqlEndingsPg, statements_that_catch_their_cancellation_are_ended_and_counted) {
    const Login login(db_.database().session(), "pawl_test_stubborn");
    asio::io_context& context = db_.loop().context();
    {
        auto options = sql_pool(db_.database().url() + "&user=pawl_test_stubborn");
        options.connections_max = 2;
        pg::Pool pool(context.get_executor(), options);
        store::SqlSteps steps(pool, "");
        constexpr int all = 6;
        int ended = 0;
        for (int i = 0; i < all; ++i) {
            auto asked = request(stubborn);
            asked.timeout = std::chrono::milliseconds(100);
            asio::co_spawn(
                context,
                steps::run_sql(steps, 0, std::move(asked)),
                [&](std::exception_ptr, const steps::StepOutcome& outcome) {
                    EXPECT_TRUE(outcome.error);
                    ++ended;
                }
            );
        }
        int most = 0;
        const auto deadline = Steady::now() + std::chrono::seconds(60);
        while ((ended < all || pool.open() > 0) && Steady::now() < deadline) {
            context.restart();
            context.run_for(std::chrono::milliseconds(100));
            most = std::max(most, backends());
        }
        EXPECT_EQ(ended, all);
        EXPECT_EQ(pool.open(), 0u) << "a place is free when its backend is gone";
        EXPECT_LE(most, 3) << "two, and the one that ends them";
    }
    EXPECT_EQ(backends(), 0);
}

TEST_F(SqlEndingsPg, a_statement_whose_worker_died_does_not_go_on) {
    const Login login(db_.database().session(), "pawl_test_stubborn");
    auto options = sql_pool(db_.database().url() + "&user=pawl_test_stubborn");
    options.end_backend = nullptr;  // as if there were no one left to do it
    pg::Pool pool(db_.loop().context().get_executor(), options);
    store::SqlSteps steps(pool, "");
    auto asked = request(stubborn);
    asked.timeout = std::chrono::milliseconds(100);
    EXPECT_EQ(
        text(db_.loop().run(steps::run_sql(steps, 0, std::move(asked)))), "retryable sql.08006"
    );
    const auto deadline = Steady::now() + std::chrono::seconds(20);
    while (backends() > 0 && Steady::now() < deadline) {
        db_.database().session().script("select pg_sleep(0.1)");
    }
    EXPECT_EQ(backends(), 0);
}

}  // namespace
}  // namespace pawl::test
