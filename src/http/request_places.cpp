#include "http/request_places.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <utility>

namespace pawl::http {

// In the frame of the coroutine that waits: whatever ends the frame takes it out of the line, or
// gives back a place that it has not taken yet.
struct Places::Waiter {
    Waiter(std::shared_ptr<Places> places, std::int32_t whose)
        : among(std::move(places)), tenant(whose), wake(among->executor_) {}
    ~Waiter() {
        if (in_line) among->places_.leave(tenant, spot);
        if (granted) among->give_back(tenant);
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    std::shared_ptr<Places> among;
    std::int32_t tenant;
    asio::steady_timer wake;
    FairPlaces<Waiter*>::Spot spot{};
    bool in_line = false;
    bool granted = false;
};

Place::Place(std::shared_ptr<Places> among, std::int32_t tenant)
    : among_(std::move(among)), tenant_(tenant) {}

Place::~Place() {
    among_->give_back(tenant_);
}

Places::Places(asio::any_io_executor executor, std::size_t many)
    : executor_(std::move(executor)), places_(many) {}

asio::awaitable<PlacePtr> Places::enter(std::int32_t tenant, Steady::time_point until) {
    const auto self = shared_from_this();
    if (closed_) co_return nullptr;
    if (places_.take(tenant)) co_return std::make_shared<Place>(self, tenant);
    Waiter waiter(self, tenant);
    waiter.spot = places_.wait(tenant, &waiter);
    waiter.in_line = true;
    waiter.wake.expires_at(until);
    boost::system::error_code woken;
    co_await waiter.wake.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (!waiter.granted) {
        if (woken && !closed_) throw boost::system::system_error(woken);
        co_return nullptr;
    }
    waiter.granted = false;
    co_return std::make_shared<Place>(self, tenant);
}

void Places::close() {
    closed_ = true;
    places_.leave_if([](Waiter* waiter) {
        waiter->in_line = false;
        waiter->wake.cancel();
        return true;
    });
}

void Places::give_back(std::int32_t tenant) {
    places_.give_back(tenant);
    while (const auto next = places_.next()) {
        Waiter& waiter = **next;
        waiter.in_line = false;
        waiter.granted = true;
        waiter.wake.cancel();
    }
}

}  // namespace pawl::http
