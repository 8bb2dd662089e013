#include "engine/matcher.hpp"

#include "base/log.hpp"
#include "engine/canary.hpp"
#include "engine/problem_of.hpp"
#include "engine/trigger.hpp"

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
        // What is left is in somebody else's hands for the moment, or nobody's.
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
    for (const store::StartVersion& head : triggering.workflows) {
        const auto [workflow, version] = std::pair(head.workflow, head.version);
        const ProgramPtr program = co_await find_program_(workflow, version);
        Triggered triggered;
        if (program) {
            triggered = apply_triggers(program, triggering.event);
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
    for (const store::HeldTriggers& one : co_await inbox_.release_triggers(options_.bucket)) {
        first_held_[one.tenant] = one.first;
    }
    release_at_ = Steady::now() + release_every;
}

asio::awaitable<bool> Matcher::start_triggered() {
    co_await release();
    auto events = co_await inbox_.claim_triggers(options_.bucket, triggers_batch, options_.lease);
    if (events.empty()) co_return false;
    const bool more = events.size() == static_cast<std::size_t>(triggers_batch);
    std::vector<Meaning> meanings;
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
        meanings.push_back(std::move(meaning));
    }
    co_await start_all(meanings);
    std::vector<store::TriggerOutcome> outcomes;
    for (Meaning& meaning : meanings) outcomes.push_back(std::move(meaning.outcome));
    co_await inbox_.finish_triggers(options_.bucket, std::move(outcomes));
    co_return more;
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
    for (Meaning& meaning : meanings) {
        for (StartRequest& one : meaning.starts) {
            const std::string what =
                fmt::format("the start by {} of tenant {}", one.correlation, one.program->tenant);
            std::vector<StartRequest> alone;
            alone.push_back(std::move(one));
            const std::string problem =
                co_await problem_of([&] { return start(std::move(alone)); }, what);
            if (!problem.empty()) meaning.outcome.problem = problem;
        }
    }
}

asio::awaitable<void> Matcher::run() {
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
