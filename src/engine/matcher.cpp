#include "engine/matcher.hpp"

#include "base/log.hpp"
#include "engine/canary.hpp"
#include "engine/trigger.hpp"

#include <fmt/core.h>

namespace pawl::engine {

namespace {

constexpr int triggers_batch = 100;
constexpr Duration pause_when_locked = std::chrono::milliseconds(20);

}  // namespace

Matcher::Matcher(
    asio::any_io_executor executor,
    store::Store& store,
    store::Inbox& inbox,
    Start start,
    FindProgram find_program,
    MatcherOptions options
)
    : store_(store),
      inbox_(inbox),
      start_(std::move(start)),
      find_program_(std::move(find_program)),
      options_(options),
      gate_(executor) {}

asio::awaitable<bool> Matcher::match() {
    for (;;) {
        const auto matched = co_await store_.match_inbox(options_.bucket, options_.batch);
        if (matched.delivered > 0) on_delivered();
        if (!matched.more) co_return false;
        // What is left is in somebody else's hands for the moment.
        if (matched.delivered == 0) co_return true;
    }
}

asio::awaitable<Matcher::Meaning> Matcher::meaning_of(store::TriggeringEvent triggering) {
    Meaning meaning;
    meaning.outcome.number = triggering.event.number;
    std::string& problem = meaning.outcome.problem;
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
            {log::field("event", triggering.event.id), log::field("error", triggered.problem)}
        );
    }
    co_return meaning;
}

asio::awaitable<bool> Matcher::start_triggered() {
    auto events = co_await inbox_.claim_triggers(options_.bucket, triggers_batch, options_.lease);
    if (events.empty()) co_return false;
    const bool more = events.size() == static_cast<std::size_t>(triggers_batch);
    std::vector<store::TriggerOutcome> outcomes;
    std::vector<StartRequest> starts;
    for (auto& triggering : events) {
        Meaning meaning = co_await meaning_of(std::move(triggering));
        outcomes.push_back(std::move(meaning.outcome));
        for (StartRequest& start : meaning.starts) starts.push_back(std::move(start));
    }
    if (!starts.empty()) co_await start_(std::move(starts));
    co_await inbox_.finish_triggers(options_.bucket, std::move(outcomes));
    co_return more;
}

asio::awaitable<void> Matcher::run() {
    for (;;) {
        Duration pause = options_.poll;
        try {
            if (co_await match()) pause = pause_when_locked;
            if (co_await start_triggered()) pause = Duration(0);
        } catch (const Failure& failure) {
            log::warn("events could not be matched", {log::field("error", failure.what())});
        }
        if (pause > Duration(0)) co_await gate_.wait(Steady::now() + pause);
    }
}

}  // namespace pawl::engine
