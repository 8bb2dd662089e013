#include "store/mem/mem_tables.hpp"

#include "model/events/signal_data.hpp"
#include "model/events/whole_run_events.hpp"

#include <algorithm>

namespace pawl::store {

namespace {

Failure conflict(std::string message) {
    return Failure({Errc::conflict, std::move(message), {}});
}

constexpr std::size_t signals_max = 1000;
constexpr std::int64_t ready_count_max = 10000;

// What its first event says.
json::value data_of(const NewRun& run) {
    if (run.priority == 0 || !run.data.is_object()) return run.data;
    return events::write(events::StartPriority{run.priority}, run.data.get_object());
}

}  // namespace

// --- Rows ---------------------------------------------------------------------------------------

void MemTables::assert_worker(WorkerId worker) const {
    if (is_alive(worker)) return;
    throw Failure(
        {Errc::fenced,
         "worker " + to_string(worker) + " is not registered or was declared dead",
         {}}
    );
}

bool MemTables::has_event(const RunKey& run, std::int32_t seq) const {
    const auto log = events_.find(run);
    return log != events_.end() && log->second.contains(seq);
}

void MemTables::put_live(RunKey key, LiveRun run) {
    erase_live(key);
    if (run.state == LiveState::ready) {
        ready_.insert({key.first, run.priority, run.due_at, key.second});
    }
    live_[key] = std::move(run);
}

void MemTables::erase_live(const RunKey& key) {
    const auto found = live_.find(key);
    if (found == live_.end()) return;
    ready_.erase({key.first, found->second.priority, found->second.due_at, key.second});
    live_.erase(found);
}

bool MemTables::has_signal(const RunKey& run) const {
    const auto first = signals_.lower_bound({run.first, run.second, 0});
    return first != signals_.end() && std::get<0>(first->first) == run.first &&
           std::get<1>(first->first) == run.second;
}

void MemTables::erase_signals(const RunKey& run) {
    std::erase_if(signals_, [&run](const auto& entry) {
        return std::get<0>(entry.first) == run.first && std::get<1>(entry.first) == run.second;
    });
}

// --- Starting -----------------------------------------------------------------------------------

std::vector<Existing> MemTables::start_runs(const StartBatch& batch) {
    if (batch.worker) assert_worker(*batch.worker);
    const bool guarded = std::any_of(batch.runs.begin(), batch.runs.end(), [](const NewRun& run) {
        return !run.is_child && run.reentry != Reentry::always && !run.subject.empty();
    });
    if (!guarded) return start_unguarded(batch);
    StartBatch allowed = batch;
    const auto before = reentries_;
    std::vector<Existing> existing = guard_starts(allowed);
    try {
        for (const Existing& one : start_unguarded(allowed)) existing.push_back(one);
    } catch (const Failure&) {
        reentries_ = before;
        throw;
    }
    return existing;
}

std::vector<Existing> MemTables::start_unguarded(const StartBatch& given) {
    StartBatch batch = given;
    std::vector<Existing> existing = gather_starts(batch);
    std::set<RunId> skip;
    for (const Existing& one : existing) {
        if (!one.queued()) skip.insert(one.requested);
    }
    auto correlations = correlations_;
    // Of two new runs with one key the lower id wins, whatever the order of the batch.
    std::map<CorrelationKey, RunId> wanted;
    for (const NewRun& run : batch.runs) {
        if (run.correlation.empty() || skip.contains(run.id)) continue;
        const CorrelationKey key{batch.bucket, run.tenant, run.workflow, run.correlation};
        const auto [entry, added] = wanted.insert({key, run.id});
        if (!added) entry->second = std::min(entry->second, run.id);
    }
    correlations.insert(wanted.begin(), wanted.end());
    for (const NewRun& run : batch.runs) {
        if (run.correlation.empty() || skip.contains(run.id)) continue;
        const auto& holder =
            correlations.at({batch.bucket, run.tenant, run.workflow, run.correlation});
        if (holder == run.id) continue;
        existing.push_back({run.id, holder});
        skip.insert(run.id);
    }
    const bool skip_present = batch.resend || !skip.empty();
    std::vector<const NewRun*> fresh;
    std::set<RunId> seen;
    for (const NewRun& run : batch.runs) {
        if (skip.contains(run.id)) continue;
        const bool present = has_event({batch.bucket, run.id}, 0);
        if (present && skip_present) continue;
        if (present || !seen.insert(run.id).second) {
            throw conflict("run " + to_string(run.id) + " was started already");
        }
        fresh.push_back(&run);
    }
    correlations_ = std::move(correlations);
    std::vector<RunId> tickets;
    for (const NewRun* run : fresh) {
        const RunKey key{batch.bucket, run->id};
        events_[key][0] = {0, EventType::run_started, 0, "", data_of(*run), nullptr, now};
        LiveRun live;
        const bool leased = run->lease && batch.worker.has_value();
        if (leased) live.worker = batch.worker;
        live.due_at = run->due_at.value_or(now);
        live.tenant = run->tenant;
        live.workflow = run->workflow;
        live.version = run->version;
        live.state = leased ? LiveState::leased : LiveState::ready;
        live.priority = run->priority;
        live.subject = run->subject;
        live.flow = run->flow;
        if (!run->flow.is_null()) live.slot = leased ? Slot::held : Slot::to_take;
        if (find(run->flow, "gather") != nullptr) live.slot = Slot::gathering;
        if (live.slot == Slot::held) tickets.push_back(run->id);
        put_live(key, std::move(live));
    }
    for (const RunId& run : pass_gates(batch.bucket, tickets)) existing.push_back({run, run});
    skip.insert(tickets.begin(), tickets.end());
    for (const NewRun& run : batch.runs) {
        if (!skip.contains(run.id) && is_lost_lease(batch, run)) {
            existing.push_back({run.id, run.id});
        }
    }
    return existing;
}

// What became of one that a lost first try has started: the caller may go on with what it holds
// only.
bool MemTables::is_lost_lease(const StartBatch& batch, const NewRun& run) const {
    if (!batch.resend || !batch.worker || !run.lease || run.flow.is_null()) return false;
    const auto held = live_.find({batch.bucket, run.id});
    return held == live_.end() || held->second.worker != batch.worker;
}

// --- Working ------------------------------------------------------------------------------------

std::vector<Signal> MemTables::pending_signals(
    Bucket bucket, WorkerId worker, const std::vector<RunId>& held
) const {
    const std::set<RunId> wanted(held.begin(), held.end());
    std::vector<Signal> found;
    for (const auto& [key, signal] : signals_) {
        if (std::get<0>(key) != bucket || !wanted.contains(signal.run)) continue;
        const auto run = live_.find({bucket, signal.run});
        if (run != live_.end() && run->second.worker == worker) found.push_back(signal);
    }
    std::sort(found.begin(), found.end(), [](const Signal& a, const Signal& b) {
        return a.id < b.id;
    });
    if (found.size() > signals_max) found.resize(signals_max);
    return found;
}

std::vector<LogRow> MemTables::leased_runs(
    Bucket bucket, WorkerId worker, const std::vector<RunId>& held
) const {
    std::vector<LogRow> log;
    for (const auto& [key, run] : live_) {
        const bool known = std::find(held.begin(), held.end(), key.second) != held.end();
        if (key.first != bucket || run.worker != worker || known) continue;
        for (const Event& event : load_log(bucket, key.second)) log.push_back({key.second, event});
    }
    return log;
}

// What the constraints of the schema would refuse.
void MemTables::check_new(const CommitBatch& batch) const {
    std::set<std::pair<RunId, std::int32_t>> seen;
    for (const LogRow& row : batch.events) {
        const bool twice = !seen.insert({row.run, row.event.seq}).second;
        if (!twice && !has_event({batch.bucket, row.run}, row.event.seq)) continue;
        throw conflict(
            "event " + std::to_string(row.event.seq) + " of run " + to_string(row.run) +
            " was written already"
        );
    }
    for (const Close& close : batch.closes) {
        if (!is_terminal(close.status)) throw conflict("a run cannot close as running");
    }
}

void MemTables::append(const CommitBatch& batch) {
    for (const LogRow& row : batch.events) {
        Event event = row.event;
        event.at = now;
        event.attempt = std::max<std::int16_t>(event.attempt, 0);
        events_[{batch.bucket, row.run}].insert({event.seq, std::move(event)});
    }
}

void MemTables::close(Bucket bucket, const Close& close) {
    const RunKey key{bucket, close.run};
    const auto found = live_.find(key);
    const bool inside = found != live_.end() && found->second.slot == Slot::held;
    if (inside) leave_gates(bucket, found->second.flow);
    erase_live(key);
    closed_.insert({key, {close, now}});
    if (close.status == RunStatus::failed) dead_letters_.insert({key, close});
}

void MemTables::park(const CommitBatch& batch, const Park& park) {
    const RunKey key{batch.bucket, park.run};
    const auto found = live_.find(key);
    if (found == live_.end() || found->second.worker != batch.worker) return;
    LiveRun run = found->second;
    run.state = park.due_at ? LiveState::ready : LiveState::parked;
    run.worker.reset();
    run.due_at = park.due_at.value_or(run.due_at);
    // Some give their places back while they wait.
    const bool waits = !park.due_at || *park.due_at > now;
    if (run.slot == Slot::held && waits && find(run.flow, "free") != nullptr) {
        leave_gates(batch.bucket, run.flow);
        run.slot = Slot::to_take;
        run.flow.get_object().erase("rate");
        run.flow.get_object().erase("gather");
    }
    put_live(key, std::move(run));
}

// A signal may have come while the holder was parking the run: the sender only left the message.
void MemTables::wake_signalled(const CommitBatch& batch) {
    for (const Park& park : batch.parks) {
        const RunKey key{batch.bucket, park.run};
        const auto found = live_.find(key);
        if (found == live_.end() || !has_signal(key)) continue;
        if (found->second.state == LiveState::leased) continue;
        LiveRun run = found->second;
        run.state = LiveState::ready;
        run.due_at = std::min(run.due_at, now);
        put_live(key, std::move(run));
    }
    for (const Close& close : batch.closes) erase_signals({batch.bucket, close.run});
}

Instant MemTables::commit_runs(const CommitBatch& given) {
    assert_worker(given.worker);
    CommitBatch batch = given;
    std::set<RunId> done;
    if (given.resend) {
        done = through(given);
        const auto is_done = [&](const auto& row) { return done.contains(row.run); };
        std::erase_if(batch.events, is_done);
        std::erase_if(batch.closes, is_done);
        std::erase_if(batch.parks, is_done);
        std::erase_if(batch.consumed, is_done);
    }
    check_held(batch);
    check_new(batch);
    append(batch);
    for (const Close& one : batch.closes) close(batch.bucket, one);
    for (const Signal& signal : batch.consumed) {
        signals_.erase({batch.bucket, signal.run, signal.id});
    }
    for (const Park& one : batch.parks) park(batch, one);
    if (!batch.put_off) wake_signalled(batch);
    project(batch, done);
    return now;
}

bool MemTables::request_cancel(Bucket bucket, RunId run, const CancelOrder& order) {
    events::CancelSignal said{order.reason, order.force};
    return leave_signal({bucket, run}, SignalKind::cancel, events::write(said));
}

// --- Critical sections --------------------------------------------------------------------------

bool MemTables::enter_lock(LockPlace place) {
    const auto same = [&](const LockPlace& one) {
        return one.tenant.id == place.tenant.id && one.key == place.key;
    };
    const auto mine = [&](const LockPlace& one) {
        return same(one) && one.run == place.run && one.token == place.token;
    };
    if (!live_.contains({place.tenant.bucket, place.run})) return false;
    if (std::none_of(locks_.begin(), locks_.end(), mine)) locks_.push_back(place);
    return mine(*std::find_if(locks_.begin(), locks_.end(), same));
}

void MemTables::leave_locks(const std::function<bool(const LockPlace&)>& leaves) {
    const auto before = locks_;
    std::erase_if(locks_, leaves);
    const auto first_of = [](const std::vector<LockPlace>& places, const LockPlace& place) {
        return std::find_if(places.begin(), places.end(), [&](const LockPlace& one) {
            return one.tenant.id == place.tenant.id && one.key == place.key;
        });
    };
    for (const LockPlace& place : before) {
        const auto was = first_of(before, place);
        if (&*was != &place) continue;
        const auto next = first_of(locks_, place);
        if (next == locks_.end() || (next->run == was->run && next->token == was->token)) continue;
        events::LockSignal free{next->token, next->key};
        leave_signal({next->tenant.bucket, next->run}, SignalKind::lock, events::write(free));
    }
}

// --- Workers ------------------------------------------------------------------------------------

Instant MemTables::register_worker(const WorkerInfo& worker) {
    if (!workers_.insert({worker.id, {worker, now}}).second) {
        throw conflict("worker " + to_string(worker.id) + " is registered already");
    }
    return now;
}

Instant MemTables::heartbeat(WorkerId worker) {
    assert_worker(worker);
    workers_.at(worker).beat_at = now;
    return now;
}

std::int64_t MemTables::release_runs(WorkerId worker) {
    std::vector<RunKey> held;
    for (const auto& [key, run] : live_) {
        if (run.worker == worker) held.push_back(key);
    }
    for (const RunKey& key : held) {
        LiveRun run = live_.at(key);
        run.state = LiveState::ready;
        run.worker.reset();
        put_live(key, std::move(run));
        leave_signal(key, SignalKind::interrupted, json::object{});
    }
    return static_cast<std::int64_t>(held.size());
}

void MemTables::retire_worker(WorkerId worker) {
    release_runs(worker);
    workers_.erase(worker);
}

std::vector<SweptWorker> MemTables::sweep_dead_workers(Duration ttl) {
    std::vector<SweptWorker> swept;
    for (const auto& [id, worker] : workers_) {
        if (worker.beat_at < now - ttl) swept.push_back({id, 0});
    }
    for (SweptWorker& one : swept) {
        one.runs = release_runs(one.worker);
        workers_.erase(one.worker);
    }
    return swept;
}

Health MemTables::health(Bucket bucket) const {
    Health health;
    for (const auto& [ready_bucket, priority, due_at, run] : ready_) {
        if (ready_bucket != bucket || due_at > now) continue;
        health.ready = std::min(health.ready + 1, ready_count_max);
        const std::chrono::duration<double> age = now - due_at;
        health.oldest_ready_age_s = std::max(health.oldest_ready_age_s, age.count());
    }
    health.workers = static_cast<std::int64_t>(workers_.size());
    return health;
}

}  // namespace pawl::store
