#include "engine/services/queue_reader.hpp"

#include "base/log.hpp"
#include "engine/async/problem_of.hpp"
#include "engine/worker/canary.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::engine {

namespace {

// A message that was read this often and never finished probably kills its readers.
constexpr std::int32_t poison_read_limit = 20;

}  // namespace

QueueReader::QueueReader(
    asio::any_io_executor executor,
    store::Queues& queues,
    Metrics& metrics,
    FindProgram find_program,
    QueueReaderOptions options
)
    : executor_(std::move(executor)),
      queues_(queues),
      metrics_(metrics),
      find_program_(std::move(find_program)),
      options_(options) {}

asio::awaitable<void> QueueReader::decide(
    store::QueuedMessage message, store::QueueOutcome& outcome
) {
    std::string problem;
    std::vector<StartRequest> starts;
    if (!message.problem.empty()) {
        problem = std::move(message.problem);
    } else if (message.known) {
        // The run is there already; the message only says so.
    } else if (message.reads > poison_read_limit) {
        problem = "it was read too often and never finished";
    } else if (message.workflows.empty()) {
        // One whose trigger was taken away meanwhile waits for the next.
        if (message.kind == store::QueuedMessage::Kind::trigger) co_return;
        problem = no_workflow(message);
    }
    if (problem.empty() && !message.known) {
        for (const store::StartVersion& head : message.workflows) {
            const ProgramPtr program = co_await find_program_(head.workflow, head.version);
            if (!program) co_return;  // written by a newer version, whose readers can read it
            QueuedStart queued = start_of(program, message);
            if (queued.start && !head.canary.empty()) {
                const std::string id = fmt::format("{}/{}", message.queue, message.id);
                const auto chosen = version_for(head, *queued.start, id);
                const ProgramPtr other = co_await find_program_(head.workflow, chosen);
                queued.problem = take_version(*queued.start, other);
                if (!queued.problem.empty()) queued.start.reset();
            }
            if (!queued.problem.empty()) problem = std::move(queued.problem);
            if (queued.start) starts.push_back(std::move(*queued.start));
        }
    }
    if (!problem.empty()) {
        log::warn(
            "a message did not start a run",
            {log::field("tenant", message.tenant),
             log::field("queue", message.queue),
             log::field("message", message.id),
             log::field("reads", message.reads),
             log::field("error", problem)}
        );
        outcome.failed.push_back(
            {message.id, message.reads, std::move(problem), std::move(message.message)}
        );
    } else if (starts.empty() && !message.known) {
        outcome.unwanted.push_back(message.id);
    } else {
        outcome.done.push_back(message.id);
        const auto ms = static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000);
        for (StartRequest& start : starts) {
            outcome.starts.push_back(
                {message.id, to_new_run(RunId{ids_.next(ms)}, std::move(start))}
            );
        }
    }
}

bool QueueReader::is_broken(const store::QueuedMessage& message) {
    if (message.id != 0) {
        broken_.erase(message.queue);
        return false;
    }
    std::string& known = broken_[message.queue];
    if (known == message.problem) return true;
    known = message.problem;
    log::error(
        "a queue cannot be read",
        {log::field("tenant", message.tenant),
         log::field("queue", message.queue),
         log::field("error", message.problem)}
    );
    return true;
}

asio::awaitable<void> QueueReader::settle(store::QueueOutcome outcome) {
    const std::string queue = outcome.queue;
    std::vector<std::pair<store::WorkflowId, std::int32_t>> versions;
    for (const auto& start : outcome.starts)
        versions.emplace_back(start.run.workflow, start.run.version);
    const auto settled = co_await queues_.settle(options_.bucket, std::move(outcome));
    if (settled.dead > 0) {
        log::warn(
            "messages went to the dead-letter queue",
            {log::field("queue", queue), log::field("count", settled.dead)}
        );
    }
    if (settled.started == 0) co_return;
    // Which of them were there already is not told: the first ones count.
    versions.resize(std::min(versions.size(), static_cast<std::size_t>(settled.started)));
    for (const auto& [workflow, version] : versions) {
        const ProgramPtr program = co_await find_program_(workflow, version);
        if (program) metrics_.of(program->definition.name).runs_started(1);
    }
    on_ready();
}

// After the database has refused them together: what is wrong with one message is noted at it, and
// the others do what they mean. Most often it is what one of them starts.
asio::awaitable<void> QueueReader::settle_each(store::QueueOutcome outcome) {
    for (const std::int64_t id : outcome.done) {
        store::QueueOutcome one;
        one.queue = outcome.queue;
        one.done.push_back(id);
        for (const auto& start : outcome.starts) {
            if (start.message == id) one.starts.push_back(start);
        }
        const std::string refused = co_await problem_of(
            [&] { return settle(one); },
            fmt::format("message {} of the queue {}", id, outcome.queue)
        );
        if (refused.empty() || refused == waits_for_tenant) continue;
        outcome.failed.push_back({id, poison_read_limit, refused, nullptr});
    }
    outcome.done.clear();
    outcome.starts.clear();
    co_await problem_of([&] { return settle(std::move(outcome)); }, "messages that failed");
}

asio::awaitable<bool> QueueReader::read_messages() {
    auto messages = co_await queues_.read(options_.bucket, options_.batch, options_.lease);
    std::map<std::string, store::QueueOutcome> outcomes;
    bool any = false;
    for (store::QueuedMessage& message : messages) {
        if (is_broken(message)) continue;
        any = true;
        store::QueueOutcome& outcome = outcomes[message.queue];
        outcome.queue = message.queue;
        const std::int64_t id = message.id;
        const std::int32_t reads = message.reads;
        const std::string what = fmt::format(
            "message {} of the queue {} of tenant {}", id, message.queue, message.tenant
        );
        const std::string problem =
            co_await problem_of([&] { return decide(std::move(message), outcome); }, what);
        if (!problem.empty()) outcome.failed.push_back({id, reads, problem, nullptr});
    }
    for (auto& [queue, outcome] : outcomes) {
        const std::string refused =
            co_await problem_of([&] { return settle(outcome); }, "messages of the queue " + queue);
        // What waits for a transaction of its tenant comes again when its lease is over.
        if (!refused.empty() && refused != waits_for_tenant) {
            co_await settle_each(std::move(outcome));
        }
    }
    const bool dead = co_await queues_.hand_over_dead_runs(options_.bucket, options_.batch) > 0;
    co_return any || dead;
}

asio::awaitable<void> QueueReader::run() {
    Duration pause = options_.pause_min;
    for (;;) {
        bool any = false;
        try {
            any = co_await read_messages();
            if (Steady::now() >= partitions_at_) {
                co_await queues_.keep_partitions();
                partitions_at_ = Steady::now() + options_.partitions_every;
            }
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
            pause = options_.pause_max * 4;
        }
        if (any) {
            pause = options_.pause_min;
            continue;
        }
        Gate gate(executor_);
        co_await gate.wait(Steady::now() + pause);
        pause = std::min(pause * 2, options_.pause_max);
    }
}

}  // namespace pawl::engine
