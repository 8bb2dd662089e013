#pragma once

#include "app/batching/rounds.hpp"
#include "store/store.hpp"

#include <map>

namespace pawl::app {

// Rounds of their own for each tenant: what one asks may have to wait for a transaction that this
// tenant holds open, and nothing that others ask waits with it. One thread.
template <class Item, class Answer>
class TenantRounds {
public:
    using Trip = typename Rounds<Item, Answer>::Trip;

    TenantRounds(asio::any_io_executor executor, Trip trip)
        : executor_(std::move(executor)), trip_(std::move(trip)) {}

    asio::awaitable<Answer> ask(store::TenantId tenant, Item item) {
        return rounds_.try_emplace(tenant, executor_, trip_).first->second.ask(std::move(item));
    }

    asio::awaitable<void> stop() {
        for (auto& [tenant, rounds] : rounds_) co_await rounds.stop();
    }

private:
    asio::any_io_executor executor_;
    Trip trip_;
    std::map<store::TenantId, Rounds<Item, Answer>> rounds_;
};

}  // namespace pawl::app
