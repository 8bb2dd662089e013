#include "engine/worker/worker.hpp"

#include "base/host_name.hpp"
#include "engine/core/weight.hpp"
#include "engine/worker/worker_impl.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

namespace pawl::engine {

namespace {

// It walks over all open runs.
constexpr Duration lease_check_every = std::chrono::minutes(5);
// A portion of messages that left some behind has that many, or that many that weigh so much.
constexpr std::size_t full_portion = 1000;
constexpr std::size_t large_messages_min = 16;
constexpr std::size_t large_portion_bytes = 128 << 10;

// True as long as it lives, however that ends.
class Flag {
public:
    explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
    ~Flag() { flag_ = false; }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

private:
    bool& flag_;
};

}  // namespace

bool is_passing(const Failure& failure) {
    return info(failure.error().code).retryable && failure.error().code != Errc::fenced;
}

Worker::Impl::Impl(
    Worker& given_owner,
    asio::any_io_executor given_executor,
    store::Store& given_store,
    const steps::Executor& given_steps,
    Metrics& given_metrics,
    WorkerOptions given_options
)
    : owner(given_owner),
      executor(given_executor),
      store(given_store),
      steps(given_steps),
      metrics(given_metrics),
      options(std::move(given_options)),
      programs(given_store, options.find_plan),
      claim_gate(given_executor),
      timer_gate(given_executor),
      start_gate(given_executor),
      stop_gate(given_executor),
      progress_gate(given_executor),
      beat_gate(given_executor),
      tasks(given_executor),
      step_tasks(given_executor),
      places(options.steps_max) {
    for (int i = 0; i < options.commit_lanes; ++i)
        lane_gates.push_back(std::make_unique<Gate>(executor));
}

asio::awaitable<void> Worker::Impl::pause(Duration duration) {
    Gate never(executor);
    co_await never.wait(Steady::now() + duration);
}

// 10 ms doubling to 1 s, with jitter so that a crowd does not come back in step.
Duration Worker::Impl::backoff(int failures) {
    const auto base = std::chrono::milliseconds(10 << std::min(failures, 7));
    return std::chrono::duration_cast<Duration>(base * (0.5 + rng.unit()));
}

// None when the worker was stopped before it could register.
asio::awaitable<std::optional<WorkerId>> Worker::Impl::register_id() {
    const std::string host = host_name();
    for (int failures = 0; !stopped_now; ++failures) {
        // A fresh random id each time: an id is never used for two sessions, so a fence stays a
        // fence. It is this worker's once its session begins: what a claim of the old session would
        // lease to it before that, no one would carry on.
        const WorkerId fresh{
            ids.next(static_cast<std::uint64_t>(wall_now().time_since_epoch().count() / 1000))};
        const store::WorkerInfo worker{
            fresh, host, static_cast<std::int32_t>(getpid()), options.version};
        const auto sent = Steady::now();
        try {
            const Instant db = co_await store.register_worker(worker);
            clock.observe(db, sent, Steady::now());
            registering.fine();
            co_return fresh;
        } catch (const Failure& failure) {
            if (!is_passing(failure)) throw;
            registering.failed(failure.what());
        }
        co_await pause(backoff(failures + 3));
    }
    co_return std::nullopt;
}

asio::awaitable<void> Worker::Impl::register_session() {
    const auto id = co_await register_id();
    if (!id) co_return;
    CoreOptions core_options;
    core_options.bucket = options.bucket;
    core_options.worker = *id;
    core_options.runs_max = options.runs_max;
    core_options.bytes_max = options.bytes_max;
    core_options.batch_events_max = options.batch_events_max;
    core_options.hold_below = options.hold_below;
    auto called = fmt::format("{}/{}", host_name(), getpid());
    auto next = std::make_shared<Session>(*id, std::move(called), core_options, rng);
    if (options.tracer) {
        next->traces = std::make_unique<RunTraces>(*options.tracer, to_string(*id));
    }
    if (session) session->over = true;
    session = std::move(next);
    heard_at = Steady::now();
    registered = true;
}

// Declared dead, or not sure any more to be the only writer of what it holds: drop everything and
// begin anew.
asio::awaitable<void> Worker::Impl::renew_session(SessionPtr lost, std::string why) {
    if (lost != session || renewing) co_return;
    registered = false;
    log::warn(
        "the worker's session is over; everything it held is dropped",
        {log::field("worker", to_string(lost->id)),
         log::field("runs", lost->core.held()),
         log::field("reason", std::move(why))}
    );
    places.leave_if([](const StepOrder&) { return true; });
    {
        const Flag busy(renewing);
        co_await register_session();
    }
    if (stopping || resting) session->core.begin_drain(now());
    try {
        // If the old row is still there, its runs should not wait for the time-out.
        co_await store.sweep_dead_workers(options.dead_after);
    } catch (const Failure&) {
        log::debug(
            "sweeping after a lost session failed", {log::field("worker", to_string(lost->id))}
        );
    }
    claim_gate.open();
    start_gate.open();
}

asio::awaitable<void> Worker::Impl::beat_once() {
    const auto sent = Steady::now();
    const Instant db = co_await store.heartbeat(session->id);
    clock.observe(db, sent, Steady::now());
    heard_at = Steady::now();
    const auto swept = co_await store.sweep_dead_workers(options.dead_after);
    std::size_t recovered = 0;
    for (const auto& worker : swept) {
        recovered += static_cast<std::size_t>(worker.runs);
        log::warn(
            "a worker was declared dead; its runs are ready again",
            {log::field("dead_worker", to_string(worker.worker)), log::field("runs", worker.runs)}
        );
    }
    if (!swept.empty()) {
        metrics.swept(swept.size(), recovered);
        claim_gate.open();
        if (owner.on_ready_elsewhere) owner.on_ready_elsewhere();
    }
    const SessionPtr begun = session;
    const auto message_read = core().begin_message_read();
    const auto signals =
        co_await store.pending_signals(options.bucket, begun->id, begun->core.held_runs());
    if (!begun->over && !signals.empty()) {
        note_portion(signals);
        core().signals(fresh(signals, *message_read), now());
        pump();
    }
    metrics.holding(this, core().held(), core().executing());
    // The net under everything that may go wrong between the two: a lease that this worker does not
    // know of is found.
    if (Steady::now() - looked_for_leases > lease_check_every) {
        looked_for_leases = Steady::now();
        session->answer_lost = true;
    }
}

// The database gives messages in portions (pawl.signals_at_once), and packed ones count for more
// there than they weigh here.
void Worker::Impl::note_portion(const std::vector<store::Signal>& signals) {
    if (signals.size() < large_messages_min) return;
    std::size_t bytes = 0;
    for (const store::Signal& signal : signals) {
        const json::object* data = signal.data.if_object();
        if (data != nullptr) bytes += weight(*data);
    }
    if (signals.size() >= full_portion || bytes >= large_portion_bytes) session->more_told = true;
}

asio::awaitable<void> Worker::Impl::beat() {
    while (!finished) {
        const auto begun = session;
        std::optional<std::string> fenced;
        try {
            if (registered) {
                co_await beat_once();
                beating.fine();
            }
        } catch (const Failure& failure) {
            if (failure.error().code == Errc::fenced) {
                fenced = failure.what();
            } else {
                beating.failed(failure.what());
            }
        }
        if (fenced) co_await renew_session(begun, *fenced);
        co_await beat_gate.wait(Steady::now() + options.heartbeat_every);
    }
}

asio::awaitable<void> Worker::Impl::tick() {
    while (!finished) {
        const auto next = core().next_timer();
        timer_set = next;
        // Capped, so that a database clock that jumps is noticed.
        const auto cap = Steady::now() + std::chrono::seconds(1);
        co_await timer_gate.wait(next ? std::min(clock.local(*next), cap) : cap);
        if (finished) break;
        core().timers_due(now());
        pump();
    }
}

// One of the worker's loops. An unexpected exception (of an embedder's callback, say) must not end
// it silently: its runs would stay leased while the heartbeat goes on.
asio::awaitable<void> Worker::Impl::keep_going(std::function<asio::awaitable<void>()> loop) {
    while (!finished) {
        std::string why;
        const auto begun = session;
        try {
            co_await loop();
            co_return;
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) throw;
            why = error.what();
        } catch (const std::exception& error) {
            why = error.what();
        } catch (...) {
            why = "something was thrown that is not an exception";
        }
        log::error("unexpected error in the worker", {log::field("error", why)});
        begun->claiming = begun->asking_lost = false;
        // Without a session nothing goes on, so neither does this loop.
        do {
            try {
                co_await renew_session(begun, why);
            } catch (const Failure& failure) {
                registering.failed(failure.what());
            }
            co_await pause(backoff(5));
        } while (!registered && !finished);
    }
}

// False when it was stopped before the database let it in.
asio::awaitable<bool> Worker::Impl::register_first() {
    std::exception_ptr failed;
    CoroutineGroup entry(executor);
    entry.spawn([](Impl& self, std::exception_ptr& thrown) -> asio::awaitable<void> {
        try {
            co_await self.register_session();
        } catch (...) {
            thrown = std::current_exception();
        }
        self.stop_gate.open();
    }(*this, failed));
    while (!registered && !stopping && !failed) co_await stop_gate.wait();
    entry.cancel();
    co_await entry.join();
    if (failed && !stopping) std::rethrow_exception(failed);
    co_return registered;
}

asio::awaitable<void> Worker::Impl::run() {
    if (!co_await register_first()) {
        finished = true;
        refuse_starts();
        log::info("the worker was stopped before it could register");
        co_return;
    }
    log::info("worker started", {log::field("worker", to_string(session->id))});
    for (std::size_t i = 0; i < lane_gates.size(); ++i) {
        tasks.spawn(keep_going([this, i] { return lane(i); }));
    }
    tasks.spawn(keep_going([this] { return claim(); }));
    tasks.spawn(keep_going([this] { return beat(); }));
    tasks.spawn(keep_going([this] { return tick(); }));
    tasks.spawn(keep_going([this] { return start_loop(); }));
    while (!stopping) co_await stop_gate.wait();
    if (!stopped_now) co_await drain();
    finished = true;
    step_tasks.cancel();
    tasks.cancel();
    for (auto& gate : lane_gates) gate->open();
    for (Gate* gate : {&claim_gate, &timer_gate, &start_gate, &beat_gate}) gate->open();
    co_await step_tasks.join();
    co_await tasks.join();
    refuse_starts();
    if (core().held() == 0 && !stopped_now) co_await leave();
    log::info(
        "worker stopped",
        {log::field("worker", to_string(session->id)), log::field("left", core().held())}
    );
}

Worker::Worker(
    asio::any_io_executor executor,
    store::Store& store,
    const steps::Executor& steps,
    Metrics& metrics,
    WorkerOptions options
)
    : impl_(std::make_unique<Impl>(
          *this, std::move(executor), store, steps, metrics, std::move(options)
      )) {}

Worker::~Worker() = default;

asio::awaitable<void> Worker::run() {
    return impl_->run();
}

void Worker::stop() {
    stop(Steady::now() + impl_->options.drain_timeout);
}

void Worker::stop(Steady::time_point until) {
    impl_->drain_until = until;
    impl_->stopping = true;
    impl_->stop_gate.open();
}

void Worker::stop_now() {
    impl_->stopped_now = true;
    impl_->progress_gate.open();
    stop();
}

void Worker::wake() {
    impl_->more_ready = true;
    impl_->claim_gate.open();
}

asio::awaitable<std::vector<Started>> Worker::start(std::vector<StartRequest> requests) {
    return impl_->start(std::move(requests));
}

asio::awaitable<std::vector<Started>> Worker::start_each(std::vector<StartRequest> requests) {
    return impl_->start_each(std::move(requests));
}

bool Worker::working() const {
    return impl_->registered && !impl_->stopping;
}

bool Worker::heard() const {
    return Steady::now() < impl_->heard_at.load() + impl_->options.dead_after;
}

std::size_t Worker::held() const {
    return impl_->session ? impl_->session->core.held() : 0;
}

std::size_t Worker::room() const {
    return impl_->session ? impl_->session->core.room() : 0;
}

bool Worker::has_just_matched() const {
    constexpr auto moment = std::chrono::milliseconds(50);
    return Steady::now() - impl_->matched_at < moment;
}

Instant Worker::now() const {
    return impl_->now();
}

WorkerId Worker::id() const {
    return impl_->session ? impl_->session->id : WorkerId{};
}

}  // namespace pawl::engine
