#pragma once

// Queues in the database (pgmq, the extension or Pawl's own schema of that interface).

#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pawl {

struct QueueMessage {
    std::int64_t id = 0;
    int read_count = 1;
    boost::json::value payload;
};

// Calls block and may be made by any thread, one at a time inside. Throws std::runtime_error with
// what Postgres said; a lost connection is made anew by the next call.
class Queue {
public:
    virtual ~Queue() = default;
    // Makes the queue when there is none of this name.
    virtual void create(const std::string& queue) = 0;
    virtual std::int64_t enqueue(const std::string& queue, const boost::json::value& payload) = 0;
    // The next message, hidden from others for a while; nothing when there is none. It comes again
    // after that unless it was removed: at least once.
    virtual std::optional<QueueMessage> dequeue(
        const std::string& queue, std::chrono::seconds hidden_for
    ) = 0;
    // It was dealt with. False: it is gone already.
    virtual bool remove(const std::string& queue, std::int64_t id) = 0;
};

std::unique_ptr<Queue> make_queue(const std::string& database);

}  // namespace pawl
