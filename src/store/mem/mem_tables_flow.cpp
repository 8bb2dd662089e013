#include "model/events/whole_run_events.hpp"
#include "store/mem/mem_tables.hpp"

#include <algorithm>

// What sql/functions/flow does.
namespace pawl::store {

namespace {

constexpr Duration level = std::chrono::minutes(1);

const json::array& slots_of(const json::value& flow) {
    static const json::array none;
    const json::value* slots = find(flow, "slots");
    return slots != nullptr && slots->is_array() ? slots->get_array() : none;
}

std::string gate_of(const json::value& slot) {
    return std::string(slot.at(0).get_string());
}

std::int64_t number_at(const json::value& list, std::size_t index) {
    return list.at(index).to_number<std::int64_t>();
}

}  // namespace

std::int32_t MemTables::limit_of(const std::string& gate, std::int64_t base) const {
    if (const auto own = flow_limits_.find(gate); own != flow_limits_.end()) return own->second;
    std::size_t end = 0;
    for (int i = 0; i < 3; ++i) end = gate.find('/', end) + 1;
    const auto all = flow_limits_.find(gate.substr(0, end));
    return all != flow_limits_.end() ? all->second : static_cast<std::int32_t>(base);
}

bool MemTables::has_waiting(const GateKey& key) const {
    const auto first = turns_.lower_bound({key.first, key.second, Instant::min(), RunId{}});
    return first != turns_.end() && std::get<0>(*first) == key.first &&
           std::get<1>(*first) == key.second;
}

bool MemTables::has_cancel(const RunKey& run) const {
    return std::any_of(signals_.begin(), signals_.end(), [&run](const auto& entry) {
        return std::get<0>(entry.first) == run.first && std::get<1>(entry.first) == run.second &&
               signal_kind(entry.second.kind) == SignalKind::cancel;
    });
}

void MemTables::drop_idle(const GateKey& key) {
    const auto gate = gates_.find(key);
    if (gate != gates_.end() && gate->second.held <= 0 && !has_waiting(key)) gates_.erase(gate);
}

void MemTables::queue_at(const RunKey& key, const std::string& gate) {
    LiveRun run = live_.at(key);
    run.state = LiveState::queued;
    run.worker.reset();
    run.slot = Slot::to_take;
    const Instant rank = run.due_at + run.priority * level;
    put_live(key, std::move(run));
    waits_[key] = {gate, rank};
    turns_.insert({key.first, gate, rank, key.second});
}

void MemTables::unqueue(const RunKey& key) {
    const auto wait = waits_.find(key);
    if (wait == waits_.end()) return;
    turns_.erase({key.first, wait->second.gate, wait->second.rank, key.second});
    waits_.erase(wait);
}

void MemTables::leave_gates(Bucket bucket, const json::value& flow) {
    for (const json::value& slot : slots_of(flow)) {
        const GateKey key{bucket, gate_of(slot)};
        const auto gate = gates_.find(key);
        if (gate == gates_.end()) continue;
        --gate->second.held;
        gate->second.look = gate->second.look || has_waiting(key);
        drop_idle(key);
    }
}

std::vector<RunId> MemTables::take_slots(Bucket bucket, const std::vector<RunId>& runs) {
    // New runs stand behind the waiting ones.
    std::set<std::string> waited;
    for (const RunId& run : runs) {
        for (const json::value& slot : slots_of(live_.at({bucket, run}).flow)) {
            const GateKey key{bucket, gate_of(slot)};
            const std::int32_t limit = limit_of(key.second, number_at(slot, 1));
            const auto [gate, fresh] = gates_.insert({key, {limit, 0, false}});
            gate->second.look = gate->second.look || limit > gate->second.limit;
            gate->second.limit = limit;
            if (has_waiting(key)) waited.insert(key.second);
        }
    }
    std::vector<RunId> back;
    for (const RunId& id : runs) {
        const RunKey key{bucket, id};
        const json::value flow = live_.at(key).flow;
        std::string full;
        for (const json::value& slot : slots_of(flow)) {
            const std::string name = gate_of(slot);
            const Gate& gate = gates_.at({bucket, name});
            if (full.empty() && (waited.contains(name) || gate.held >= gate.limit)) full = name;
        }
        if (full.empty()) {
            for (const json::value& slot : slots_of(flow))
                ++gates_.at({bucket, gate_of(slot)}).held;
        } else if (has_cancel(key)) {
            LiveRun run = live_.at(key);
            run.slot = Slot::without;
            put_live(key, std::move(run));
        } else {
            queue_at(key, full);
            back.push_back(id);
        }
    }
    for (const RunId& run : runs) {
        for (const json::value& slot : slots_of(live_.at({bucket, run}).flow)) {
            drop_idle({bucket, gate_of(slot)});
        }
    }
    return back;
}

bool MemTables::take_turn(const RunKey& key) {
    LiveRun run = live_.at(key);
    const json::value* rate = find(run.flow, "rate");
    if (rate == nullptr) return true;
    Instant& next = rates_[{key.first, gate_of(*rate)}];
    next = std::max(next, now);
    const std::int32_t limit = std::max(limit_of(gate_of(*rate), number_at(*rate, 1)), 1);
    const Duration step = Duration(number_at(*rate, 2)) / limit;
    const Instant turn = next - (number_at(*rate, 3) - 1) * step;
    const bool drop = turn > now && rate->at(4).get_bool();
    if (!drop) next += step;
    if (turn <= now) return true;
    run.state = LiveState::ready;
    run.worker.reset();
    if (drop) {
        run.slot = Slot::without;
        signals_[{key.first, key.second, next_signal_}] = {
            next_signal_,
            key.second,
            "cancel",
            json::object{{"reason", "dropped: over the rate limit of its workflow"}}};
        ++next_signal_;
    } else {
        run.due_at = turn;
        run.flow.get_object().erase("rate");
        run.slot = slots_of(run.flow).empty() ? Slot::none : Slot::to_take;
    }
    put_live(key, std::move(run));
    return false;
}

std::vector<RunId> MemTables::pass_gates(Bucket bucket, const std::vector<RunId>& runs) {
    std::vector<RunId> back;
    std::vector<RunId> left;
    // What comes from now on begins another group.
    for (const RunId& run : runs) {
        const json::value* gather = find(live_.at({bucket, run}).flow, "gather");
        if (gather == nullptr) continue;
        const auto group = groups_.find({bucket, gate_of(*gather)});
        if (group != groups_.end() && group->second.run == run) groups_.erase(group);
    }
    for (const RunId& run : runs) (take_turn({bucket, run}) ? left : back).push_back(run);
    for (const RunId& run : take_slots(bucket, left)) back.push_back(run);
    return back;
}

RunId MemTables::gather_start(StartBatch& batch, NewRun& start) {
    const json::value& gather = *find(start.flow, "gather");
    const std::int64_t size = number_at(gather, 1);
    const Duration period(number_at(gather, 2));
    const Duration max_wait(number_at(gather, 3));
    Group& group = groups_[{batch.bucket, gate_of(gather)}];
    const auto own = std::find_if(batch.runs.begin(), batch.runs.end(), [&](const NewRun& run) {
        return run.id == group.run && &run != &start;
    });
    const auto live = live_.find({batch.bucket, group.run});
    const bool gathering = live != live_.end() && live->second.slot == Slot::gathering;
    start.lease = false;
    if (!(gathering || own != batch.runs.end()) || (size > 0 && group.count >= size)) {
        group = {start.id, now, 1};
        start.due_at = now + (size > 0 ? max_wait : period);
        return start.id;
    }
    ++group.count;
    const auto started = events::read<events::RunStarted>(start.data);
    events::GatherSignal gathered;
    if (size > 0) gathered.item = &started.input->at("items").at(0);
    if (size == 0) gathered.input = started.input;
    signals_[{batch.bucket, group.run, next_signal_}] = {
        next_signal_,
        group.run,
        std::string(name(SignalKind::gather)),
        events::write(std::move(gathered))};
    ++next_signal_;
    gathered_[{batch.bucket, start.id}] = group.run;
    if (!start.correlation.empty()) {
        correlations_[{batch.bucket, start.tenant, start.workflow, start.correlation}] = group.run;
    }
    Instant due = size > 0 ? group.first_at + max_wait : now + period;
    if (size > 0 && group.count >= size) due = now;
    if (size == 0 && max_wait > Duration{}) due = std::min(due, group.first_at + max_wait);
    if (gathering) {
        LiveRun run = live->second;
        run.due_at = due;
        put_live(live->first, std::move(run));
    } else {
        own->due_at = due;
    }
    return group.run;
}

std::vector<Existing> MemTables::gather_starts(StartBatch& batch) {
    std::vector<Existing> existing;
    for (NewRun& start : batch.runs) {
        if (find(start.flow, "gather") == nullptr) continue;
        const auto before = gathered_.find({batch.bucket, start.id});
        const CorrelationKey key{batch.bucket, start.tenant, start.workflow, start.correlation};
        const auto taken =
            start.correlation.empty() ? correlations_.end() : correlations_.find(key);
        if (before != gathered_.end()) {
            existing.push_back({start.id, before->second});
        } else if (taken != correlations_.end()) {
            if (taken->second != start.id) existing.push_back({start.id, taken->second});
        } else if (!batch.resend || !has_event({batch.bucket, start.id}, 0)) {
            const bool leased = start.lease;
            const RunId into = gather_start(batch, start);
            if (leased || into != start.id) existing.push_back({start.id, into});
        }
    }
    return existing;
}

// The first gate of a run, other than the one that it waits at, that has no room.
std::optional<std::string> MemTables::full_gate(const RunKey& key, const std::string& but) {
    for (const json::value& slot : slots_of(live_.at(key).flow)) {
        const std::string name = gate_of(slot);
        if (name == but) continue;
        const auto gate = gates_.find({key.first, name});
        if (gate != gates_.end() && gate->second.held >= gate->second.limit) return name;
    }
    return std::nullopt;
}

std::vector<RunId> MemTables::admit_at(const GateKey& at, WorkerId worker, std::size_t limit) {
    Gate& gate = gates_.at(at);
    std::vector<RunId> admitted;
    const std::int64_t room = std::int64_t{gate.limit} - gate.held;
    auto left = std::min<std::int64_t>(room, static_cast<std::int64_t>(limit));
    std::vector<RunId> heads;
    for (auto turn = turns_.lower_bound({at.first, at.second, Instant::min(), RunId{}});
         turn != turns_.end() && std::get<1>(*turn) == at.second && left > 0;
         ++turn, --left) {
        heads.push_back(std::get<3>(*turn));
    }
    for (const RunId& id : heads) {
        const RunKey key{at.first, id};
        if (const auto full = full_gate(key, at.second)) {
            const Instant rank = waits_.at(key).rank;
            unqueue(key);
            waits_[key] = {*full, rank};
            turns_.insert({key.first, *full, rank, id});
            continue;
        }
        unqueue(key);
        LiveRun run = live_.at(key);
        for (const json::value& slot : slots_of(run.flow)) {
            const GateKey entered{at.first, gate_of(slot)};
            const std::int32_t most = limit_of(entered.second, number_at(slot, 1));
            ++gates_.insert({entered, {most, 0, false}}).first->second.held;
        }
        run.state = LiveState::leased;
        run.worker = worker;
        run.slot = Slot::held;
        put_live(key, std::move(run));
        admitted.push_back(id);
    }
    gate.look = gate.held < gate.limit && has_waiting(at);
    drop_idle(at);
    return admitted;
}

// Tenants get equal parts; what one of them does not need is for the others.
std::vector<RunId> MemTables::admit_waiting(Bucket bucket, WorkerId worker, std::size_t limit) {
    std::map<std::string, std::vector<GateKey>> marked;
    for (const auto& [key, gate] : gates_) {
        const std::string tenant = key.second.substr(0, key.second.find('/'));
        if (key.first == bucket && gate.look) marked[tenant].push_back(key);
    }
    std::vector<RunId> admitted;
    std::size_t part = (limit + marked.size() - 1) / std::max<std::size_t>(marked.size(), 1);
    for (int round = 0; round < 2; ++round, part = limit) {
        for (const auto& [tenant, gates] : marked) {
            std::size_t left = part;
            for (const GateKey& key : gates) {
                const std::size_t most = std::min(left, limit - admitted.size());
                if (most == 0 || !gates_.contains(key)) continue;
                const auto got = admit_at(key, worker, most);
                left -= got.size();
                admitted.insert(admitted.end(), got.begin(), got.end());
            }
        }
    }
    return admitted;
}

void MemTables::set_limit(const std::string& gate, std::optional<std::int32_t> limit) {
    if (limit) {
        flow_limits_[gate] = *limit;
    } else {
        flow_limits_.erase(gate);
    }
    for (auto& [key, one] : gates_) {
        if (!key.second.starts_with(gate) || !limit) continue;
        one.limit = *limit;
        one.look = true;
    }
}

std::string MemTables::flow_problem(Bucket bucket) const {
    std::map<std::string, std::int64_t> inside;
    for (const auto& [key, run] : live_) {
        if (key.first != bucket) continue;
        if ((run.state == LiveState::queued) != waits_.contains(key)) {
            return "run " + to_string(key.second) + " is queued and waits nowhere, or the reverse";
        }
        if (run.slot != Slot::held) continue;
        for (const json::value& slot : slots_of(run.flow)) ++inside[gate_of(slot)];
    }
    for (const auto& [key, gate] : gates_) {
        if (key.first != bucket) continue;
        if (inside[key.second] != gate.held) return "gate " + key.second + " counts wrongly";
        if (gate.held > gate.limit) return "gate " + key.second + " has let in too many";
        if (gate.held < gate.limit && has_waiting(key) && !gate.look) {
            return "a run waits forever at gate " + key.second;
        }
        if (gate.held <= 0 && !has_waiting(key)) return "gate " + key.second + " was left behind";
        inside.erase(key.second);
    }
    for (const auto& [gate, count] : inside) {
        if (count > 0) return "gate " + gate + " does not know who is inside";
    }
    return {};
}

}  // namespace pawl::store
