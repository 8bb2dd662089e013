#pragma once

// Queues in the database (pgmq: the extension, or Pawl's own schema with the same interface).

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

// Calls block and may come from any thread; they are serialised inside. Throws std::runtime_error
// with Postgres's message; after a lost connection the next call reconnects.
class Queue {
public:
    virtual ~Queue() = default;
    // Creates the queue if it does not exist.
    virtual void create(const std::string& queue) = 0;
    virtual std::int64_t enqueue(const std::string& queue, const boost::json::value& payload) = 0;
    // The next message, hidden from others for a while; nothing if there is none. Unless it is
    // removed, it becomes visible again after that: at least once.
    virtual std::optional<QueueMessage> dequeue(
        const std::string& queue, std::chrono::seconds hidden_for
    ) = 0;
    // Removes a message after it was processed. False: it is gone already.
    virtual bool remove(const std::string& queue, std::int64_t id) = 0;
};

std::unique_ptr<Queue> make_queue(const std::string& database);

}  // namespace pawl
