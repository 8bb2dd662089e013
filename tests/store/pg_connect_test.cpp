#include "pg/connection.hpp"
#include "pg/pg_error.hpp"
#include "pg/pool.hpp"
#include "support/database.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>

namespace pawl::test {
namespace {

using namespace std::chrono_literals;
using pg::PgError;
using pg::Reaction;

constexpr pg::Query backend{"backend", "select pg_backend_pid()", 0};
constexpr pg::Query sleep_long{"sleep_long", "select pg_sleep(20)", 0};

std::unique_ptr<pg::Connection> connect(Loop& loop, const std::string& conninfo) {
    pg::ConnectOptions options;
    options.conninfo = conninfo;
    return loop.run(pg::Connection::connect(options));
}

std::string failure_to_connect(const std::string& conninfo) {
    Loop loop;
    try {
        connect(loop, conninfo);
    } catch (const Failure& failure) {
        return failure.what();
    }
    ADD_FAILURE() << "connected to " << conninfo;
    return "";
}

TEST(Connect, SaysWhatIsWrong) {
    TestDatabase database;
    const auto has = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(failure_to_connect("postgresql:///x?host=/nonexistent"), "/nonexistent/.s.PGSQL");
    has(failure_to_connect(TestDatabase::url_of("no_such_database")), "no_such_database");
    has(failure_to_connect("postgresql:///x?no_such_option=1"), "no_such_option");
    has(failure_to_connect("postgresql://127.0.0.1:1/x"), "refused");
    // Only what was asked about: a password never shows.
    const auto secret = failure_to_connect("postgresql://u:hunter2@127.0.0.1:1/x");
    EXPECT_EQ(secret.find("hunter2"), std::string::npos) << secret;
}

TEST(Connect, ClassifiesAConnectionThatFails) {
    Loop loop;
    try {
        connect(loop, "postgresql://127.0.0.1:1/x");
        FAIL();
    } catch (const PgError& error) {
        EXPECT_EQ(error.reaction(), Reaction::reconnect);
        EXPECT_EQ(error.error().code, Errc::unavailable);
    }
}

TEST(Connect, TriesTheNextHostWhenTheFirstIsDead) {
    TestDatabase database;
    Loop loop;
    const std::string host = std::getenv("PGHOST");
    const std::string list = "host=/nonexistent," + host + " dbname=" + database.name() +
                             " user=postgres target_session_attrs=";
    for (const char* attrs : {"any", "read-write", "primary", "prefer-standby"}) {
        auto connection = connect(loop, list + attrs);
        EXPECT_TRUE(connection->usable()) << attrs;
    }
    EXPECT_NE(failure_to_connect(list + "standby"), "");
}

TEST(Connect, TargetSessionAttrsSkipsAReadOnlyServer) {
    TestDatabase database;
    database.session().script(
        "alter database " + database.name() + " set default_transaction_read_only = on"
    );
    EXPECT_NE(failure_to_connect(database.url() + "&target_session_attrs=read-write"), "");
    Loop loop;
    EXPECT_TRUE(connect(loop, database.url())->usable());
}

TEST(Connect, TakesEverythingFromTheEnvironmentWhenNothingIsGiven) {
    TestDatabase database;
    Loop loop;
    EXPECT_TRUE(connect(loop, "")->usable());
}

TEST(Connect, AServerThatNeverAnswersIsLeftAfterTheTimeout) {
    // A listening socket that accepts no connection.
    Loop loop;
    asio::io_context context;
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), length), 0);
    ASSERT_EQ(::listen(fd, 1), 0);
    ASSERT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length), 0);
    pg::ConnectOptions options;
    options.conninfo = "postgresql://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) +
                       "/x?sslmode=disable&gssencmode=disable";
    options.connect_timeout = 100ms;
    const auto before = Steady::now();
    EXPECT_THROW(loop.run(pg::Connection::connect(options)), PgError);
    EXPECT_LT(Steady::now() - before, 5s);
    ::close(fd);
}

TEST(Classify, EverySqlstateThatMatters) {
    const std::pair<const char*, Reaction> table[] = {
        {"", Reaction::reconnect},       // the connection failed before the server said anything
        {"08006", Reaction::reconnect},  // connection failure
        {"57P01", Reaction::reconnect},  // admin shutdown
        {"57P02", Reaction::reconnect},  // crash shutdown
        {"57P03", Reaction::reconnect},  // cannot connect now
        {"57014", Reaction::reconnect},  // statement timeout
        {"53300", Reaction::reconnect},  // too many connections
        {"53100", Reaction::reconnect},  // disk full
        {"25006", Reaction::reconnect},  // read-only: a failover under way
        {"25P02", Reaction::reconnect},  // in a failed transaction
        {"40001", Reaction::retry_transaction},
        {"40P01", Reaction::retry_transaction},
        {"55P03", Reaction::retry_transaction},
        {"26000", Reaction::prepare_again},
        {"42P05", Reaction::prepare_again},
        {"0A000", Reaction::prepare_again},
        {"23505", Reaction::conflict},
        {"23514", Reaction::conflict},
        {"PW001", Reaction::fenced},
        {"42P01", Reaction::bug},
        {"22012", Reaction::bug},
    };
    for (const auto& [sqlstate, reaction] : table) {
        EXPECT_EQ(pg::classify(sqlstate), reaction) << sqlstate;
    }
    EXPECT_EQ(PgError({.sqlstate = "PW001"}).error().code, Errc::fenced);
    EXPECT_EQ(PgError({.sqlstate = "23505"}).error().code, Errc::conflict);
    EXPECT_EQ(PgError({.sqlstate = "40001"}).error().code, Errc::unavailable);
    EXPECT_EQ(PgError({.sqlstate = "42601"}).error().code, Errc::internal);
}

// --- The pool -----------------------------------------------------------------------------------

class Pools : public ::testing::Test {
protected:
    pg::PoolOptions options(std::size_t connections, Duration timeout = 10s) {
        pg::PoolOptions options;
        options.connect.conninfo = database_.url();
        options.connections_max = connections;
        options.acquire_timeout = timeout;
        return options;
    }

    TestDatabase database_{TestDatabase::Content::empty};
    Loop loop_;
};

asio::awaitable<int> pid_of(pg::Pool& pool) {
    auto lease = co_await pool.acquire();
    const auto rows = co_await lease->run(backend, {}, 10s);
    co_return rows.int4(0, 0);
}

// Takes a turn, notes its number, and gives others a chance to overtake.
asio::awaitable<int> take_turn(pg::Pool& pool, std::vector<int>& order, int number) {
    auto lease = co_await pool.acquire();
    order.push_back(number);
    co_await lease->run(backend, {}, 10s);
    co_return number;
}

TEST_F(Pools, ReusesAConnection) {
    pg::Pool pool(loop_.context().get_executor(), options(3));
    const int first = loop_.run(pid_of(pool));
    EXPECT_EQ(loop_.run(pid_of(pool)), first);
    EXPECT_EQ(pool.open(), 1u);
}

TEST_F(Pools, HandsOutInTheOrderOfAsking) {
    pg::Pool pool(loop_.context().get_executor(), options(1));
    std::vector<int> order;
    std::vector<asio::awaitable<int>> tasks;
    tasks.reserve(20);
    std::vector<int> expected;
    expected.reserve(20);
    for (int i = 0; i < 20; ++i) {
        tasks.push_back(take_turn(pool, order, i));
        expected.push_back(i);
    }
    loop_.run_all(std::move(tasks));
    EXPECT_EQ(order, expected);
    EXPECT_EQ(pool.open(), 1u);
}

TEST_F(Pools, OpensNoMoreThanAllowed) {
    pg::Pool pool(loop_.context().get_executor(), options(3));
    std::vector<int> order;
    std::vector<asio::awaitable<int>> tasks;
    tasks.reserve(20);
    for (int i = 0; i < 20; ++i) tasks.push_back(take_turn(pool, order, i));
    loop_.run_all(std::move(tasks));
    EXPECT_EQ(order.size(), 20u);
    EXPECT_EQ(pool.open(), 3u);
    EXPECT_EQ(
        database_.session().value(
            "select count(*)::text from pg_stat_activity where application_name = 'pawl' "
            "and datname = current_database()"
        ),
        "3"
    );
}

asio::awaitable<void> run_into_limit(pg::Pool& pool) {
    auto lease = co_await pool.acquire();
    co_await lease->run(sleep_long, {}, 50ms);
}

TEST_F(Pools, ABrokenConnectionIsNotHandedOutAgain) {
    pg::Pool pool(loop_.context().get_executor(), options(1));
    const int first = loop_.run(pid_of(pool));
    EXPECT_THROW(loop_.run(run_into_limit(pool)), PgError);
    EXPECT_EQ(pool.open(), 0u);
    EXPECT_NE(loop_.run(pid_of(pool)), first);
}

TEST_F(Pools, AConnectionThatDiedWhileIdleCostsOneFailureAtMost) {
    pg::Pool pool(loop_.context().get_executor(), options(1));
    const int first = loop_.run(pid_of(pool));
    database_.session().value(
        "select pg_terminate_backend(" + std::to_string(first) + ", 5000)::text"
    );
    try {
        loop_.run(pid_of(pool));
    } catch (const PgError& error) {
        EXPECT_EQ(error.reaction(), Reaction::reconnect);
    }
    EXPECT_NE(loop_.run(pid_of(pool)), first);
}

asio::awaitable<int> count_columns(pg::Pool& pool) {
    static constexpr pg::Query all{"all_things", "select * from things", 0};
    auto lease = co_await pool.acquire();
    const auto rows = co_await lease->run(all, {}, 10s);
    co_return rows.size();
}

// Another process migrates while this one runs: "cached plan must not change result type".
TEST_F(Pools, AStatementWhoseResultChangedCostsOneFailure) {
    pg::Pool pool(loop_.context().get_executor(), options(1));
    auto& session = database_.session();
    session.script("create table things (id int); insert into things values (1)");
    EXPECT_EQ(loop_.run(count_columns(pool)), 1);
    session.script("alter table things add name text");
    try {
        loop_.run(count_columns(pool));
        FAIL() << "the plan was not stale";
    } catch (const PgError& error) {
        EXPECT_EQ(error.reaction(), Reaction::prepare_again);
    }
    EXPECT_EQ(loop_.run(count_columns(pool)), 1);
}

asio::awaitable<bool> ask_while_taken(pg::Pool& pool) {
    auto lease = co_await pool.acquire();
    try {
        auto second = co_await pool.acquire();
    } catch (const Failure& failure) {
        co_return failure.error().code == Errc::timeout;
    }
    co_return false;
}

TEST_F(Pools, WaitsOnlySoLong) {
    pg::Pool pool(loop_.context().get_executor(), options(1, 50ms));
    EXPECT_TRUE(loop_.run(ask_while_taken(pool)));
    // The one that gave up is not in the way of the next.
    EXPECT_GT(loop_.run(pid_of(pool)), 0);
}

// While the only connection is taken, three ask for it and are cancelled; another one gets it.
asio::awaitable<int> ask_behind_cancelled_ones(pg::Pool& pool) {
    const auto executor = co_await asio::this_coro::executor;
    std::optional<pg::Pool::Lease> taken(co_await pool.acquire());
    std::array<asio::cancellation_signal, 3> signals;
    std::size_t cancelled = 0;
    const auto given_up = [&](std::exception_ptr thrown, int) { cancelled += thrown ? 1 : 0; };
    for (auto& signal : signals) {
        asio::co_spawn(
            executor, pid_of(pool), asio::bind_cancellation_slot(signal.slot(), given_up)
        );
    }
    co_await asio::post(executor, asio::use_awaitable);
    for (auto& signal : signals) signal.emit(asio::cancellation_type::terminal);
    while (cancelled < signals.size()) co_await asio::post(executor, asio::use_awaitable);
    std::optional<int> answer;
    asio::co_spawn(executor, pid_of(pool), [&](std::exception_ptr, int pid) { answer = pid; });
    co_await asio::post(executor, asio::use_awaitable);
    taken.reset();
    while (!answer) co_await asio::post(executor, asio::use_awaitable);
    co_return *answer;
}

TEST_F(Pools, ThoseThatWereCancelledAreNotInTheWayOfTheNext) {
    pg::Pool pool(loop_.context().get_executor(), options(1));
    EXPECT_GT(loop_.run(ask_behind_cancelled_ones(pool)), 0);
}

// Statements of one tenant that wait for a lock, and one of another.
asio::awaitable<int> ask_beside_a_tenant_that_waits(pg::Pool& pool) {
    const auto executor = co_await asio::this_coro::executor;
    std::vector<pg::Pool::Lease> taken;
    const auto take = [&]() -> asio::awaitable<void> { taken.push_back(co_await pool.acquire(2)); };
    int ended = 0;
    for (int i = 0; i < 20; ++i) asio::co_spawn(executor, take(), [&](auto) { ++ended; });
    while (taken.size() < 4) co_await asio::post(executor, asio::use_awaitable);
    int pid = 0;
    {
        auto lease = co_await pool.acquire(3);
        const auto rows = co_await lease->run(backend, {}, 10s);
        pid = rows.int4(0, 0);
    }
    EXPECT_EQ(taken.size(), 4U) << "half of them";
    while (ended < 20) {
        taken.clear();
        co_await asio::post(executor, asio::use_awaitable);
    }
    co_return pid;
}

TEST_F(Pools, ATenantLeavesConnectionsForOthers) {
    pg::Pool pool(loop_.context().get_executor(), options(8));
    EXPECT_GT(loop_.run(ask_beside_a_tenant_that_waits(pool)), 0);
}

TEST_F(Pools, AFailedConnectIsToldAndFreesItsPlace) {
    auto dead = options(1);
    dead.connect.conninfo = "postgresql:///x?host=/nonexistent";
    pg::Pool pool(loop_.context().get_executor(), dead);
    for (int i = 0; i < 3; ++i) EXPECT_THROW(loop_.run(pid_of(pool)), PgError);
    EXPECT_EQ(pool.open(), 0u);
}

}  // namespace
}  // namespace pawl::test
