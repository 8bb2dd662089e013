#pragma once

#include "base/clock.hpp"
#include "http/client.hpp"
#include "store/repos/outbox.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace pawl::engine {

namespace asio = boost::asio;

// Sends a webhook the messages that were taken for it, within the lease. Messages of different runs
// go side by side, those of one run one after the other; or all in one request, when the target
// wants that. Returns an outcome for every message, also when it is cancelled: then it does not
// throw, and nothing that follows in this coroutine is cancelled. The client outlives the call.
struct Delivered {
    store::SettledMessages settled;
    bool interrupted = false;
};
asio::awaitable<Delivered> deliver_webhook(
    asio::any_io_executor executor,
    http::Client& client,
    store::TakenMessages taken,
    std::uint64_t seed,
    Duration timeout,
    Duration lease
);

// What one request says: {"type": "batch", "timestamp", "data": [{"id", "type", ...}, ...]}.
struct WebhookBatch {
    std::string id;  // made from the ids in it
    std::string body;
};
WebhookBatch batch_of(const std::vector<store::OutboxMessage>& messages, Instant now);

}  // namespace pawl::engine
