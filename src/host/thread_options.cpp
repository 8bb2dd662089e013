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

namespace {

template <class Options>
Options of_bucket(const ThreadOptions& options) {
    Options of_service;
    of_service.bucket = options.worker.bucket;
    return of_service;
}

}  // namespace

engine::SchedulerOptions scheduler_options(const ThreadOptions& options) {
    return of_bucket<engine::SchedulerOptions>(options);
}

engine::QueueReaderOptions queue_options(const ThreadOptions& options) {
    return of_bucket<engine::QueueReaderOptions>(options);
}

engine::MatcherOptions matcher_options(const ThreadOptions& options) {
    return of_bucket<engine::MatcherOptions>(options);
}

engine::PublisherOptions publisher_options(const ThreadOptions& options) {
    auto publisher = of_bucket<engine::PublisherOptions>(options);
    publisher.workers = options.outbox_workers;
    return publisher;
}

}  // namespace pawl::host
