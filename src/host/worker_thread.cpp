#include "host/worker_thread.hpp"

#include "base/log.hpp"
#include "engine/services/matcher.hpp"
#include "engine/services/outbox_publisher.hpp"
#include "engine/services/projector.hpp"
#include "engine/services/queue_reader.hpp"
#include "engine/services/queue_task_runner.hpp"
#include "engine/services/scheduler.hpp"
#include "host/housekeeping.hpp"
#include "host/keep_figures.hpp"
#include "host/keep_orders.hpp"
#include "host/message_desk.hpp"
#include "host/notifier.hpp"
#include "host/thread_options.hpp"
#include "pg/listener.hpp"
#include "steps/email.hpp"
#include "steps/sms.hpp"
#include "store/queries.gen.hpp"
#include "store/repos/audit.hpp"
#include "store/repos/callbacks.hpp"
#include "store/repos/credential_store.hpp"
#include "store/repos/idempotency.hpp"
#include "store/repos/sql_steps.hpp"
#include "store/repos/task_queue.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace pawl::host {

namespace asio = boost::asio;

struct WorkerThread::Impl {
    Impl(ThreadOptions given, const steps::CodeRegistry& registry, engine::Metrics& given_metrics)
        : options(std::move(given)),
          metrics(given_metrics),
          pool(loop.get_executor(), pool_options(options)),
          store(pool),
          schedules(pool),
          answers(pool),
          callbacks(pool),
          figures(pool),
          audit(pool),
          operations(pool),
          effects(pool, ""),
          client(loop.get_executor(), client_options(options)),
          credentials(pool, options.vault),
          desk(
              loop.get_executor(),
              pool,
              options.vault,
              {options.worker.bucket, options.worker.public_url, options.worker.seal}
          ),
          actions(pool),
          steps(loop.get_executor(), registry, client, step_settings()),
          worker(loop.get_executor(), store, steps, metrics, options.worker),
          notifier(
              loop.get_executor(), [this] { return store.notify_workers(options.worker.bucket); }
          ),
          tenants(pool),
          limits(tenants),
          scheduler(
              loop.get_executor(), store, schedules, limits, metrics, scheduler_options(options)
          ),
          inbox(pool),
          matcher(
              loop.get_executor(),
              store,
              inbox,
              limits,
              [this](std::vector<engine::StartRequest> requests) {
                  return worker.start(std::move(requests));
              },
              [this](store::WorkflowId workflow, std::int32_t version) {
                  return worker.find_version(workflow, version);
              },
              matcher_options(options)
          ),
          queues(pool),
          queue_reader(
              loop.get_executor(),
              queues,
              metrics,
              [this](store::WorkflowId workflow, std::int32_t version) {
                  return worker.find_version(workflow, version);
              },
              queue_options(options)
          ),
          functions(loop.get_executor(), function_pool_options(options)),
          queue(pool, functions),
          tasks(
              loop.get_executor(),
              queue,
              [this](std::string channel, json::object message, Duration timeout) {
                  return send(std::move(channel), std::move(message), timeout);
              }
          ),
          outbox(pool, options.vault),
          hooks(loop.get_executor(), client_options(options)),
          publisher(loop.get_executor(), outbox, hooks, publisher_options(options)),
          funnels(pool),
          projector(loop.get_executor(), funnels, options.worker.bucket),
          background(loop.get_executor(), options.keeping) {}

    ThreadOptions options;
    engine::Metrics& metrics;
    asio::io_context loop{1};
    pg::Pool pool;
    store::PgStore store;
    store::Schedules schedules;
    store::Idempotency answers;
    store::Callbacks callbacks;  // only to forget them
    store::Figures figures;
    store::Audit audit;  // only to forget it
    store::Operations operations;
    store::SqlSteps effects;  // only to forget them
    http::Client client;
    store::Credentials credentials;
    MessageDesk desk;
    store::Actions actions;
    steps::Executor steps;
    engine::Worker worker;
    Notifier notifier;
    store::Tenants tenants;
    engine::StartLimits limits;
    engine::Scheduler scheduler;
    store::Inbox inbox;
    engine::Matcher matcher;
    store::Queues queues;
    engine::QueueReader queue_reader;
    pg::Pool functions;
    store::TaskQueue queue;
    engine::QueueTaskRunner tasks;
    store::Outbox outbox;
    http::Client hooks;  // of its own: steps that hang do not keep messages from going out
    engine::OutboxPublisher publisher;
    store::Funnels funnels;
    engine::Projector projector;
    std::optional<pg::Listener> listener;
    engine::Keeper background;
    std::thread thread;
    std::atomic<bool> working{false};
    std::atomic<bool> ended{false};
    Steady::time_point patience{};  // until when tasks under way may go on

    asio::awaitable<steps::StepOutcome> send(
        std::string channel, json::object message, Duration timeout
    ) {
        if (channel == "email")
            return send_email(client, options.messages.email, std::move(message), timeout);
        return send_sms(client, options.messages.sms, std::move(message), timeout);
    }

    steps::StepSettings step_settings() {
        steps::StepSettings settings = options.steps;
        settings.read_credential = [this](store::TenantId tenant, std::string name) {
            return credentials.read(tenant, std::move(name));
        };
        settings.read_person = desk.read_person();
        settings.messages = desk.services();
        settings.find_action = [this](store::TenantId tenant, std::string name) {
            return actions.find(tenant, std::move(name));
        };
        settings.sql.tenant_name = [this](store::TenantId tenant) { return tenants.name(tenant); };
        return settings;
    }

    using Purge = std::function<asio::awaitable<std::int64_t>(int batch)>;

    void keep_purged(const std::string& what, Purge purge, int batch = 1000) {
        const auto loop_of = [this, what, purge = std::move(purge), batch] {
            return keep_purging(loop.get_executor(), what, purge, batch);
        };
        background.keep("purge_" + what, loop_of);
    }

    void keep_house() {
        background.keep("notifier", [this] { return notifier.run(); });
        background.keep("partitions", [this] {
            return keep_partitions(store, loop.get_executor(), options.retention);
        });
        background.keep("circuits", [this] {
            return keep_circuits(steps, loop.get_executor(), metrics);
        });
        background.keep("orders", [this] {
            return keep_orders(operations, worker, steps, loop.get_executor());
        });
        keep_purged("idempotency_keys", [this](int batch) { return answers.purge(batch); });
        keep_purged("callback_tokens", [this](int batch) { return callbacks.purge(batch); });
        keep_purged("sql_effects", [this](int batch) {
            return effects.purge(options.worker.bucket, batch);
        });
        if (!listener) return;
        background.keep("listener", [this] { return listener->run(); });
        keep_purged("tasks", [this](int batch) { return queue.purge(tasks_kept, batch); });
        // Those that were matched are kept for a while, for runs that reach their wait later.
        keep_purged("events", [this](int batch) {
            return inbox.purge(options.worker.bucket, options.event_retention, batch);
        });
    }

    // What one thread of a process does for all.
    void keep_schedules() {
        background.keep("scheduler", [this] { return scheduler.run(); });
        background.keep("queues", [this] { return queue_reader.run(); });
        background.keep("projector", [this] { return projector.run(); });
        for (int i = 0; i < options.outbox_workers; ++i) {
            const auto index = static_cast<std::size_t>(i);
            background.keep("outbox", [this, index] { return publisher.work(index); });
        }
        if (options.meanwhile) {
            background.keep("workflows", [this] { return options.meanwhile(pool); });
        }
        const auto purge = [this](int batch) {
            return outbox.purge(options.worker.bucket, messages_kept, batch);
        };
        keep_purged("outbox", purge, messages_purged);
        if (options.audit_retention) {
            keep_purged("audit", [this](int batch) {
                return audit.purge(*options.audit_retention, batch);
            });
        }
        background.keep("figures", [this] {
            return keep_figures(figures, loop.get_executor(), metrics, options.worker.bucket);
        });
    }

    asio::awaitable<void> life() {
        keep_house();
        background.keep("matcher", [this] { return matcher.run(); });
        background.keep("tasks", [this] { return tasks.run(); });
        if (options.schedule) keep_schedules();
        working = true;
        try {
            co_await worker.run();
        } catch (const std::exception& error) {
            log::error("the worker ended with an error", {log::field("error", error.what())});
        }
        working = false;
        co_await tasks.drain(patience);
        background.cancel();
        co_await background.join();
        co_await desk.stop();
    }
};

WorkerThread::WorkerThread(
    ThreadOptions options, const steps::CodeRegistry& registry, engine::Metrics& metrics
)
    : impl_(std::make_unique<Impl>(std::move(options), registry, metrics)) {
    impl_->tasks.on_ended = [impl = impl_.get()](std::string type, std::string outcome) {
        impl->metrics.task_ended(type, outcome);
    };
    impl_->publisher.on_delivered = [impl = impl_.get()](
                                        std::string kind, std::string outcome, std::size_t count
                                    ) { impl->metrics.delivered(kind, outcome, count); };
    impl_->worker.limits = &impl_->limits;
    impl_->worker.on_ready_elsewhere = [impl = impl_.get()] { impl->notifier.request(); };
    impl_->scheduler.on_ready = [impl = impl_.get()] {
        impl->worker.wake();
        impl->notifier.request();
    };
    impl_->queue_reader.on_ready = impl_->scheduler.on_ready;
    impl_->store.on_made_room = impl_->scheduler.on_ready;
    impl_->worker.on_matchable = [impl = impl_.get()] {
        impl->worker.wake();
        impl->matcher.look_after_claims();
    };
    impl_->worker.on_committed = [impl = impl_.get()](const std::vector<store::LogRow>& events) {
        impl->publisher.look();
        if (impl->options.events != nullptr) impl->options.events->publish(events);
    };
    impl_->matcher.claims_match = [impl = impl_.get()] { return impl->worker.room() > 0; };
    impl_->matcher.claims_go_on = [impl = impl_.get()] { return impl->worker.has_just_matched(); };
    impl_->matcher.on_delivered = [impl = impl_.get()] {
        impl->worker.wake();
        impl->notifier.request();
    };
}

WorkerThread::~WorkerThread() {
    if (impl_->thread.joinable()) {
        stop_now();
        impl_->thread.join();
    }
}

void WorkerThread::start() {
    if (impl_->options.listen) {
        pg::ListenerOptions options;
        options.connect = impl_->options.connect;
        options.listen = &store::queries::listen_for_wakes;
        options.self_test = &store::queries::is_listening;
        impl_->listener.emplace(options, [this](const std::vector<pg::Notification>& heard) {
            hear(heard);
        });
    }
    impl_->thread = std::thread([impl = impl_.get()] {
        asio::co_spawn(impl->loop, impl->life(), [impl](std::exception_ptr thrown) {
            impl->ended = true;
            impl->loop.stop();
            if (thrown) std::rethrow_exception(thrown);
        });
        impl->loop.run();
    });
}

// Tasks, jobs and runs that were started say so; anything else may be about runs and events.
void WorkerThread::hear(const std::vector<pg::Notification>& heard) {
    bool tasks = heard.empty(), jobs = heard.empty(), runs = heard.empty(), events = heard.empty();
    for (const pg::Notification& one : heard) {
        const bool task = one.payload == "tasks";
        const bool job = one.payload == "jobs";
        tasks = tasks || task;
        jobs = jobs || job;
        if (job) continue;
        runs = runs || !task;
        // Looking for events as well would delay the claim.
        events = events || (!task && one.payload != "runs");
    }
    if (tasks) {
        impl_->tasks.look();
        if (on_tasks) on_tasks();
    }
    if (jobs && on_jobs) on_jobs();
    if (!runs) return;
    impl_->worker.wake();
    if (events) impl_->matcher.look();
    if (on_wake) on_wake();
}

void WorkerThread::stop() {
    stop(Steady::now() + impl_->options.worker.drain_timeout);
}

void WorkerThread::stop(Steady::time_point until) {
    asio::post(impl_->loop, [impl = impl_.get(), until] {
        impl->patience = until;
        impl->tasks.stop();
        impl->worker.stop(until);
    });
}

void WorkerThread::stop_now() {
    asio::post(impl_->loop, [impl = impl_.get()] {
        impl->patience = {};
        impl->worker.stop_now();
    });
}

void WorkerThread::wake() {
    asio::post(impl_->loop, [impl = impl_.get()] {
        impl->worker.wake();
        impl->publisher.look();
    });
}

void WorkerThread::look_for_tasks() {
    asio::post(impl_->loop, [impl = impl_.get()] { impl->tasks.look(); });
}

bool WorkerThread::working() const {
    return impl_->working && impl_->worker.working();
}

bool WorkerThread::heard() const {
    return impl_->worker.heard();
}

bool WorkerThread::ended() const {
    return impl_->ended;
}

void WorkerThread::join() {
    if (impl_->thread.joinable()) impl_->thread.join();
}

asio::any_io_executor WorkerThread::executor() {
    return impl_->loop.get_executor();
}

engine::Worker& WorkerThread::worker() {
    return impl_->worker;
}

store::PgStore& WorkerThread::store() {
    return impl_->store;
}

}  // namespace pawl::host
