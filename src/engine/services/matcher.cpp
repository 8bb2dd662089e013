#include "engine/services/matcher.hpp"

#include "base/log.hpp"
#include "engine/async/problem_of.hpp"
#include "engine/start/trigger.hpp"
#include "engine/worker/canary.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::engine {

namespace {

constexpr int triggers_batch = 100;
constexpr Duration pause_before_retry = std::chrono::milliseconds(20);
constexpr Duration release_every = std::chrono::seconds(1);

}  // namespace

Matcher::Matcher(
    asio::any_io_executor executor,
    store::Store& store,
    store::Inbox& inbox,
    StartLimits& limits,
    Start start,
    FindProgram find_program,
    MatcherOptions options
)
    : store_(store),
      inbox_(inbox),
      limits_(limits),
      start_(std::move(start)),
      find_program_(std::move(find_program)),
      options_(options),
      gate_(executor),
      started_(executor),
      parts_(executor),
      batch_(options.batch) {}

void Matcher::look() {
    match_at_ = match_at_last_ = Steady::now();
    gate_.open();
}

void Matcher::look_after_claims() {
    const bool wait = claims_match() || claims_go_on();
    const Duration pause = wait ? options_.after_claims : Duration(0);
    match_at_ = std::min(match_at_, Steady::now() + pause);
    gate_.open();
}

asio::awaitable<void> Matcher::match() {
    match_at_ = match_at_last_ = Steady::now() + options_.poll;
    for (;;) {
        const auto matched = co_await store_.match_inbox(options_.bucket, batch_);
        if (matched.delivered > 0) on_delivered();
        if (!matched.more) {
            batch_ = options_.batch;
            co_return;
        }
        if (matched.delivered > 0) continue;
        // Other processes hold what is left for the moment.
        match_at_ = match_at_last_ = Steady::now() + pause_before_retry;
        co_return;
    }
}

asio::awaitable<void> Matcher::match_when_due() {
    const auto now = Steady::now();
    if (now < match_at_) co_return;
    if (now < match_at_last_ && claims_match()) {
        match_at_ = match_at_last_;
        co_return;
    }
    if (now < match_at_last_ && claims_go_on()) {
        match_at_ = std::min(match_at_last_, now + options_.after_claims);
        co_return;
    }
    co_await match();
}

asio::awaitable<Matcher::Meaning> Matcher::meaning_of(store::TriggeringEvent triggering) {
    Meaning meaning;
    meaning.outcome.number = triggering.event.number;
    std::string& problem = meaning.outcome.problem;
    if (!triggering.event.problem.empty()) {
        problem = std::move(triggering.event.problem);
        log::warn(
            "an event cannot start workflows",
            {log::field("tenant", triggering.event.tenant),
             log::field("event", triggering.event.id),
             log::field("error", problem)}
        );
        co_return meaning;
    }
    for (const store::TriggeredVersion& head : triggering.workflows) {
        const auto [workflow, version] = std::pair(head.workflow, head.version);
        const ProgramPtr program = co_await find_program_(workflow, version);
        Triggered triggered;
        if (program) {
            triggered = apply_triggers(program, triggering.event, head.told);
        } else {
            triggered.problem =
                fmt::format("version {} of workflow number {} cannot be read", version, workflow);
        }
        if (triggered.start && !head.canary.empty()) {
            const auto chosen = version_for(head, *triggered.start, triggering.event.id);
            if (chosen != version) {
                const ProgramPtr other = co_await find_program_(workflow, chosen);
                triggered.problem = take_version(*triggered.start, other);
                if (!triggered.problem.empty()) triggered.start.reset();
            }
        }
        if (triggered.start) meaning.starts.push_back(std::move(*triggered.start));
        if (triggered.problem.empty()) continue;
        problem += (problem.empty() ? "" : "; ") + triggered.problem;
        log::warn(
            "an event did not start a workflow",
            {log::field("tenant", triggering.event.tenant),
             log::field("event", triggering.event.id),
             log::field("error", triggered.problem)}
        );
    }
    co_return meaning;
}

asio::awaitable<bool> Matcher::admitted(store::TenantId tenant, Meaning& meaning) {
    if (meaning.starts.empty()) co_return true;
    const auto held = first_held_.find(tenant);
    if (held != first_held_.end() && meaning.outcome.number > held->second) {
        meaning.outcome.held = true;
        meaning.outcome.problem = "it waits behind events of your organization that are held";
        co_return false;
    }
    if (busy_.contains(tenant)) {
        meaning.outcome.held = true;
        meaning.outcome.problem =
            "it waits behind events of your organization: " + std::string(waits_for_tenant);
        co_return false;
    }
    std::size_t bytes = 0;
    if (limits_.asks_for_bytes(tenant)) {
        for (const StartRequest& start : meaning.starts) {
            bytes = std::max(bytes, json::serialize(start.input).size());
        }
    }
    const store::Tenant whose{tenant, options_.bucket};
    const auto refusal = co_await limits_.admit(whose, meaning.starts.size(), bytes, true);
    if (!refusal) co_return true;
    meaning.outcome.held = refusal->passes();
    meaning.outcome.problem = refusal->sentence;
    log::warn(
        meaning.outcome.held ? "an event is held" : "an event did not start a workflow",
        {log::field("tenant", tenant),
         log::field("event", meaning.outcome.number),
         log::field("reason", refusal->sentence)}
    );
    co_return false;
}

// Lets go what was held, as far as there is room now.
asio::awaitable<void> Matcher::release() {
    if (Steady::now() < release_at_) co_return;
    first_held_.clear();
    const std::vector<store::TenantId> busy(busy_.begin(), busy_.end());
    for (const auto& one : co_await inbox_.release_triggers(options_.bucket, busy)) {
        first_held_[one.tenant] = one.first;
    }
    release_at_ = Steady::now() + release_every;
}

asio::awaitable<bool> Matcher::start_triggered() {
    co_await release();
    auto events = co_await inbox_.claim_triggers(options_.bucket, triggers_batch, options_.lease);
    if (events.empty()) co_return false;
    const bool more = events.size() == static_cast<std::size_t>(triggers_batch);
    std::map<store::TenantId, std::shared_ptr<Part>> by_tenant;
    for (auto& triggering : events) {
        const store::TenantId tenant = triggering.event.tenant;
        Meaning meaning;
        meaning.outcome.number = triggering.event.number;
        const std::string what = fmt::format("event {} of tenant {}", triggering.event.id, tenant);
        const std::string problem = co_await problem_of(
            [&]() -> asio::awaitable<void> {
                meaning = co_await meaning_of(std::move(triggering));
                if (!co_await admitted(tenant, meaning)) meaning.starts.clear();
            },
            what
        );
        if (!problem.empty()) {
            meaning.starts.clear();
            meaning.outcome.problem = problem;
        }
        auto& part = by_tenant[tenant];
        if (!part) part = std::make_shared<Part>();
        part->tenant = tenant;
        part->meanings.push_back(std::move(meaning));
    }
    std::vector<std::shared_ptr<Part>> parts;
    for (auto& [tenant, part] : by_tenant) parts.push_back(std::move(part));
    co_await start_parts(parts);
    co_return more;
}

// The workers put the starts of all parts into one batch, because that is quick. A part that does
// not come back soon waits for a transaction that its tenant holds open: it is left alone, and
// until it is done the tenant's other events are held.
asio::awaitable<void> Matcher::start_parts(const std::vector<std::shared_ptr<Part>>& parts) {
    for (const auto& part : parts) {
        part->done =
            std::all_of(part->meanings.begin(), part->meanings.end(), [](const Meaning& meaning) {
                return meaning.starts.empty();
            });
        if (part->done) continue;
        busy_.insert(part->tenant);
        parts_.spawn(start_part(part));
    }
    const auto done = [](const std::shared_ptr<Part>& part) { return part->done; };
    const auto deadline = Steady::now() + options_.patience;
    while (!std::all_of(parts.begin(), parts.end(), done) && Steady::now() < deadline) {
        co_await started_.wait(deadline);
    }
    std::vector<std::shared_ptr<Part>> ended;
    std::exception_ptr failed;
    for (const auto& part : parts) {
        part->late = !part->done;
        if (part->failed) failed = part->failed;
        if (part->done && !part->failed) ended.push_back(part);
    }
    co_await finish(ended);
    if (failed) std::rethrow_exception(failed);
}

asio::awaitable<void> Matcher::start_part(std::shared_ptr<Part> part) {
    try {
        co_await start_all(part->meanings);
    } catch (const Failure& failure) {
        // Its events come again when their lease is over.
        part->failed = std::current_exception();
        if (part->late) starting_.failed(failure.what());
    }
    part->done = true;
    busy_.erase(part->tenant);
    started_.open();
    if (!part->late || part->failed) co_return;
    const std::vector<std::shared_ptr<Part>> alone{part};
    co_await finish(alone);
}

asio::awaitable<void> Matcher::finish(const std::vector<std::shared_ptr<Part>>& parts) {
    std::vector<store::TriggerOutcome> outcomes;
    for (const auto& part : parts) {
        for (Meaning& meaning : part->meanings) {
            if (meaning.outcome.held) first_held_.try_emplace(part->tenant, meaning.outcome.number);
            outcomes.push_back(std::move(meaning.outcome));
        }
    }
    if (!outcomes.empty()) {
        co_await inbox_.finish_triggers(options_.bucket, std::move(outcomes));
    }
}

// Together, because that is quick. When the database refuses them, one by one: those of other
// events, perhaps of other tenants, are not to blame. What was started before is found by its key.
asio::awaitable<void> Matcher::start_all(std::vector<Meaning>& meanings) {
    std::vector<StartRequest> all;
    for (const Meaning& meaning : meanings) {
        all.insert(all.end(), meaning.starts.begin(), meaning.starts.end());
    }
    if (all.empty()) co_return;
    const auto start = [this](std::vector<StartRequest> starts) -> asio::awaitable<void> {
        co_await start_(std::move(starts));
    };
    const std::string refused =
        co_await problem_of([&] { return start(std::move(all)); }, "runs that events start");
    if (refused.empty()) co_return;
    const auto hold = [](Meaning& meaning) {
        meaning.outcome.held = true;
        meaning.outcome.problem = waits_for_tenant;
    };
    if (refused == waits_for_tenant) {
        std::for_each(meanings.begin(), meanings.end(), hold);
        co_return;
    }
    for (Meaning& meaning : meanings) {
        for (StartRequest& one : meaning.starts) {
            const std::string what =
                fmt::format("the start by {} of tenant {}", one.correlation, one.program->tenant);
            std::vector<StartRequest> alone;
            alone.push_back(std::move(one));
            const std::string problem =
                co_await problem_of([&] { return start(std::move(alone)); }, what);
            if (problem == waits_for_tenant) {
                hold(meaning);
            } else if (!problem.empty()) {
                meaning.outcome.problem = problem;
            }
        }
    }
}

asio::awaitable<void> Matcher::run() {
    std::exception_ptr ended;
    try {
        co_await go_on();
    } catch (...) {
        ended = std::current_exception();
    }
    // The parts use what may go now.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    parts_.cancel();
    co_await parts_.join();
    std::rethrow_exception(ended);
}

asio::awaitable<void> Matcher::go_on() {
    for (;;) {
        Duration pause = options_.poll;
        try {
            if (co_await start_triggered()) pause = Duration(0);
            starting_.fine();
        } catch (const Failure& failure) {
            starting_.failed(failure.what());
        }
        try {
            co_await match_when_due();
            matching_.fine();
        } catch (const Failure& failure) {
            matching_.failed(failure.what());
            if (batch_ > 1) match_at_ = match_at_last_ = Steady::now() + pause_before_retry;
            batch_ = std::max(batch_ / 2, 1);
        }
        if (pause > Duration(0)) {
            co_await gate_.wait(std::min(Steady::now() + pause, match_at_));
        }
    }
}

}  // namespace pawl::engine
