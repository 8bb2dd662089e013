#include "pg/pool.hpp"

#include "base/fair_places.hpp"
#include "pg/pg_error.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <vector>

namespace pawl::pg {

namespace {

constexpr std::size_t part_kept = 2;

struct Turn;
using Places = FairPlaces<Turn*>;

void wake_next(Places& places);

// A place in the line, then one for a connection. A cancelled caller leaves the line too, by an
// exception: the pool must not wake what is gone. The places are shared because coroutines that
// never end go after their pool.
struct Turn {
    Turn(
        const asio::any_io_executor& executor,
        Steady::time_point deadline,
        std::shared_ptr<Places> given,
        std::int32_t whose
    )
        : places(std::move(given)),
          tenant(whose),
          timer(executor, deadline),
          granted(places->take(tenant)) {
        if (!granted) spot = places->wait(tenant, this);
    }
    ~Turn() {
        if (!granted) {
            places->leave(tenant, spot);
            return;
        }
        if (used) return;
        places->give_back(tenant);
        wake_next(*places);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    std::shared_ptr<Places> places;
    std::int32_t tenant;
    asio::steady_timer timer;
    bool granted;
    bool used = false;  // a lease has the place
    Places::Spot spot;
};

void wake_next(Places& places) {
    while (const auto next = places.next()) {
        (*next)->granted = true;
        (*next)->timer.cancel();
    }
}

}  // namespace

struct Pool::Impl {
    Impl(asio::any_io_executor given_executor, PoolOptions given)
        : executor(std::move(given_executor)), options(std::move(given)) {}

    asio::any_io_executor executor;
    PoolOptions options;
    std::vector<std::unique_ptr<Connection>> idle;  // used last first: its caches are warm
    std::size_t open = 0;                           // idle, lent out, or being opened
    std::shared_ptr<Places> places = std::make_shared<Places>(options.connections_max, part_kept);
};

Pool::Pool(asio::any_io_executor executor, PoolOptions options)
    : impl_(std::make_unique<Impl>(std::move(executor), std::move(options))) {}

Pool::~Pool() = default;

Pool::Lease::Lease(Pool& pool, std::unique_ptr<Connection> connection, std::int32_t tenant)
    : pool_(&pool), connection_(std::move(connection)), tenant_(tenant) {}

Pool::Lease::~Lease() {
    if (connection_) pool_->give_back(std::move(connection_), tenant_);
}

void Pool::give_back(std::unique_ptr<Connection> connection, std::int32_t tenant) {
    if (connection->usable()) {
        impl_->idle.push_back(std::move(connection));
    } else {
        --impl_->open;
    }
    impl_->places->give_back(tenant);
    wake_next(*impl_->places);
}

asio::awaitable<Pool::Lease> Pool::acquire(std::int32_t tenant) {
    const auto deadline = Steady::now() + impl_->options.acquire_timeout;
    Turn turn(impl_->executor, deadline, impl_->places, tenant);
    while (!turn.granted) {
        boost::system::error_code woken;
        co_await turn.timer.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        if (!turn.granted && Steady::now() >= deadline) {
            throw Failure({Errc::timeout, "no database connection became free in time", {}});
        }
    }
    std::unique_ptr<Connection> connection;
    while (!connection && !impl_->idle.empty()) {
        connection = std::move(impl_->idle.back());
        impl_->idle.pop_back();
        if (connection->usable()) break;
        connection.reset();
        --impl_->open;
    }
    if (!connection) {
        ++impl_->open;
        std::exception_ptr failed;
        try {
            connection = co_await Connection::connect(impl_->options.connect);
        } catch (...) {
            failed = std::current_exception();
        }
        if (failed) {
            --impl_->open;
            std::rethrow_exception(failed);
        }
    }
    turn.used = true;
    co_return Lease(*this, std::move(connection), tenant);
}

std::size_t Pool::open() const {
    return impl_->open;
}

const PoolOptions& Pool::options() const {
    return impl_->options;
}

}  // namespace pawl::pg
