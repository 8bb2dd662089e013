#include "pg/pool.hpp"

#include "pg/error.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <vector>

namespace pawl::pg {

namespace {

using Line = std::deque<asio::steady_timer*>;

// A place in the line. Whoever is cancelled leaves it as well, by an exception: nobody may wake
// what is gone. The line is shared because coroutines that never end go after their pool.
struct Turn {
    Turn(
        const asio::any_io_executor& executor,
        Steady::time_point deadline,
        std::shared_ptr<Line> given
    )
        : line(std::move(given)), timer(executor, deadline) {
        line->push_back(&timer);
    }
    ~Turn() { std::erase(*line, &timer); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    std::shared_ptr<Line> line;
    asio::steady_timer timer;
};

}  // namespace

struct Pool::Impl {
    Impl(asio::any_io_executor given_executor, PoolOptions given)
        : executor(std::move(given_executor)), options(std::move(given)) {}

    asio::any_io_executor executor;
    PoolOptions options;
    std::vector<std::unique_ptr<Connection>> idle;  // used last first: its caches are warm
    std::size_t open = 0;                           // idle, lent out, or being opened
    // First come, first served.
    std::shared_ptr<Line> waiting = std::make_shared<Line>();

    void wake_one() {
        if (waiting->empty()) return;
        asio::steady_timer* first = waiting->front();
        waiting->pop_front();
        first->cancel();
    }
};

Pool::Pool(asio::any_io_executor executor, PoolOptions options)
    : impl_(std::make_unique<Impl>(std::move(executor), std::move(options))) {}

Pool::~Pool() = default;

Pool::Lease::Lease(Pool& pool, std::unique_ptr<Connection> connection)
    : pool_(&pool), connection_(std::move(connection)) {}

Pool::Lease::~Lease() {
    if (connection_) pool_->give_back(std::move(connection_));
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    if (connection->usable()) {
        impl_->idle.push_back(std::move(connection));
    } else {
        --impl_->open;
    }
    impl_->wake_one();
}

asio::awaitable<Pool::Lease> Pool::acquire() {
    const auto deadline = Steady::now() + impl_->options.acquire_timeout;
    for (;;) {
        while (!impl_->idle.empty()) {
            auto connection = std::move(impl_->idle.back());
            impl_->idle.pop_back();
            if (connection->usable()) co_return Lease(*this, std::move(connection));
            --impl_->open;
        }
        if (impl_->open < impl_->options.connections_max) {
            ++impl_->open;
            std::exception_ptr failed;
            try {
                auto connection = co_await Connection::connect(impl_->options.connect);
                co_return Lease(*this, std::move(connection));
            } catch (...) {
                failed = std::current_exception();
            }
            --impl_->open;
            impl_->wake_one();
            std::rethrow_exception(failed);
        }
        Turn turn(impl_->executor, deadline, impl_->waiting);
        boost::system::error_code woken;
        co_await turn.timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        if (Steady::now() >= deadline) {
            throw Failure({Errc::timeout, "no database connection became free in time", {}});
        }
    }
}

std::size_t Pool::open() const {
    return impl_->open;
}

const PoolOptions& Pool::options() const {
    return impl_->options;
}

}  // namespace pawl::pg
