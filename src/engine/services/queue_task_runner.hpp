#pragma once

#include "base/json.hpp"
#include "engine/async/coroutine_group.hpp"
#include "engine/async/gate.hpp"
#include "steps/step_request.hpp"
#include "store/repos/task_queue.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>

namespace pawl::engine {

struct QueueTaskRunnerOptions {
    int tasks_max = 16;  // under way at a time
    // The safety net under look().
    Duration poll = std::chrono::seconds(1);
    Duration send_timeout = std::chrono::seconds(30);
};

// Carries out the tasks of the database's queue: functions, emails and text messages with their
// handlers. It never enqueues; what comes next is up to the functions. One thread; what it is given
// outlives it.
class QueueTaskRunner {
public:
    // Sends an email or a text message. Does not throw, unless it is cancelled.
    using Send = std::function<
        asio::awaitable<steps::StepOutcome>(std::string channel, json::object message, Duration)>;

    QueueTaskRunner(
        asio::any_io_executor executor,
        store::TaskQueue& queue,
        Send send,
        QueueTaskRunnerOptions options = {}
    );

    // Called when a task ends: completed, failed, retried (it comes again).
    std::function<void(std::string type, std::string outcome)> on_ended;

    // There may be tasks: look now instead of at the next poll.
    void look() { gate_.open(); }
    // Until it is cancelled.
    asio::awaitable<void> run();
    // Takes no more.
    void stop();
    // After that: waits for those under way, at most until then. What is left is cut off.
    asio::awaitable<void> drain(Steady::time_point until);

private:
    // How a function did: its envelope, read.
    struct Answer {
        bool success = false;
        bool refused = false;    // a validation failure: not retried
        bool transient = false;  // a retry may succeed
        std::string problem;     // unless it was a success
        json::value payload;
    };

    // Of a task under way; given back when it ends, however that is.
    class Place {
    public:
        explicit Place(QueueTaskRunner& runner) : runner_(runner) {}
        ~Place();
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        QueueTaskRunner& runner_;
    };

    asio::awaitable<Duration> take();
    asio::awaitable<void> carry_out(store::QueuedTask task);
    asio::awaitable<void> run_db_function(store::QueuedTask task);
    asio::awaitable<void> send_message(store::QueuedTask task);
    asio::awaitable<void> report(
        const store::QueuedTask& task, std::string handler, json::object payload
    );
    // Calls a function of the database. `finishes`: and marks the task as finished.
    asio::awaitable<Answer> call(
        std::string function, json::object payload, std::optional<std::int64_t> finishes
    );
    static Answer read_envelope(const json::value& result);
    asio::awaitable<void> note(
        const store::QueuedTask& task,
        std::string stage,
        std::string function,
        std::string message,
        json::object details = {}
    );
    void ended(const store::QueuedTask& task, const char* outcome) const;
    // Puts it back for later; when it came too often, it stays as it is.
    asio::awaitable<bool> try_later(const store::QueuedTask& task);

    store::TaskQueue& queue_;
    Send send_;
    QueueTaskRunnerOptions options_;
    Gate gate_;
    Gate drained_;
    CoroutineGroup under_way_;
    int busy_ = 0;
    bool more_ = false;         // the last look took all that there was room for
    bool taking_ = false;       // a claim is under way
    bool drained_out_ = false;  // nothing is begun any more
    bool stopping_ = false;
    bool complained_ = false;
};

}  // namespace pawl::engine
