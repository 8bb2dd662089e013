#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// The answer to a call that came with an Idempotency-Key.
struct StoredAnswer {
    std::string fingerprint;  // of the request; bytes
    std::int16_t status = 200;
    json::value headers;
    std::string body;
    Instant at{};
};

struct SentOnce {
    bool before = false;   // with the same key: nothing was left now
    bool reached = false;  // the run is open
};

// pawl.idempotency_key: answers are kept for a day. The pool must outlive it.
class Idempotency {
public:
    explicit Idempotency(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::optional<StoredAnswer>> find(std::int32_t tenant, std::string key);
    // Keeps the answer unless there is one already, and returns the one that is kept.
    asio::awaitable<StoredAnswer> remember(
        std::int32_t tenant, std::string key, StoredAnswer answer
    );
    // Leaves a message for a run unless it was left before with this key.
    asio::awaitable<SentOnce> send_signal(Tenant tenant, std::string key, NewSignal signal);
    // Whether one was left with this key.
    asio::awaitable<bool> was_sent(std::int32_t tenant, std::string key);
    // Removes up to `batch` answers that are too old; returns how many.
    asio::awaitable<std::int64_t> purge(int batch = 1000);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
