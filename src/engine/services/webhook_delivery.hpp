#pragma once

#include "base/clock.hpp"
#include "http/client.hpp"
#include "store/repos/outbox.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace pawl::engine {

namespace asio = boost::asio;

// Tells a webhook what was taken for it, within the lease. Messages of different runs go side by
// side, those of one run one after the other; or all of them together, when the target wants that.
// Ends with a word about every message, also when it is cancelled: then it is not thrown, and
// nothing that follows in this coroutine is cancelled any more. The client outlives the call.
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
