#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// A message that was read from a queue, and what it may start.
struct QueuedMessage {
    std::string queue;
    enum class Kind { trigger, workflow, message } kind = Kind::message;  // who says what to start
    std::int32_t tenant = 1;
    std::int64_t id = 0;  // 0: it stands for its queue, which cannot be read
    std::int32_t reads = 0;
    Instant at{};  // when it was sent
    json::value message;
    json::value headers;
    bool known = false;   // it is about a run that exists
    std::string problem;  // why nothing can be started by it, or its queue cannot be read
    std::vector<StartVersion> workflows;
};

// What was decided about messages of one queue.
struct QueueOutcome {
    struct Start {
        std::int64_t message = 0;
        NewRun run;
    };
    struct Failed {
        std::int64_t message = 0;
        std::int32_t reads = 0;
        std::string reason;
        json::value content;
    };
    std::string queue;
    std::vector<std::int64_t> done;      // go; what they start is in `starts`
    std::vector<std::int64_t> unwanted;  // no trigger wants them; archived
    std::vector<Failed> failed;          // come again, or go to the dead-letter queue
    std::vector<Start> starts;
};

struct QueueSettled {
    std::int32_t started = 0;
    std::int32_t dead = 0;
};

// The queues of pgmq whose messages start runs: pawl.consumed_queue. The pool must outlive it.
class Queues {
public:
    explicit Queues(pg::Pool& pool) : pool_(pool) {}

    // Up to `limit` messages of each queue, hidden from others for `lease`.
    asio::awaitable<std::vector<QueuedMessage>> read(Bucket bucket, int limit, Duration lease);
    // In one transaction: a message goes and its runs start, or neither.
    asio::awaitable<QueueSettled> settle(Bucket bucket, QueueOutcome outcome);
    // Sends runs that failed for good to workflow_dlq; returns how many.
    asio::awaitable<std::int32_t> hand_over_dead_runs(Bucket bucket, int limit);
    asio::awaitable<void> keep_partitions();

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
