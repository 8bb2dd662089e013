#pragma once

#include "base/vault.hpp"
#include "pg/pool.hpp"
#include "store/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A message for a subscriber outside: an event of a run.
struct OutboxMessage {
    RunId run;
    std::int32_t seq = 0;
    std::string type;
    int attempts = 0;
    std::string body;  // {"type", "timestamp", "data"}
};

// "evt_<run>_<seq>": the same for every attempt, so that a receiver can tell duplicates.
std::string outbox_id(RunId run, std::int32_t seq);
struct OutboxPlace {
    RunId run;
    std::int32_t seq = 0;
};
std::optional<OutboxPlace> parse_outbox_id(std::string_view id);

// Messages for one target, leased to one publisher.
struct TakenMessages {
    std::int32_t target = 0;
    TenantId tenant = 0;
    std::int16_t shard = 0;  // of its runs: leased with the messages
    std::string url;
    int batch_max = 1;
    std::vector<int> retries;          // seconds; empty: the usual ones
    int failures = 0;                  // of the target, in a row
    std::vector<std::string> secrets;  // those that sign now; empty: none can be read here
    std::string problem;               // why not
    std::vector<OutboxMessage> messages;
};

enum class OutboxState : std::int16_t { pending = 0, in_flight = 1, published = 2, failed = 3 };

// The outcome of a message.
struct SettledMessage {
    RunId run;
    std::int32_t seq = 0;
    OutboxState state = OutboxState::published;
    bool tried = true;
    std::optional<int> status;
    std::string response;
    std::string error;
    std::optional<Duration> wait;  // before the next try
};
struct SettledMessages {
    std::int32_t target = 0;
    TenantId tenant = 0;
    std::int16_t shard = 0;
    std::vector<SettledMessage> messages;
    std::optional<Duration> pause;  // of the target; none: it works
    std::string disable;            // why nothing may be sent there any more
};

// Messages to one channel or queue.
struct SentInside {
    std::string kind;
    int sent = 0;
    int failed = 0;  // they come again
};

// The publisher's side of the outbox. The pool and the vault outlive it.
class Outbox {
public:
    Outbox(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    bool can_sign() const { return vault_.usable(); }
    boost::asio::awaitable<bool> any_targets();
    boost::asio::awaitable<TakenMessages> take(
        Bucket bucket, WorkerId worker, int limit, Duration lease
    );
    boost::asio::awaitable<void> settle(Bucket bucket, WorkerId worker, SettledMessages settled);
    // Those that stay in the database: channels and queues. Their outcomes, by target.
    boost::asio::awaitable<std::vector<SentInside>> publish_inside(Bucket bucket, int limit);
    boost::asio::awaitable<std::int64_t> purge(Bucket bucket, Duration keep, int limit);

private:
    pg::Pool& pool_;
    const Vault& vault_;
};

// What the secret of a target is bound to in its box.
std::string outbox_secret_place(TenantId tenant, std::int32_t target);

}  // namespace pawl::store
