#include "engine/services/projector.hpp"

#include "model/condition.hpp"
#include "model/event_names.hpp"

namespace pawl::engine {

namespace {

// Each look reads a little of the log twice, and many small ones more than one large one.
constexpr Duration look_every = std::chrono::seconds(1);
// While another process counts.
constexpr Duration look_idle = std::chrono::seconds(5);
// A rebuild leaves room for others.
constexpr Duration breath = std::chrono::milliseconds(5);
constexpr int doubts_max = 1000;
// So much is counted before what was read is summarised.
constexpr std::int64_t summarize_every = 5000;

}  // namespace

bool is_goal(const json::value& filter, const json::value& event) {
    if (filter.is_null()) return true;
    const auto condition = parse_condition(filter);
    if (!condition) return false;
    const auto passes = evaluate_known(*condition, [&event](const Path& path) {
        return find_in_event(event, path);
    });
    return passes.value_or(false);
}

// Whether there are more.
asio::awaitable<bool> Projector::settle_goals() {
    auto doubts = co_await funnels_.doubts(bucket_, doubts_max);
    if (doubts.empty()) co_return false;
    for (store::GoalDoubt& one : doubts) one.passes = is_goal(one.filter, one.event);
    const bool more = doubts.size() == static_cast<std::size_t>(doubts_max);
    co_await funnels_.settle(bucket_, std::move(doubts));
    co_return more;
}

asio::awaitable<void> Projector::run() {
    std::int64_t not_summarized = 0;
    for (;;) {
        Duration wait = look_every;
        try {
            const auto projected = co_await funnels_.project(bucket_);
            if (!projected) {
                wait = look_idle;
            } else {
                const bool more = co_await settle_goals();
                if (projected->more || more) wait = breath;
                not_summarized += projected->counted;
                if (not_summarized >= summarize_every) {
                    co_await funnels_.summarize();
                    not_summarized = 0;
                }
            }
            trouble_.fine();
        } catch (const Failure& failure) {
            trouble_.failed(failure.what());
        }
        Gate pause(executor_);
        co_await pause.wait(Steady::now() + wait);
    }
}

}  // namespace pawl::engine
