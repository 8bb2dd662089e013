#include "jq/jq_pool.hpp"

#include "base/fair_places.hpp"
#include "jq/frame.hpp"
#include "jq/jq_channel.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <utility>
#include <vector>

namespace pawl::jq {

namespace {

// Only of a child that does not get to compute: a busy machine is not the program's fault.
constexpr Duration check_limit = std::chrono::minutes(1);

Outcome too_large(std::string_view what, std::size_t bytes_max) {
    return {Fate::too_large, fmt::format("the {} has more than {} bytes", what, bytes_max)};
}

Outcome replied(Reply reply) {
    switch (reply.answer) {
        case Answer::done: return {Fate::done, std::move(reply.text)};
        case Answer::failed: return {Fate::failed, std::move(reply.text)};
        case Answer::invalid: return {Fate::invalid, std::move(reply.text)};
        case Answer::too_large: return too_large("output", output_bytes_max);
        case Answer::out_of_memory: return {Fate::out_of_memory, {}};
    }
    return {Fate::crashed, "the jq child sent an invalid answer"};
}

// Only what the program did to itself is its own fault.
Outcome ended_by(int signal) {
    const bool own = signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS ||
                     signal == SIGFPE || signal == SIGILL;
    if (own) return {Fate::crashed, fmt::format("jq crashed with signal {}", signal)};
    if (signal == SIGXCPU || signal == SIGALRM || signal == SIGPROF) return {Fate::timeout, {}};
    return {Fate::unavailable, fmt::format("the jq child ended (signal {})", signal)};
}

}  // namespace

// Shared with the calls under way, so that it does not matter which of them goes first at the end.
struct Pool::Impl : std::enable_shared_from_this<Pool::Impl> {
    Impl(asio::any_io_executor given, PoolOptions with)
        : executor(std::move(given)), options(std::move(with)), places(options.children_max) {}

    // A place in the line, then at a child.
    struct Turn {
        Turn(std::shared_ptr<Impl> from, std::int32_t whose, Steady::time_point deadline)
            : pool(std::move(from)),
              tenant(whose),
              timer(pool->executor, deadline),
              granted(pool->places.take(tenant)) {
            if (!granted) spot = pool->places.wait(tenant, this);
        }
        ~Turn() {
            if (!granted) {
                pool->places.leave(tenant, spot);
                return;
            }
            pool->places.give_back(tenant);
            pool->give_turns();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        std::shared_ptr<Impl> pool;
        std::int32_t tenant;
        asio::steady_timer timer;
        bool granted;
        FairPlaces<Turn*>::Spot spot;
    };
    // Comes back whatever becomes of the coroutine that has it.
    struct Borrowed {
        Borrowed(std::unique_ptr<Turn> at, std::unique_ptr<Channel> given)
            : turn(std::move(at)), channel(std::move(given)) {}
        ~Borrowed() { turn->pool->give_back(std::move(channel)); }
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        std::unique_ptr<Turn> turn;
        std::unique_ptr<Channel> channel;
    };

    asio::any_io_executor executor;
    PoolOptions options;
    std::vector<std::unique_ptr<Channel>> idle;  // used last first: its programs are compiled
    std::size_t open = 0;
    FairPlaces<Turn*> places;

    void give_turns();
    void give_back(std::unique_ptr<Channel> channel);
    std::unique_ptr<Channel> take_channel();
    asio::awaitable<std::unique_ptr<Turn>> acquire(std::int32_t tenant);
    asio::awaitable<Outcome> call(Request request, std::int32_t tenant);
};

void Pool::Impl::give_turns() {
    while (const auto next = places.next()) {
        (*next)->granted = true;
        (*next)->timer.cancel();
    }
}

void Pool::Impl::give_back(std::unique_ptr<Channel> channel) {
    if (channel->usable()) {
        idle.push_back(std::move(channel));
    } else {
        --open;
    }
}

// Throws when none can be started.
std::unique_ptr<Channel> Pool::Impl::take_channel() {
    while (!idle.empty()) {
        auto channel = std::move(idle.back());
        idle.pop_back();
        if (channel->alive()) return channel;
        --open;
    }
    auto channel = std::make_unique<Channel>(executor, options.binary);
    ++open;
    return channel;
}

// Null when none became free in time.
asio::awaitable<std::unique_ptr<Pool::Impl::Turn>> Pool::Impl::acquire(std::int32_t tenant) {
    const auto self = shared_from_this();
    auto turn = std::make_unique<Turn>(self, tenant, Steady::now() + options.queue_timeout);
    if (!turn->granted) {
        boost::system::error_code woken;
        co_await turn->timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (!turn->granted) turn.reset();
    co_return turn;
}

asio::awaitable<Outcome> Pool::Impl::call(Request request, std::int32_t tenant) {
    if (options.binary.empty()) co_return Outcome{Fate::unavailable, "jq is not set up here"};
    if (request.program.size() > program_bytes_max)
        co_return too_large("program", program_bytes_max);
    if (request.input.size() > input_bytes_max) co_return too_large("input", input_bytes_max);
    auto turn = co_await acquire(tenant);
    if (!turn) co_return Outcome{Fate::unavailable, "all jq children are busy"};
    // It may have waited for long.
    if (request.wanted && !request.wanted()) co_return Outcome{Fate::unwanted, {}};
    std::unique_ptr<Channel> free;
    std::string problem;
    try {
        free = take_channel();
    } catch (const Failure& failure) {
        problem = failure.what();
    }
    if (!free) co_return Outcome{Fate::unavailable, std::move(problem)};
    const Borrowed borrowed(std::move(turn), std::move(free));
    Channel& channel = *borrowed.channel;
    auto reply = co_await channel.exchange(std::move(request));
    if (reply) co_return replied(std::move(*reply));
    if (channel.timed_out()) co_return Outcome{Fate::timeout, {}};
    if (channel.unwanted()) co_return Outcome{Fate::unwanted, {}};
    co_return ended_by(channel.ended_by());
}

Pool::Pool(asio::any_io_executor executor, PoolOptions options)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(options))) {}

Pool::~Pool() = default;

std::size_t Pool::children() const {
    return impl_->open;
}

asio::awaitable<Outcome> Pool::run(
    std::string program, std::string input, Duration limit, Caller caller
) {
    limit = std::min(limit, impl_->options.time_max);
    Request request{
        Task::run, std::move(program), std::move(input), limit, {}, std::move(caller.wanted)};
    return impl_->call(std::move(request), caller.tenant);
}

asio::awaitable<Result<void>> Pool::check(std::string program, Caller caller) {
    Request request{
        Task::check,
        std::move(program),
        {},
        check_limit,
        impl_->options.check_computing,
        std::move(caller.wanted)};
    Outcome outcome = co_await impl_->call(std::move(request), caller.tenant);
    switch (outcome.fate) {
        case Fate::done: co_return Result<void>();
        case Fate::unwanted:
        case Fate::unavailable: co_return Error{Errc::unavailable, std::move(outcome.text), {}};
        case Fate::timeout: outcome.text = "it takes too long to compile"; break;
        case Fate::out_of_memory: outcome.text = "it takes too much memory to compile"; break;
        default: break;
    }
    co_return Error{Errc::invalid, std::move(outcome.text), {}};
}

}  // namespace pawl::jq
