#pragma once

#include "base/clock.hpp"
#include "base/fair_places.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>

namespace pawl::http {

namespace asio = boost::asio;

class Places;

// One request's place; free again when nothing holds it any more.
class Place {
public:
    Place(std::shared_ptr<Places> among, std::int32_t tenant);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

private:
    std::shared_ptr<Places> among_;
    std::int32_t tenant_;
};
using PlacePtr = std::shared_ptr<Place>;

// The places of requests that are under way at once. Tenants wait in line for one, each in its own,
// and take turns. One thread; each place, and each coroutine that waits for one, keeps it alive.
class Places : public std::enable_shared_from_this<Places> {
public:
    Places(asio::any_io_executor executor, std::size_t many);

    // Null: there is none until then, or the places are closed. May throw when it is cancelled.
    asio::awaitable<PlacePtr> enter(std::int32_t tenant, Steady::time_point until);
    // No place is given from now on.
    void close();

    bool closed() const { return closed_; }
    std::size_t waiting() const { return places_.waiting(); }

private:
    friend class Place;
    struct Waiter;

    void give_back(std::int32_t tenant);

    asio::any_io_executor executor_;
    FairPlaces<Waiter*> places_;
    bool closed_ = false;
};

}  // namespace pawl::http
