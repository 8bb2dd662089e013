// Shapes of coroutine code that g++ 12 compiles wrongly without a warning
// (docs/adr/0002-compiler.md) and that Pawl is free to use with clang 16. A change of the
// compiler is tested here.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::awaitable;

namespace {

// Counts its own births and deaths. A temporary that is destroyed twice leaves `alive` below zero.
class Counted {
public:
    explicit Counted(int value = 0) : value_(value) { ++alive; }
    Counted(const Counted& other) : value_(other.value_) { ++alive; }
    Counted(Counted&& other) noexcept : value_(std::exchange(other.value_, -1)) { ++alive; }
    Counted& operator=(const Counted&) = default;
    Counted& operator=(Counted&&) = default;
    ~Counted() { --alive; }
    int value() const { return value_; }

    static inline int alive = 0;

private:
    int value_;
};

// An aggregate: no constructor of its own, which is what trips the broken compiler.
struct Options {
    Counted counted;
    int extra = 0;
};

// Leaves and comes back, so that temporaries really live in the coroutine frame.
awaitable<void> hop() {
    co_await asio::post(asio::use_awaitable);
}

awaitable<Counted> make(int value) {
    co_await hop();
    co_return Counted(value);
}

awaitable<bool> is_below(int value, int limit) {
    co_await hop();
    co_return value < limit;
}

awaitable<int> take(Options options) {
    co_await hop();
    co_return options.counted.value() + options.extra;
}

awaitable<int> take_reference(const Options& options) {
    co_await hop();
    co_return options.counted.value() + options.extra;
}

awaitable<int> sum(std::vector<Counted> items) {
    co_await hop();
    int total = 0;
    for (const Counted& item : items) total += item.value();
    co_return total;
}

template <class F>
awaitable<int> call(F f) {
    co_await hop();
    co_return f();
}

awaitable<int> fail(Options) {
    co_await hop();
    throw std::runtime_error("as asked");
}

class Coroutines : public ::testing::Test {
protected:
    void SetUp() override { Counted::alive = 0; }
    void TearDown() override { EXPECT_EQ(Counted::alive, 0) << "destroyed twice, or never"; }

    template <class T>
    T run(awaitable<T> work) {
        asio::io_context context;
        std::optional<T> result;
        asio::co_spawn(context, std::move(work), [&](std::exception_ptr error, T value) {
            if (error) std::rethrow_exception(error);
            result = std::move(value);
        });
        context.run();
        return std::move(result).value();
    }
};

awaitable<int> pass_lambda_temporary() {
    Counted counted(7);
    co_return co_await call([counted = std::move(counted)] { return counted.value(); });
}

TEST_F(Coroutines, CapturingLambdaAsTemporaryArgument) {
    EXPECT_EQ(run(pass_lambda_temporary()), 7);
}

awaitable<int> spawn_in_one_expression() {
    auto seen = std::make_shared<int>(0);
    Counted counted(7);
    asio::co_spawn(
        co_await asio::this_coro::executor,
        [counted, seen]() -> awaitable<void> {
            co_await hop();
            *seen = counted.value();
        },
        [](std::exception_ptr error) { EXPECT_FALSE(error); }
    );
    while (*seen == 0) co_await hop();
    co_return *seen;
}

TEST_F(Coroutines, SpawnWithAwaitedExecutorAndCapturingLambda) {
    EXPECT_EQ(run(spawn_in_one_expression()), 7);
}

awaitable<int> pass_aggregates() {
    Counted counted(3);
    int total = co_await take(Options{counted, 1});
    total += co_await take({.counted = counted, .extra = 2});
    total += co_await take_reference(Options{counted, 3});
    total += co_await take_reference({.counted = counted});
    co_return total;
}

TEST_F(Coroutines, AggregateTemporaryAsArgument) {
    EXPECT_EQ(run(pass_aggregates()), 3 * 4 + 6);
}

awaitable<int> throw_past_aggregate() {
    Counted counted(3);
    try {
        co_return co_await fail(Options{counted, 1});
    } catch (const std::runtime_error&) {
        co_return -1;
    }
}

TEST_F(Coroutines, ExceptionPastAggregateTemporary) {
    EXPECT_EQ(run(throw_past_aggregate()), -1);
}

awaitable<int> initialise_aggregate() {
    Options options{co_await make(5), 1};
    co_return options.counted.value() + options.extra;
}

TEST_F(Coroutines, AggregateInitialisedFromAwaitedValue) {
    EXPECT_EQ(run(initialise_aggregate()), 6);
}

awaitable<int> choose(bool first) {
    Counted chosen = first ? co_await make(1) : Counted(2);
    co_return chosen.value();
}

TEST_F(Coroutines, ConditionalWithAwaitedClassValue) {
    EXPECT_EQ(run(choose(true)), 1);
    EXPECT_EQ(run(choose(false)), 2);
}

awaitable<int> pass_lists() {
    Counted one(1);
    Counted two(2);
    int total = co_await sum({one, two});
    total += co_await sum(std::vector<Counted>{one, two});
    co_return total;
}

TEST_F(Coroutines, InitializerListAsArgument) {
    EXPECT_EQ(run(pass_lists()), 6);
}

awaitable<int> try_expression(bool good) {
    const int value = __extension__({
        auto result = co_await make(good ? 4 : 0);
        if (result.value() == 0) co_return -1;
        result.value();
    });
    co_return value + 1;
}

TEST_F(Coroutines, ReturnOutOfStatementExpression) {
    EXPECT_EQ(run(try_expression(true)), 5);
    EXPECT_EQ(run(try_expression(false)), -1);
}

// The next three declare no local variable on purpose.
awaitable<int> branch(int value) {
    if (co_await is_below(value, 10)) co_return 1;
    co_return 2;
}

awaitable<int> loop(std::shared_ptr<int> count) {
    while (co_await is_below(*count, 5)) ++*count;
    co_return *count;
}

awaitable<int> select_case(int value) {
    switch ((co_await make(value)).value()) {
        case 1: co_return 10;
        case 2: co_return 20;
        default: co_return 30;
    }
}

TEST_F(Coroutines, ConditionIsAwaitedInCoroutineWithoutLocals) {
    EXPECT_EQ(run(branch(1)), 1);
    EXPECT_EQ(run(branch(11)), 2);
    EXPECT_EQ(run(loop(std::make_shared<int>(0))), 5);
    EXPECT_EQ(run(select_case(2)), 20);
    EXPECT_EQ(run(select_case(9)), 30);
}

awaitable<std::pair<Counted, std::string>> make_pair() {
    co_await hop();
    co_return std::pair{Counted(2), std::string(64, 'x')};
}

awaitable<int> bind_in_loop() {
    int total = 0;
    for (int i = 0; i < 3; ++i) {
        auto [counted, text] = co_await make_pair();
        total += counted.value() + static_cast<int>(text.size());
    }
    co_return total;
}

awaitable<int> iterate_over_awaited() {
    int total = 0;
    for (const Counted& item : std::vector<Counted>{co_await make(1), co_await make(2)}) {
        co_await hop();
        total += item.value();
    }
    co_return total;
}

TEST_F(Coroutines, AwaitedValuesInLoops) {
    EXPECT_EQ(run(bind_in_loop()), 3 * 66);
    EXPECT_EQ(run(iterate_over_awaited()), 3);
}

awaitable<Options> return_aggregate() {
    co_await hop();
    co_return Options{Counted(4), 5};
}

awaitable<int> nest() {
    const std::string text(32, 'y');
    const std::string joined = text + std::to_string(co_await take(co_await return_aggregate()));
    Counted local(1);
    Options named{std::move(local), 2};
    co_return static_cast<int>(joined.size()) + co_await take(std::move(named));
}

TEST_F(Coroutines, AwaitsInsideLargerExpressions) {
    EXPECT_EQ(run(nest()), 33 + 3);
}

}  // namespace
