#include "store/mem/mem_tables.hpp"

#include <algorithm>

namespace pawl::store {

namespace {

// What a level of priority is worth.
constexpr Duration level = std::chrono::minutes(1);

}  // namespace

void MemTables::lease(const RunKey& key, WorkerId worker, Taken& taken) {
    LiveRun run = live_.at(key);
    run.state = LiveState::leased;
    run.worker = worker;
    taken.runs.push_back(key.second);
    if (run.slot == Slot::to_take || run.slot == Slot::gathering) {
        run.slot = Slot::held;
        taken.tickets.push_back(key.second);
    }
    put_live(key, std::move(run));
}

// By the time at which they became due and the level; with several levels a quarter of the limit at
// a time from the one whose first run is the most pressing.
void MemTables::take_pressing(const ClaimParams& params, std::size_t limit, Taken& taken) {
    std::map<std::int16_t, std::vector<ReadyKey>> levels;
    for (const ReadyKey& key : ready_) {
        const auto& [bucket, priority, due_at, run] = key;
        if (bucket == params.bucket && due_at <= now) levels[priority].push_back(key);
    }
    std::map<std::int16_t, Instant> heads;
    for (const auto& [priority, runs] : levels) {
        heads[priority] = std::get<2>(runs.front()) + priority * level;
    }
    std::map<std::int16_t, std::size_t> next;
    std::size_t count = 0;
    while (!heads.empty() && count < limit) {
        std::size_t ask = limit - count;
        if (heads.size() > 1) ask = std::min(ask, std::max<std::size_t>(limit / 4, 1));
        const auto best =
            std::min_element(heads.begin(), heads.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            });
        const auto& runs = levels.at(best->first);
        std::size_t& at = next[best->first];
        const std::size_t end = std::min(at + ask, runs.size());
        const bool all = end - at < ask;
        for (; at < end; ++at, ++count) {
            best->second = std::get<2>(runs[at]) + best->first * level;
            lease({params.bucket, std::get<3>(runs[at])}, params.worker, taken);
        }
        if (all) heads.erase(best);
    }
}

// From tenants in turn, each one's oldest first.
void MemTables::take_in_turn(const ClaimParams& params, std::size_t limit, Taken& taken) {
    constexpr std::int64_t look = 64;
    std::map<std::int32_t, std::vector<std::pair<Instant, RunId>>> ready;
    for (const auto& [bucket, priority, due_at, run] : ready_) {
        if (bucket != params.bucket) continue;
        ready[live_.at({bucket, run}).tenant].push_back({due_at, run});
    }
    if (ready.empty()) return;
    const std::int64_t first = ready.begin()->first;
    const std::int64_t span = ready.rbegin()->first - first + 1;
    const auto from = ready.lower_bound(
        static_cast<std::int32_t>(first + (params.turn & 0x7fffffffU) * look % span)
    );
    std::vector<std::int32_t> tenants;
    auto at = from;
    for (std::size_t i = 0; i < ready.size() && tenants.size() < limit; ++i, ++at) {
        if (at == ready.end()) at = ready.begin();
        std::sort(at->second.begin(), at->second.end());
        if (at->second.front().first <= now) tenants.push_back(at->first);
    }
    std::size_t count = 0;
    for (const std::int32_t tenant : tenants) {
        std::size_t left = (limit + tenants.size() - 1) / tenants.size();
        for (const auto& [due_at, run] : ready.at(tenant)) {
            if (due_at > now || left-- == 0 || count == limit) break;
            lease({params.bucket, run}, params.worker, taken);
            ++count;
        }
    }
}

MemTables::Taken MemTables::take_due(
    const ClaimParams& params, std::size_t limit, std::uint32_t round
) {
    ClaimParams own = params;
    own.turn = (params.turn & 0x3fffffffU) + round;
    std::set<std::int32_t> tenants;
    for (const auto& [bucket, priority, due_at, run] : ready_) {
        if (bucket == params.bucket) tenants.insert(live_.at({bucket, run}).tenant);
    }
    const std::size_t pressing = tenants.size() > 1 ? (limit + 1 - (own.turn & 1U)) / 2 : limit;
    Taken taken;
    take_pressing(own, pressing, taken);
    if (pressing == limit || taken.runs.size() < pressing) return taken;
    take_in_turn(own, limit - pressing, taken);
    take_pressing(own, limit - taken.runs.size(), taken);
    return taken;
}

// A few due runs of each tenant that does not have much, and as many of those that wait at gates.
void MemTables::take_beside(const ClaimParams& params, std::size_t limit, Taken& taken) {
    std::map<TenantId, std::size_t> count;
    for (const TenantId tenant : *params.beside) count[tenant] = beside_each;
    auto let_in = count;
    const auto ready = ready_;
    for (const auto& [bucket, priority, due_at, run] : ready) {
        if (bucket != params.bucket || due_at > now || taken.runs.size() >= limit) continue;
        const TenantId tenant = live_.at({bucket, run}).tenant;
        if (count[tenant]++ < beside_each) lease({bucket, run}, params.worker, taken);
    }
    for (const RunId& back : pass_gates(params.bucket, taken.tickets)) {
        std::erase(taken.runs, back);
    }
    std::vector<GateKey> marked;
    for (const auto& [key, gate] : gates_) {
        if (key.first == params.bucket && gate.look) marked.push_back(key);
    }
    for (const GateKey& key : marked) {
        std::size_t& inside = let_in[std::stoi(key.second)];
        const std::size_t most =
            std::min<std::size_t>(beside_each - inside, limit - taken.runs.size());
        if (most == 0 || !gates_.contains(key)) continue;
        for (const RunId& run : admit_at(key, params.worker, most)) {
            taken.runs.push_back(run);
            ++inside;
        }
    }
}

Claimed MemTables::claim_runs(const ClaimParams& params) {
    assert_worker(params.worker);
    constexpr std::uint32_t rounds = 10;
    const auto limit = static_cast<std::size_t>(std::max(params.limit, 0));
    std::set<RunId> taken;
    if (params.beside) {
        Taken beside;
        take_beside(params, limit, beside);
        taken.insert(beside.runs.begin(), beside.runs.end());
        return claimed_by(params, taken);
    }
    const auto admit = [&](std::size_t most) {
        for (const RunId& run : admit_waiting(params.bucket, params.worker, most)) {
            taken.insert(run);
        }
    };
    const bool marked = std::any_of(gates_.begin(), gates_.end(), [](const auto& entry) {
        return entry.second.look;
    });
    const std::size_t kept = marked ? std::min(std::max<std::size_t>(limit / 2, 1), limit) : 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const Taken due = take_due(params, limit - kept - taken.size(), round);
        taken.insert(due.runs.begin(), due.runs.end());
        const std::vector<RunId> back = pass_gates(params.bucket, due.tickets);
        for (const RunId& run : back) taken.erase(run);
        if (back.empty()) break;
    }
    admit(limit - taken.size());
    // Runs that waited for an event come after due runs.
    if (taken.size() < limit) {
        match_inbox(params.bucket, static_cast<int>(limit - taken.size()));
        const Taken woken = take_due(params, limit - taken.size(), 0);
        taken.insert(woken.runs.begin(), woken.runs.end());
        for (const RunId& run : pass_gates(params.bucket, woken.tickets)) taken.erase(run);
    }
    return claimed_by(params, taken);
}

Claimed MemTables::claimed_by(const ClaimParams& params, const std::set<RunId>& taken) {
    Claimed claimed;
    for (const RunId& run : taken) {
        const auto log = events_.find({params.bucket, run});
        if (log == events_.end()) continue;
        for (const auto& [seq, event] : log->second) claimed.log.push_back({run, event});
    }
    std::vector<RunId> held;
    for (const auto& [key, run] : live_) {
        if (key.first == params.bucket && run.worker == params.worker) held.push_back(key.second);
    }
    claimed.signals = pending_signals(params.bucket, params.worker, held);
    return claimed;
}

}  // namespace pawl::store
