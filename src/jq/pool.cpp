#include "jq/pool.hpp"

#include "jq/channel.hpp"
#include "jq/frame.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <csignal>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace pawl::jq {

namespace {

constexpr Duration check_limit = std::chrono::seconds(5);

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
    return {Fate::crashed, "the child answered nonsense"};
}

// Only what the program did to itself is its own fault.
Outcome ended_by(int signal) {
    const bool own = signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS ||
                     signal == SIGFPE || signal == SIGILL;
    if (own) return {Fate::crashed, fmt::format("jq crashed with signal {}", signal)};
    return {Fate::unavailable, fmt::format("the jq child ended (signal {})", signal)};
}

}  // namespace

// Shared with the calls under way, so that it does not matter which of them goes first at the end.
struct Pool::Impl : std::enable_shared_from_this<Pool::Impl> {
    Impl(asio::any_io_executor given, PoolOptions with)
        : executor(std::move(given)), options(std::move(with)) {}

    asio::any_io_executor executor;
    PoolOptions options;
    std::vector<std::unique_ptr<Channel>> idle;  // used last first: its programs are compiled
    std::size_t open = 0;
    std::deque<asio::steady_timer*> waiting;  // first come, first served

    // A place in the queue.
    struct Turn {
        Turn(std::shared_ptr<Impl> from, Steady::time_point deadline)
            : pool(std::move(from)), timer(pool->executor, deadline) {
            pool->waiting.push_back(&timer);
        }
        ~Turn() { std::erase(pool->waiting, &timer); }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        std::shared_ptr<Impl> pool;
        asio::steady_timer timer;
    };
    // Comes back whatever becomes of the coroutine that has it.
    struct Borrowed {
        Borrowed(std::shared_ptr<Impl> from, std::unique_ptr<Channel> given)
            : pool(std::move(from)), channel(std::move(given)) {}
        ~Borrowed() { pool->give_back(std::move(channel)); }
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
        std::shared_ptr<Impl> pool;
        std::unique_ptr<Channel> channel;
    };

    void wake_one() {
        if (waiting.empty()) return;
        asio::steady_timer* const first = waiting.front();
        waiting.pop_front();
        first->cancel();
    }
    asio::awaitable<std::unique_ptr<Channel>> acquire();
    void give_back(std::unique_ptr<Channel> channel);
    asio::awaitable<Outcome> call(Request request);
};

void Pool::Impl::give_back(std::unique_ptr<Channel> channel) {
    if (channel->usable()) {
        idle.push_back(std::move(channel));
    } else {
        --open;
    }
    wake_one();
}

// Null when none became free in time. Throws when none can be started.
asio::awaitable<std::unique_ptr<Channel>> Pool::Impl::acquire() {
    const auto self = shared_from_this();
    const auto deadline = Steady::now() + options.queue_timeout;
    for (;;) {
        while (!idle.empty()) {
            auto channel = std::move(idle.back());
            idle.pop_back();
            if (channel->alive()) co_return channel;
            --open;
        }
        if (open < options.children_max) {
            auto channel = std::make_unique<Channel>(executor, options.binary);
            ++open;
            co_return channel;
        }
        {
            Turn turn(self, deadline);
            boost::system::error_code woken;
            co_await turn.timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        if (Steady::now() < deadline) continue;
        // It may have been woken in the same moment: then it is somebody else's turn.
        wake_one();
        co_return nullptr;
    }
}

asio::awaitable<Outcome> Pool::Impl::call(Request request) {
    if (options.binary.empty()) co_return Outcome{Fate::unavailable, "jq is not set up here"};
    if (request.program.size() > program_bytes_max)
        co_return too_large("program", program_bytes_max);
    if (request.input.size() > input_bytes_max) co_return too_large("input", input_bytes_max);
    std::unique_ptr<Channel> free;
    try {
        free = co_await acquire();
    } catch (const Failure& failure) {
        co_return Outcome{Fate::unavailable, failure.what()};
    }
    if (!free) co_return Outcome{Fate::unavailable, "all jq children are busy"};
    const Borrowed borrowed(shared_from_this(), std::move(free));
    Channel& channel = *borrowed.channel;
    auto reply = co_await channel.exchange(std::move(request));
    if (reply) co_return replied(std::move(*reply));
    if (channel.timed_out()) co_return Outcome{Fate::timeout, {}};
    co_return ended_by(channel.ended_by());
}

Pool::Pool(asio::any_io_executor executor, PoolOptions options)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(options))) {}

Pool::~Pool() = default;

std::size_t Pool::children() const {
    return impl_->open;
}

asio::awaitable<Outcome> Pool::run(std::string program, std::string input, Duration limit) {
    return impl_->call({Task::run, std::move(program), std::move(input), limit});
}

asio::awaitable<Result<void>> Pool::check(std::string program) {
    Request request{Task::check, std::move(program), {}, check_limit};
    Outcome outcome = co_await impl_->call(std::move(request));
    switch (outcome.fate) {
        case Fate::done: co_return Result<void>();
        case Fate::unavailable: co_return Error{Errc::unavailable, std::move(outcome.text), {}};
        case Fate::timeout: outcome.text = "it takes too long to compile"; break;
        case Fate::out_of_memory: outcome.text = "it takes too much memory to compile"; break;
        default: break;
    }
    co_return Error{Errc::invalid, std::move(outcome.text), {}};
}

}  // namespace pawl::jq
