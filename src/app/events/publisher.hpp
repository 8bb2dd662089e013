#pragma once

#include "app/batching/tenant_rounds.hpp"
#include "store/store.hpp"

#include <functional>
#include <vector>

namespace pawl::app {

// Takes events in for requests; durable when it returns. Requests of a tenant that come together go
// together.
// The store outlives it. Await stop() before the executor ends.
class Publisher {
public:
    Publisher(asio::any_io_executor executor, store::Store& store);

    // For each event whether it is new: an id that is known is not taken twice.
    asio::awaitable<std::vector<bool>> publish(
        store::Bucket bucket, std::vector<store::OutsideEvent> events
    );
    asio::awaitable<void> stop() { return rounds_.stop(); }

    // Called when events were taken in.
    std::function<void()> on_published = [] {};

private:
    struct Parcel {
        store::Bucket bucket = 0;
        std::vector<store::OutsideEvent> events;
    };
    struct Answers {
        std::vector<bool> fresh;
        std::optional<Error> refused;
    };
    asio::awaitable<std::vector<Answers>> deliver(std::vector<Parcel> parcels);
    asio::awaitable<Answers> deliver_alone(Parcel parcel);

    store::Store& store_;
    TenantRounds<Parcel, Answers> rounds_;
};

}  // namespace pawl::app
