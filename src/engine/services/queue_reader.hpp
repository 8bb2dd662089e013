#pragma once

#include "base/complaint.hpp"
#include "base/rng.hpp"
#include "engine/async/gate.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/start/queued_start.hpp"
#include "store/repos/queues.hpp"

#include <functional>
#include <map>

namespace pawl::engine {

struct QueueReaderOptions {
    store::Bucket bucket = 0;
    int batch = 500;  // of each queue
    // How long it may take to start the runs of a batch before another reader gets its messages.
    Duration lease = std::chrono::seconds(10);
    // No notification tells of a message: the reader polls quickly while there are some, and then
    // ever more slowly.
    Duration pause_min = std::chrono::milliseconds(20);
    Duration pause_max = std::chrono::milliseconds(250);
    Duration partitions_every = std::chrono::minutes(1);
};

// Starts runs by the messages of queues, and hands failed runs over to theirs. Any number of
// processes may do so at once: a message goes in the transaction that starts its runs. The queues
// outlive it; one thread.
class QueueReader {
public:
    using FindProgram =
        std::function<asio::awaitable<ProgramPtr>(store::WorkflowId, std::int32_t version)>;

    QueueReader(
        asio::any_io_executor executor,
        store::Queues& queues,
        Metrics& metrics,
        FindProgram find_program,
        QueueReaderOptions options = {}
    );

    // Called when runs were started that workers should take.
    std::function<void()> on_ready = [] {};
    // Until it is cancelled.
    asio::awaitable<void> run();
    // One round; whether there was anything.
    asio::awaitable<bool> read_messages();

private:
    asio::awaitable<void> decide(store::QueuedMessage message, store::QueueOutcome& outcome);
    // Whether it stands for a queue that cannot be read; logged once.
    bool is_broken(const store::QueuedMessage& message);
    asio::awaitable<void> settle(store::QueueOutcome outcome);
    asio::awaitable<void> settle_each(store::QueueOutcome outcome);

    asio::any_io_executor executor_;
    store::Queues& queues_;
    Metrics& metrics_;
    FindProgram find_program_;
    QueueReaderOptions options_;
    Rng rng_;
    IdMaker ids_{rng_};
    std::map<std::string, std::string> broken_;  // queues, and why they cannot be read
    Steady::time_point partitions_at_{};
    Complaint trouble_{"queues could not be read"};
};

}  // namespace pawl::engine
