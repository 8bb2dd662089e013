#include "engine/services/queue_task_runner.hpp"

#include "base/log.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::engine {

namespace {

constexpr Duration pause_after_failure = std::chrono::seconds(10);
// A message that has gone out should be known to have.
constexpr int report_tries = 4;

std::string text_of(const json::object& payload, std::string_view key) {
    return std::string(text_in(payload, key));
}

// Doubles from a second on.
Duration delivery_backoff(int deliveries) {
    return std::chrono::seconds(1LL << std::clamp(deliveries - 1, 0, 6));
}

// Its lease runs out: then another worker takes it.
void left_in_the_middle(const store::QueuedTask& task, const char* error) {
    log::warn(
        "a task was interrupted",
        {log::field("task", task.id), log::field("type", task.type), log::field("error", error)}
    );
}

json::object handed_over(const store::QueuedTask& task) {
    json::object payload;
    payload["original_payload"] = task.payload;
    return payload;
}

}  // namespace

QueueTaskRunner::QueueTaskRunner(
    asio::any_io_executor executor,
    store::TaskQueue& queue,
    Send send,
    QueueTaskRunnerOptions options
)
    : queue_(queue),
      send_(std::move(send)),
      options_(options),
      gate_(executor),
      drained_(executor),
      under_way_(executor) {}

asio::awaitable<void> QueueTaskRunner::run() {
    taking_ = false;
    while (!stopping_) {
        const Duration pause = co_await take();
        taking_ = false;
        if (stopping_) drained_.open();
        if (pause > Duration(0)) co_await gate_.wait(Steady::now() + pause);
    }
}

asio::awaitable<Duration> QueueTaskRunner::take() {
    const int room = options_.tasks_max - busy_;
    more_ = room <= 0;
    if (more_) co_return options_.poll;
    try {
        taking_ = true;
        std::vector<store::QueuedTask> tasks = co_await queue_.claim(room);
        complained_ = false;
        // The runner is stopping: another one takes them when their leases end.
        if (drained_out_) tasks.clear();
        more_ = tasks.size() == static_cast<std::size_t>(room);
        busy_ += static_cast<int>(tasks.size());
        for (store::QueuedTask& task : tasks) under_way_.spawn(carry_out(std::move(task)));
        co_return options_.poll;
    } catch (const Failure& failure) {
        if (!complained_) {
            log::warn(
                "tasks of the database's queue cannot be taken; the user that pawl connects as "
                "must be a member of worker_service_user",
                {log::field("error", failure.what())}
            );
        }
        complained_ = true;
        co_return pause_after_failure;
    }
}

void QueueTaskRunner::stop() {
    stopping_ = true;
    gate_.open();
}

asio::awaitable<void> QueueTaskRunner::drain(Steady::time_point until) {
    stop();
    // What is being taken belongs to it.
    while ((taking_ || busy_ > 0) && Steady::now() < until) co_await drained_.wait(until);
    drained_out_ = true;
    under_way_.cancel();
    co_await under_way_.join();
}

// One that throws what was not foreseen must not keep its place forever.
asio::awaitable<void> QueueTaskRunner::carry_out(store::QueuedTask task) {
    const Place place(*this);
    try {
        if (!task.problem.empty()) {
            ended(task, "failed");
            co_await note(task, "task", "", task.problem);
            co_await queue_.finish(task.id);
        } else if (task.type == "db_function") {
            co_await run_db_function(task);
        } else {
            co_await send_message(task);
        }
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) throw;
        left_in_the_middle(task, error.what());
    } catch (const std::exception& error) {
        left_in_the_middle(task, error.what());
    }
}

QueueTaskRunner::Place::~Place() {
    --runner_.busy_;
    if (runner_.busy_ == 0) runner_.drained_.open();
    if (runner_.more_) runner_.gate_.open();
}

QueueTaskRunner::Answer QueueTaskRunner::read_envelope(const json::value& result) {
    Answer answer;
    if (!result.is_object()) {
        answer.problem = "it gave back no object with `success`";
        return answer;
    }
    const json::object& envelope = result.get_object();
    if (const json::value* payload = envelope.if_contains("payload")) answer.payload = *payload;
    const std::string refusal = text_of(envelope, "validation_failure_message");
    const std::string error = text_of(envelope, "error");
    const json::value* success = envelope.if_contains("success");
    answer.refused = !refusal.empty();
    answer.problem = answer.refused ? refusal : error;
    answer.success = answer.problem.empty() && success != nullptr && *success == true;
    if (!answer.success && answer.problem.empty()) answer.problem = "it said that it failed";
    return answer;
}

asio::awaitable<QueueTaskRunner::Answer> QueueTaskRunner::call(
    std::string function, json::object payload, std::optional<std::int64_t> finishes
) {
    Answer answer;
    try {
        const json::value result = co_await queue_.run(function, std::move(payload), finishes);
        answer = read_envelope(result);
    } catch (const Failure& failure) {
        answer.transient = info(failure.error().code).retryable;
        answer.problem = failure.what();
    }
    co_return answer;
}

asio::awaitable<void> QueueTaskRunner::note(
    const store::QueuedTask& task,
    std::string stage,
    std::string function,
    std::string message,
    json::object details
) {
    log::warn(
        "a task failed",
        {log::field("task", task.id),
         log::field("stage", stage),
         log::field("function", function),
         log::field("error", message)}
    );
    details["task_type"] = task.type;
    details["delivery"] = task.deliveries;
    for (const auto& [key, value] : task.payload) {
        if (std::string_view(key).ends_with("_id")) details[key] = value;
    }
    store::TaskError error{
        task.id, std::move(stage), std::move(function), std::move(message), std::move(details)};
    try {
        co_await queue_.record(std::move(error));
    } catch (const Failure& failure) {
        // What happens next matters more than the note.
        log::warn("an error could not be noted", {log::field("error", failure.what())});
    }
}

void QueueTaskRunner::ended(const store::QueuedTask& task, const char* outcome) const {
    if (on_ended) on_ended(task.type, outcome);
}

asio::awaitable<bool> QueueTaskRunner::try_later(const store::QueuedTask& task) {
    const bool later = co_await queue_.retry(task.id, delivery_backoff(task.deliveries));
    if (later) ended(task, "retried");
    co_return later;
}

asio::awaitable<void> QueueTaskRunner::run_db_function(store::QueuedTask task) {
    const std::string function = text_of(task.payload, "db_function");
    if (function.empty()) {
        ended(task, "failed");
        co_await note(task, "db_function", "", "the payload has no db_function");
        co_await queue_.finish(task.id);
        co_return;
    }
    const Answer answer = co_await call(function, task.payload, task.id);
    if (answer.success) {
        ended(task, "completed");
        co_return;
    }
    co_await note(task, "db_function", function, answer.problem);
    if (!answer.transient) {
        ended(task, "failed");
        co_await queue_.finish(task.id);
        co_return;
    }
    if (co_await try_later(task)) co_return;
    ended(task, "failed");
    co_await note(task, "task", function, "all its attempts were used");
}

asio::awaitable<void> QueueTaskRunner::send_message(store::QueuedTask task) {
    const std::string before = text_of(task.payload, "before_handler");
    const std::string on_error = text_of(task.payload, "error_handler");
    json::object message = task.payload;
    json::object outcome = handed_over(task);
    if (!before.empty()) {
        Answer answer = co_await call(before, task.payload, std::nullopt);
        if (answer.success && !answer.payload.is_object()) {
            answer.success = false;
            answer.problem = "it gave no payload to send";
        }
        if (!answer.success) {
            co_await note(task, "before_handler", before, answer.problem);
            // Nothing has gone out yet.
            if (answer.transient && co_await try_later(task)) co_return;
            ended(task, "failed");
            outcome["error"] = answer.problem;
            outcome["error_class"] = answer.refused ? "validation" : "retryable";
            co_await report(task, on_error, std::move(outcome));
            co_return;
        }
        message = std::move(answer.payload.get_object());
    }
    const steps::StepOutcome sent =
        co_await send_(task.type, std::move(message), options_.send_timeout);
    ended(task, sent.error ? "failed" : "completed");
    if (!sent.error) {
        outcome["worker_payload"] = sent.result;
        co_await report(task, text_of(task.payload, "success_handler"), std::move(outcome));
        co_return;
    }
    json::object details;
    details["error_code"] = sent.error->code;
    details["error_class"] = name(sent.error->error_class);
    co_await note(task, "send", "", sent.error->message, details);
    outcome["error"] = sent.error->message;
    outcome["error_code"] = sent.error->code;
    outcome["error_class"] = name(sent.error->error_class);
    co_await report(task, on_error, std::move(outcome));
}

asio::awaitable<void> QueueTaskRunner::report(
    const store::QueuedTask& task, std::string handler, json::object payload
) {
    if (handler.empty()) {
        co_await queue_.finish(task.id);
        co_return;
    }
    const std::string stage = payload.contains("error") ? "error_handler" : "success_handler";
    for (int tried = 1;; ++tried) {
        const Answer answer = co_await call(handler, payload, task.id);
        if (answer.success) co_return;
        co_await note(task, stage, handler, answer.problem);
        if (!answer.transient || tried == report_tries) break;
        Gate pause(gate_.executor());
        co_await pause.wait(Steady::now() + delivery_backoff(tried));
    }
    co_await queue_.finish(task.id);
}

}  // namespace pawl::engine
