#pragma once

#include "base/complaint.hpp"
#include "base/fair_places.hpp"
#include "base/rng.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "engine/services/webhook_delivery.hpp"
#include "http/client.hpp"
#include "store/repos/outbox.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::engine {

struct PublisherOptions {
    store::Bucket bucket = 0;
    int workers = 2;          // loops that take messages
    int deliveries_max = 64;  // batches under way at a time; one tenant has at most half of them
    int batch = 50;  // messages taken at a time; more when a target wants more in one request
    Duration timeout = std::chrono::seconds(15);  // of a request
    Duration lease = std::chrono::seconds(30);    // after which another takes over from the dead
    Duration poll_max = std::chrono::milliseconds(500);
    Duration poll_idle = std::chrono::seconds(2);  // while there are no targets
};

// Sends the messages of the outbox: takes a batch for one target, delivers it and stores the
// outcome. At least once; a receiver that gets a message twice sees the same webhook-id. Messages
// of one run arrive in order: one that fails holds back those behind it. Batches go out side by
// side, so a slow target delays no other, and tenants share the places. Lives on one thread; the
// outbox and the client outlive it.
class OutboxPublisher {
public:
    OutboxPublisher(
        asio::any_io_executor executor,
        store::Outbox& outbox,
        http::Client& client,
        PublisherOptions options
    );

    // Until it is cancelled: all loops, or one of options.workers.
    asio::awaitable<void> run();
    asio::awaitable<void> work(std::size_t index);
    // There may be something new.
    void look();

    // The outcomes of messages: the kind of target, published, retried or failed, and how many.
    std::function<void(std::string kind, std::string outcome, std::size_t count)> on_delivered;

    std::int64_t published() const { return published_; }
    std::int64_t rounds() const { return rounds_; }  // how often a loop looked

private:
    static constexpr int inside_batch = 500;  // for channels and queues of the database

    asio::awaitable<int> send_inside();
    void tell(std::string_view kind, std::string_view outcome, std::int64_t count);
    void tell_of(const store::SettledMessages& settled);
    // Takes batches and lets them go out in the group, which outlives it.
    asio::awaitable<void> take_all(std::size_t index, CoroutineGroup& under_way);
    asio::awaitable<bool> round(WorkerId worker, std::size_t index, CoroutineGroup& under_way);
    asio::awaitable<void> deliver(
        WorkerId worker, store::TakenMessages taken, Steady::time_point lease_ends
    );
    // Throws when it was interrupted, after it has noted what is known.
    asio::awaitable<void> note(WorkerId worker, Delivered delivered, Steady::time_point lease_ends);
    asio::awaitable<void> settle(
        WorkerId worker, store::SettledMessages settled, Steady::time_point lease_ends
    );

    asio::any_io_executor executor_;
    store::Outbox& outbox_;
    http::Client& client_;
    PublisherOptions options_;
    Rng rng_;
    std::vector<std::unique_ptr<Gate>> gates_;
    // Batches do not wait for a place: one without is put back. Shared with the batches under way,
    // which may outlive the publisher when the process ends.
    std::shared_ptr<FairPlaces<int>> places_;
    bool wanted_ = false;  // there are targets
    bool stopping_ = false;
    std::int64_t published_ = 0;
    std::int64_t rounds_ = 0;
    Complaint trouble_{"the outbox could not be read"};
};

}  // namespace pawl::engine
