#pragma once

#include "engine/services/matcher.hpp"
#include "engine/services/outbox_publisher.hpp"
#include "engine/services/queue_reader.hpp"
#include "engine/services/scheduler.hpp"
#include "host/worker_thread.hpp"

// What a thread's options mean for its parts.
namespace pawl::host {

// Finished tasks, and messages that were published or given up, stay for inspection.
inline constexpr Duration tasks_kept = std::chrono::hours(24 * 7);
inline constexpr Duration messages_kept = std::chrono::hours(24 * 7);
// At a time: several for each event of a run may come in, and as many must go.
inline constexpr int messages_purged = 10'000;

pg::PoolOptions pool_options(const ThreadOptions& options);
pg::PoolOptions function_pool_options(const ThreadOptions& options);
http::ClientOptions client_options(const ThreadOptions& options);
engine::SchedulerOptions scheduler_options(const ThreadOptions& options);
engine::QueueReaderOptions queue_options(const ThreadOptions& options);
engine::PublisherOptions publisher_options(const ThreadOptions& options);
engine::MatcherOptions matcher_options(const ThreadOptions& options);

}  // namespace pawl::host
