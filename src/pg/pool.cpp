#include "pg/pool.hpp"

#include "base/fair_places.hpp"
#include "pg/endings.hpp"
#include "pg/error.hpp"

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

// A place in the line, then one for a connection. Whoever is cancelled leaves it as well, by an
// exception: nobody may wake what is gone. The places are shared because coroutines that never end
// go after their pool.
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
        : executor(std::move(given_executor)), options(std::move(given)) {
        if (options.end_backend == nullptr) return;
        endings = std::make_shared<Endings>(executor, options.connect, *options.end_backend);
    }
    ~Impl() {
        if (endings) endings->close();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    asio::any_io_executor executor;
    PoolOptions options;
    std::vector<std::unique_ptr<Connection>> idle;  // used last first: its caches are warm
    // Idle, lent out, being opened or being ended; shared because an end may come after the pool.
    std::shared_ptr<std::size_t> open = std::make_shared<std::size_t>(0);
    std::shared_ptr<Places> places = std::make_shared<Places>(options.connections_max, part_kept);
    std::shared_ptr<Endings> endings;
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
    const auto free_place = [places = impl_->places, tenant] {
        places->give_back(tenant);
        wake_next(*places);
    };
    if (connection->usable()) {
        impl_->idle.push_back(std::move(connection));
    } else if (impl_->endings && connection->is_left_busy()) {
        const auto gone = [open = impl_->open, free_place] {
            --*open;
            free_place();
        };
        impl_->endings->add(connection->backend_pid(), gone);
        return;
    } else {
        --*impl_->open;
    }
    free_place();
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
        --*impl_->open;
    }
    if (!connection) {
        ++*impl_->open;
        std::exception_ptr failed;
        try {
            connection = co_await Connection::connect(impl_->options.connect);
        } catch (...) {
            failed = std::current_exception();
        }
        if (failed) {
            --*impl_->open;
            std::rethrow_exception(failed);
        }
    }
    turn.used = true;
    co_return Lease(*this, std::move(connection), tenant);
}

std::size_t Pool::open() const {
    return *impl_->open;
}

const PoolOptions& Pool::options() const {
    return impl_->options;
}

}  // namespace pawl::pg
