#include "host/thread_options.hpp"

namespace pawl::host {

// Lanes, starts, claims, heartbeat, notifier, scheduler, matcher, queues, tasks, the outbox, and
// one to look things up.
pg::PoolOptions pool_options(const ThreadOptions& options) {
    pg::PoolOptions pool;
    pool.connect = options.connect;
    pool.connections_max = static_cast<std::size_t>(options.worker.commit_lanes) + 9 +
                           static_cast<std::size_t>(options.schedule ? options.outbox_workers : 0);
    return pool;
}

// Functions of tasks, which may take long; made when there are some.
pg::PoolOptions function_pool_options(const ThreadOptions& options) {
    pg::PoolOptions pool;
    pool.connect = options.connect;
    pool.connections_max = 4;
    return pool;
}

http::ClientOptions client_options(const ThreadOptions& options) {
    http::ClientOptions client;
    client.outbound = options.outbound;
    return client;
}

engine::SchedulerOptions scheduler_options(const ThreadOptions& options) {
    engine::SchedulerOptions scheduler;
    scheduler.bucket = options.worker.bucket;
    return scheduler;
}

engine::QueueReaderOptions queue_options(const ThreadOptions& options) {
    engine::QueueReaderOptions queues;
    queues.bucket = options.worker.bucket;
    return queues;
}

engine::PublisherOptions publisher_options(const ThreadOptions& options) {
    engine::PublisherOptions publisher;
    publisher.bucket = options.worker.bucket;
    publisher.workers = options.outbox_workers;
    return publisher;
}

engine::MatcherOptions matcher_options(const ThreadOptions& options) {
    engine::MatcherOptions matcher;
    matcher.bucket = options.worker.bucket;
    return matcher;
}

}  // namespace pawl::host
