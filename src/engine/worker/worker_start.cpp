#include "engine/async/problem_of.hpp"
#include "engine/worker/worker_impl.hpp"
#include "model/events/whole_run_events.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::engine {

namespace {

constexpr std::size_t start_batch_max = 500;
// Starts of a tenant that took so long have waited for a transaction that it holds open, and stay
// apart from those of others for a while.
constexpr Duration slow_start = std::chrono::milliseconds(200);
constexpr Duration apart_for = std::chrono::seconds(60);

bool is_child(const store::NewRun& run) {
    return events::read_one(run.data, &events::RunStarted::caller).has_value();
}

// Those that must not be started any more.
template <typename Unwanted>
void give_up_if(std::vector<PendingStart>& batch, const Error& why, Unwanted unwanted) {
    std::erase_if(batch, [&](PendingStart& pending) {
        if (!unwanted(pending)) return false;
        pending.ticket->failed = std::make_exception_ptr(Failure(why));
        pending.ticket->done.open();
        return true;
    });
}

void give_up_children(
    std::vector<PendingStart>& batch, store::StartBatch& request, const Failure& failure
) {
    std::erase_if(request.runs, is_child);
    give_up_if(batch, failure.error(), [](const PendingStart& one) { return is_child(one.run); });
}

// The worker that has the caller by now asks for them again, if there is such a caller.
void give_up_earlier_children(std::vector<PendingStart>& batch, const SessionPtr& session) {
    const Error why{Errc::fenced, "the session that asked for the child is over", {}};
    give_up_if(batch, why, [&session](const PendingStart& one) {
        return one.session.lock() != session && is_child(one.run);
    });
}

// Counts starts as long as it lives, however that ends.
class InFlight {
public:
    InFlight(std::size_t& all, std::size_t count) : all_(all), count_(count) { all_ += count_; }
    ~InFlight() { all_ -= count_; }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

private:
    std::size_t& all_;
    std::size_t count_;
};

// Answers the callers of a batch that ended in the middle, by an unexpected error or
// because the worker stops. They may ask again, with the same key.
class Answered {
public:
    explicit Answered(const std::vector<PendingStart>& batch) {
        for (const PendingStart& pending : batch) tickets_.push_back(pending.ticket);
    }
    ~Answered() {
        if (done_) return;
        for (const auto& ticket : tickets_) {
            if (ticket->waiting == 0 || ticket->failed) continue;
            ticket->failed = std::make_exception_ptr(
                Failure({Errc::unavailable, "what became of the start is not known", {}})
            );
            ticket->done.open();
        }
    }
    Answered(const Answered&) = delete;
    Answered& operator=(const Answered&) = delete;
    void done() { done_ = true; }

private:
    bool done_ = false;
    std::vector<std::shared_ptr<StartTicket>> tickets_;
};

// What is wrong with it, without a query.
std::optional<Error> refusal_of(const StartRequest& request) {
    std::string problem = start_problem(request);
    if (problem.empty() && is_storable(request.input)) return std::nullopt;
    if (problem.empty()) {
        problem = "the input holds U+0000 or a number out of range, or is nested too deeply";
    }
    return Error{Errc::invalid, std::move(problem), {}};
}

// The second half of a batch with starts of several callers. Those of one stay together: they are
// started all, or none of them.
std::vector<PendingStart> take_half(std::vector<PendingStart>& batch) {
    auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
    const auto one = middle->ticket;
    while (middle != batch.begin() && std::prev(middle)->ticket == one) --middle;
    if (middle == batch.begin()) {
        while (middle != batch.end() && middle->ticket == one) ++middle;
    }
    std::vector<PendingStart> half(
        std::make_move_iterator(middle), std::make_move_iterator(batch.end())
    );
    batch.erase(middle, batch.end());
    return half;
}

}  // namespace

std::shared_ptr<StartTicket> Worker::Impl::queue_starts(std::vector<StartRequest> requests) {
    auto ticket = std::make_shared<StartTicket>(executor);
    ticket->started.resize(requests.size());
    ticket->waiting = requests.size();
    const auto ms = static_cast<std::uint64_t>(now().time_since_epoch().count() / 1000);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        PendingStart pending;
        pending.program = requests[i].program;
        pending.asked = now();
        pending.run = to_new_run(RunId{ids.next(ms)}, std::move(requests[i]));
        pending.ticket = ticket;
        pending.index = i;
        pending.session = session;
        starts.push_back(std::move(pending));
    }
    start_gate.open();
    return ticket;
}

asio::awaitable<std::vector<Started>> Worker::Impl::start(std::vector<StartRequest> requests) {
    if (requests.empty()) co_return std::vector<Started>();
    if (finished) throw Failure({Errc::unavailable, "the worker has stopped", {}});
    for (const StartRequest& request : requests) {
        if (auto refused = refusal_of(request)) throw Failure(std::move(*refused));
    }
    const auto ticket = queue_starts(std::move(requests));
    while (ticket->waiting > 0 && !ticket->failed) co_await ticket->done.wait();
    if (ticket->failed) std::rethrow_exception(ticket->failed);
    co_return std::move(ticket->started);
}

asio::awaitable<std::vector<Started>> Worker::Impl::start_each(std::vector<StartRequest> requests) {
    if (finished) throw Failure({Errc::unavailable, "the worker has stopped", {}});
    std::vector<Started> all(requests.size());
    std::vector<std::shared_ptr<StartTicket>> tickets(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
        all[i].refused = refusal_of(requests[i]);
        if (all[i].refused) continue;
        std::vector<StartRequest> one;
        one.push_back(std::move(requests[i]));
        tickets[i] = queue_starts(std::move(one));
    }
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const auto& ticket = tickets[i];
        if (!ticket) continue;
        while (ticket->waiting > 0 && !ticket->failed) co_await ticket->done.wait();
        if (!ticket->failed) {
            all[i] = ticket->started[0];
            continue;
        }
        try {
            std::rethrow_exception(ticket->failed);
        } catch (const Failure& failure) {
            all[i].refused = failure.error();
        }
    }
    co_return all;
}

// Starts gather while the last batch is under way, like commits do.
asio::awaitable<void> Worker::Impl::start_loop() {
    while (!finished) {
        if (starts.empty()) {
            co_await start_gate.wait();
            continue;
        }
        auto batch = gather_starts();
        if (batch.empty()) continue;
        const InFlight counted(starts_in_flight, batch.size());
        Answered answered(batch);
        co_await start_batch(std::move(batch));
        answered.done();
        if (stopping) progress_gate.open();
    }
}

std::vector<PendingStart> Worker::Impl::gather_starts() {
    std::erase_if(start_lanes, [](const auto& lane) {
        return !lane.second.running && lane.second.until <= Steady::now();
    });
    std::vector<PendingStart> batch;
    while (!starts.empty() && batch.size() < start_batch_max) {
        PendingStart pending = std::move(starts.front());
        starts.pop_front();
        if (start_lanes.contains(pending.program->tenant)) {
            set_apart(std::move(pending));
        } else {
            batch.push_back(std::move(pending));
        }
    }
    return batch;
}

void Worker::Impl::set_apart(PendingStart pending) {
    const store::TenantId tenant = pending.program->tenant;
    StartLane& lane = start_lanes[tenant];
    lane.starts.push_back(std::move(pending));
    ++starts_in_flight;
    if (lane.running) return;
    lane.running = true;
    tasks.spawn(start_apart(tenant));
}

asio::awaitable<void> Worker::Impl::start_apart(store::TenantId tenant) {
    StartLane& lane = start_lanes[tenant];  // stays while it runs
    while (!lane.starts.empty() && !finished) {
        std::vector<PendingStart> batch;
        while (!lane.starts.empty() && batch.size() < start_batch_max) {
            batch.push_back(std::move(lane.starts.front()));
            lane.starts.pop_front();
        }
        const std::size_t count = batch.size();
        const auto begun = Steady::now();
        Answered answered(batch);
        co_await start_batch(std::move(batch), true);
        answered.done();
        starts_in_flight -= count;
        if (Steady::now() - begun >= slow_start) lane.until = Steady::now() + apart_for;
        if (stopping) progress_gate.open();
    }
    lane.running = false;
}

// Leases as many as there is room for.
store::StartBatch Worker::Impl::with_leases(std::vector<PendingStart>& batch, bool apart) {
    store::StartBatch request;
    request.bucket = options.bucket;
    std::size_t room = registered && !session->asking_lost && !apart ? core().room() : 0;
    for (PendingStart& pending : batch) {
        pending.run.lease = room > 0 && !pending.run.due_at && carries_on(*pending.program);
        if (pending.run.lease) {
            --room;
            session->starting.push_back(pending.run.id);
        }
        // A child is started by a worker that lives, whether that leases it or not.
        if (pending.run.lease || is_child(pending.run)) request.worker = session->id;
        request.runs.push_back(pending.run);
    }
    return request;
}

asio::awaitable<void> Worker::Impl::start_batch(std::vector<PendingStart> batch, bool apart) {
    const auto begun = session;
    give_up_earlier_children(batch, session);
    if (batch.empty()) co_return;
    store::StartBatch request = with_leases(batch, apart);
    const auto leases =
        static_cast<std::size_t>(std::ranges::count(request.runs, true, &store::NewRun::lease));
    core().reserve(leases);
    std::exception_ptr given_up;
    bool refused = false;
    std::vector<store::Existing> existing;
    const auto deadline = Steady::now() + std::chrono::seconds(60);
    for (int failures = 0;; ++failures) {
        std::optional<Failure> failed;
        try {
            existing = co_await store.start_runs(request);
            break;
        } catch (const Failure& failure) {
            failed = failure;
        }
        if (!apart && !request.resend && waited_in_vain(*failed)) {
            begun->starting.clear();
            begun->core.unreserve(leases);
            for (PendingStart& pending : batch) set_apart(std::move(pending));
            co_return;
        }
        request.resend = true;
        if (failed->error().code == Errc::fenced) {
            // Declared dead meanwhile: start them all the same, for another worker to carry on.
            // A child is not: the worker that has its caller now asks for it again, and after a
            // failover that caller may have never been.
            give_up_children(batch, request, *failed);
            if (batch.empty()) break;
            request.worker.reset();
            for (auto& run : request.runs) run.lease = false;
            if (!apart) begun->starting.clear();
        } else if (!is_passing(*failed) || Steady::now() > deadline || finished) {
            given_up = std::make_exception_ptr(*failed);
            refused = !is_passing(*failed);
            break;
        }
        co_await pause(backoff(failures));
    }
    if (!apart) begun->starting.clear();
    begun->core.unreserve(leases);
    if (given_up && refused && batch.front().ticket != batch.back().ticket) {
        // One of them is at fault. Those of other callers, perhaps of other tenants, go without it.
        auto half = take_half(batch);
        co_await start_batch(std::move(batch));
        co_await start_batch(std::move(half));
        co_return;
    }
    if (given_up) {
        session->answer_lost = true;  // they may have been started all the same, and leased
        for (PendingStart& pending : batch) {
            pending.ticket->failed = given_up;
            pending.ticket->done.open();
        }
        co_return;
    }
    settle_starts(batch, existing, request.worker.has_value() && !begun->over);
}

void Worker::Impl::settle_starts(
    std::vector<PendingStart>& batch, const std::vector<store::Existing>& existing, bool leased
) {
    bool ready_elsewhere = false;
    for (PendingStart& pending : batch) {
        Started started{pending.run.id, true};
        const auto taken =
            std::find_if(existing.begin(), existing.end(), [&](const store::Existing& one) {
                return one.requested == pending.run.id;
            });
        if (taken != existing.end() && taken->queued()) {
            counters_of(*pending.program).runs_started(1);  // a limit makes it wait
        } else if (taken != existing.end()) {
            started = {taken->existing, false, taken->outdated(), taken->kept_out};
        } else {
            counters_of(*pending.program).runs_started(1);
            if (traces()) {
                traces()->started(
                    pending.run.id, *pending.program, pending.run.data, pending.asked, now()
                );
            }
            if (leased && pending.run.lease) {
                std::vector<Event> log(1);
                log[0].type = EventType::run_started;
                log[0].data = std::move(pending.run.data);
                log[0].at = now();
                if (traces()) traces()->held(pending.run.id, *pending.program, log, now());
                core().adopt(pending.run.id, pending.program, log, now());
            } else if (!pending.run.due_at) {
                ready_elsewhere = true;
            }
        }
        StartTicket& ticket = *pending.ticket;
        ticket.started[pending.index] = started;
        if (--ticket.waiting == 0) ticket.done.open();
    }
    if (ready_elsewhere) {
        more_ready = true;
        if (core().room() == 0) claim_gate.open();
        if (owner.on_ready_elsewhere) owner.on_ready_elsewhere();
    }
    pump();
}

}  // namespace pawl::engine
