#include "model/events/signal_data.hpp"
#include "store/mem/mem_tables.hpp"

#include <algorithm>

// What sql/functions/events and sql/functions/people do, as far as simulations need it.
namespace pawl::store {

namespace {

json::object event_signal(const OutsideEvent& event, std::uint32_t token) {
    return events::write(events::EventSignal{event.id, event.name, event.key, token, &event.data});
}

bool is_delivery(const json::value& data, const std::string& event, std::uint32_t token) {
    const auto delivered = events::read<events::EventSignal>(data);
    return delivered.id == event && delivered.token == std::int64_t{token};
}

}  // namespace

// --- Signals ------------------------------------------------------------------------------------

bool MemTables::leave_signal(const RunKey& key, SignalKind kind, json::value data) {
    const auto found = live_.find(key);
    if (found == live_.end()) return false;
    signals_[{key.first, key.second, next_signal_}] = {
        next_signal_, key.second, std::string(name(kind)), std::move(data)};
    ++next_signal_;
    if (found->second.state == LiveState::leased) return true;
    LiveRun live = found->second;
    if (live.state == LiveState::queued) {
        // It gets its messages when it is let in; a cancel it gets at once.
        if (kind != SignalKind::cancel) return true;
        const GateKey gate{key.first, waits_.at(key).gate};
        unqueue(key);
        drop_idle(gate);
        live.slot = Slot::without;
    }
    live.state = LiveState::ready;
    live.due_at = std::min(live.due_at, now);
    put_live(key, std::move(live));
    return true;
}

void MemTables::send_signal(Bucket bucket, RunId run, std::string kind, json::value data) {
    leave_signal({bucket, run}, signal_kind(kind), std::move(data));
}

std::vector<RunId> MemTables::send_signals(Bucket bucket, const std::vector<NewSignal>& signals) {
    std::set<RunId> reached;
    for (const NewSignal& signal : signals) {
        if (leave_signal({bucket, signal.run}, signal_kind(signal.kind), signal.data)) {
            reached.insert(signal.run);
        }
    }
    return {reached.begin(), reached.end()};
}

// --- Events from outside ------------------------------------------------------------------------

std::vector<bool> MemTables::publish_events(
    Bucket bucket, const std::vector<OutsideEvent>& events
) {
    std::vector<bool> fresh;
    for (const OutsideEvent& event : events) {
        fresh.push_back(inbox_ids_.insert({bucket, event.tenant, event.id}).second);
        if (!fresh.back()) continue;
        inbox_[{bucket, next_inbox_}] = {event, now};
        inbox_pending_.insert({bucket, next_inbox_});
        ++next_inbox_;
    }
    return fresh;
}

bool MemTables::was_delivered(const SubscriptionKey& subscription, const std::string& event) const {
    const auto& [bucket, run, token, ordinal] = subscription;
    for (const auto& [key, signal] : signals_) {
        if (std::get<0>(key) != bucket || std::get<1>(key) != run) continue;
        const bool event_came = signal_kind(signal.kind) == SignalKind::event;
        if (event_came && is_delivery(signal.data, event, token)) return true;
    }
    const auto log = events_.find({bucket, run});
    if (log == events_.end()) return false;
    return std::any_of(log->second.begin(), log->second.end(), [&](const auto& entry) {
        if (entry.second.type != EventType::signal_received) return false;
        const auto received = events::read<events::SignalReceived>(entry.second);
        return signal_kind(received.kind) == SignalKind::event && received.data &&
               is_delivery(*received.data, event, token);
    });
}

bool MemTables::fits(
    const SubscriptionKey& key, const Subscription& subscription, const InboxRow& row
) const {
    return subscription.tenant == row.event.tenant && subscription.event == row.event.name &&
           subscription.key == row.event.key && subscription.since <= row.at &&
           !was_delivered(key, row.event.id);
}

const MemTables::InboxRow* MemTables::oldest_for(const SubscriptionKey& key) const {
    const auto subscription = subscriptions_.find(key);
    if (subscription == subscriptions_.end()) return nullptr;
    const InboxRow* oldest = nullptr;
    for (const auto& [place, row] : inbox_) {
        if (place.first != std::get<0>(key) || !fits(key, subscription->second, row)) continue;
        if (oldest == nullptr || row.at < oldest->at) oldest = &row;
    }
    return oldest;
}

void MemTables::deliver(const SubscriptionKey& key, const InboxRow& row) {
    const auto& [bucket, run, token, ordinal] = key;
    subscriptions_.erase(key);
    unchecked_.erase(key);
    leave_signal({bucket, run}, SignalKind::event, event_signal(row.event, token));
}

Matched MemTables::match_inbox(Bucket bucket, int limit) {
    Matched matched;
    const auto full = [&] { return matched.delivered >= limit; };
    const auto pending = inbox_pending_;
    for (const auto& key : pending) {
        if (key.first != bucket || full()) continue;
        const InboxRow& row = inbox_.at(key);
        std::vector<SubscriptionKey> waiting;
        for (const auto& [candidate, subscription] : subscriptions_) {
            if (std::get<0>(candidate) != bucket) continue;
            if (fits(candidate, subscription, row)) waiting.push_back(candidate);
        }
        for (const SubscriptionKey& one : waiting) {
            if (full()) break;
            // A run that is behind gets what came before this event and it has not had.
            deliver(one, *oldest_for(one));
            ++matched.delivered;
        }
        if (!full()) inbox_pending_.erase(key);
    }
    const auto unchecked = unchecked_;
    for (const SubscriptionKey& key : unchecked) {
        if (std::get<0>(key) != bucket || full()) continue;
        unchecked_.erase(key);
        if (const InboxRow* row = oldest_for(key)) {
            deliver(key, *row);
            ++matched.delivered;
        }
    }
    matched.more = full();
    return matched;
}

// --- Rows beside the log ------------------------------------------------------------------------

void MemTables::forget_waits(Bucket bucket, RunId run, std::optional<std::uint32_t> token) {
    std::erase_if(subscriptions_, [&](const auto& entry) {
        const auto& [at, whose, of, ordinal] = entry.first;
        return at == bucket && whose == run && (!token || of == *token);
    });
}

void MemTables::project(const CommitBatch& batch, const std::set<RunId>& done) {
    const Projections& rows = batch.projections;
    const Bucket bucket = batch.bucket;
    for (const Unsubscribe& row : rows.unsubscribes) {
        if (!done.contains(row.run)) forget_waits(bucket, row.run, row.token);
    }
    for (const LeavePlace& row : rows.left) {
        leave_locks([&](const LockPlace& one) {
            return one.tenant.bucket == bucket && one.run == row.run && one.token == row.token &&
                   (!row.key || one.key == *row.key);
        });
    }
    for (const EndChild& row : rows.ends) {
        events::CancelSignal order{row.reason};
        leave_signal({bucket, row.child}, SignalKind::cancel, events::write(order));
    }
    for (const Repin& row : rows.repinned) {
        const auto live = live_.find({bucket, row.run});
        if (live != live_.end()) live->second.version = row.version;
    }
    for (const RunId& run : rows.ended) {
        forget_waits(bucket, run, std::nullopt);
        leave_locks([&](const LockPlace& one) {
            return one.tenant.bucket == bucket && one.run == run;
        });
        std::erase_if(open_tasks_, [&](const auto& entry) {
            return std::get<0>(entry.first) == bucket && std::get<1>(entry.first) == run;
        });
    }
    std::map<std::pair<RunId, std::uint32_t>, std::int16_t> ordinals;
    for (const Subscribe& row : rows.subscribes) {
        if (done.contains(row.run)) continue;
        const auto ordinal = ordinals[{row.run, row.token}]++;
        const SubscriptionKey key{bucket, row.run, row.token, ordinal};
        // A worker's clock may be ahead.
        const auto log = events_.find({bucket, row.run});
        Instant since = row.since;
        if (log != events_.end()) since = std::min(since, log->second.begin()->second.at);
        if (subscriptions_.insert({key, {row.tenant, row.event, row.key, since}}).second) {
            unchecked_.insert(key);
        }
    }
    for (const CloseTask& row : rows.closed) {
        if (!done.contains(row.run)) open_tasks_.erase({bucket, row.run, row.token});
    }
    for (const OpenTask& row : rows.opened) {
        if (!done.contains(row.run)) open_tasks_.insert({{bucket, row.run, row.token}, row});
    }
    std::vector<OutsideEvent> published;
    for (const Publish& row : rows.published) {
        OutsideEvent& event = published.emplace_back();
        event.tenant = row.tenant;
        event.id = row.id;
        event.name = row.event;
        event.key = row.key;
        event.data = row.data;
    }
    publish_events(bucket, published);
    for (const ChildClosed& row : rows.children) {
        const auto id = parse_uuid(events::read<events::ChildSignal>(row.data).run);
        if (id && done.contains(RunId{*id})) continue;
        leave_signal({bucket, row.parent}, SignalKind::child, row.data);
    }
}

std::vector<OpenTask> MemTables::open_tasks(Bucket bucket) const {
    std::vector<OpenTask> tasks;
    for (const auto& [key, task] : open_tasks_) {
        if (std::get<0>(key) == bucket) tasks.push_back(task);
    }
    return tasks;
}

// --- Starting -----------------------------------------------------------------------------------

std::vector<Existing> MemTables::guard_starts(StartBatch& batch) {
    std::vector<Existing> existing;
    std::set<RunId> mine;
    for (const NewRun& run : batch.runs) mine.insert(run.id);
    std::sort(batch.runs.begin(), batch.runs.end(), [](const NewRun& a, const NewRun& b) {
        return a.id < b.id;
    });
    std::erase_if(batch.runs, [&](const NewRun& run) {
        const auto taken =
            correlations_.find({batch.bucket, run.tenant, run.workflow, run.correlation});
        if (!run.correlation.empty() && taken != correlations_.end() && taken->second != run.id) {
            existing.push_back({run.id, taken->second});
            return true;
        }
        if (run.is_child || run.reentry == Reentry::always || run.subject.empty()) return false;
        const auto [place, fresh] =
            reentries_.insert({{batch.bucket, run.tenant, run.workflow, run.subject}, {run.id, now}}
            );
        const auto [last, entered] = place->second;
        if (fresh || last == run.id) return false;
        const bool open = mine.contains(last) || live_.contains({batch.bucket, last});
        const bool again = run.reentry == Reentry::while_none_open
                               ? !open
                               : run.reentry == Reentry::after && !mine.contains(last) &&
                                     entered + run.reentry_after <= now;
        if (again) {
            place->second = {run.id, now};
            return false;
        }
        existing.push_back({run.id, last});
        return true;
    });
    return existing;
}

}  // namespace pawl::store
