#include "engine/worker/worker_impl.hpp"

namespace pawl::engine {

namespace {

// After the drain: for the commit that gives runs back, and to take the worker's row away.
constexpr Duration release_time = std::chrono::milliseconds(700);
constexpr Duration sign_off_time = std::chrono::milliseconds(500);

}  // namespace

// Callers whose starts will not be sent any more must not wait forever.
void Worker::Impl::refuse_starts() {
    const auto refused =
        std::make_exception_ptr(Failure({Errc::unavailable, "the worker has stopped", {}}));
    const auto refuse_all = [&refused](std::deque<PendingStart>& waiting) {
        for (PendingStart& pending : waiting) {
            pending.ticket->failed = refused;
            pending.ticket->done.open();
        }
        waiting.clear();
    };
    refuse_all(starts);
    for (auto& [tenant, lane] : start_lanes) refuse_all(lane.starts);
}

asio::awaitable<void> Worker::Impl::drain() {
    core().begin_drain(now());
    pump();
    const auto deadline = drain_until;
    while ((core().held() > 0 || !starts.empty() || starts_in_flight > 0) &&
           Steady::now() < deadline && !stopped_now) {
        // Steps still waiting for their turn are not begun now: once nothing is being carried out
        // any more, only their runs keep us.
        if (places.taken() == 0 && places.waiting() > 0) {
            places.leave_if([](const StepOrder&) { return true; });
            core().release_all(now());
            pump();
        }
        co_await progress_gate.wait(deadline);
    }
    if (core().held() > 0 && !stopped_now) {
        log::warn(
            "the drain deadline passed; runs under way are released and go on elsewhere",
            {log::field("runs", core().held())}
        );
        core().release_all(now());
        pump();
        // With the drain before it this stays under the ten seconds that supervisors allow.
        const auto last = Steady::now() + release_time;
        while (core().held() > 0 && Steady::now() < last && !stopped_now)
            co_await progress_gate.wait(last);
    }
}

// So that its runs need not wait until it is missed.
asio::awaitable<void> Worker::Impl::sign_off() {
    try {
        co_await store.retire_worker(session->id);
    } catch (const Failure& failure) {
        log::warn("the worker could not sign off", {log::field("error", failure.what())});
    }
}

asio::awaitable<void> Worker::Impl::leave() {
    CoroutineGroup leaving(executor);
    leaving.spawn(sign_off());
    const bool done = co_await leaving.join_until(Steady::now() + sign_off_time);
    if (!done) log::warn("the worker could not sign off: the database does not answer");
    if (owner.on_ready_elsewhere) owner.on_ready_elsewhere();
}

void Worker::rest() {
    if (impl_->resting) return;
    impl_->resting = true;
    if (!impl_->registered) return;
    impl_->core().begin_drain(impl_->now());
    impl_->pump();
}

void Worker::work_again() {
    if (!impl_->resting || impl_->stopping) return;
    impl_->resting = false;
    if (impl_->registered) impl_->core().end_drain();
    wake();
}

bool Worker::resting() const {
    return impl_->resting;
}

}  // namespace pawl::engine
