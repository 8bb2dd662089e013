#pragma once

#include "base/complaint.hpp"
#include "base/rng.hpp"
#include "engine/async/gate.hpp"
#include "engine/core/program_cache.hpp"
#include "engine/observe/metrics.hpp"
#include "engine/start/start_limits.hpp"
#include "store/repos/schedules.hpp"

#include <functional>
#include <map>
#include <utility>

namespace pawl::engine {

struct SchedulerOptions {
    store::Bucket bucket = 0;
    // How long a change of a schedule, or a new one, may go unnoticed.
    Duration poll = std::chrono::seconds(1);
    int schedules_max = 100;      // looked at in one round
    std::size_t slots_max = 100;  // of one schedule, in one transaction
    // Until one that could not be carried out is tried again.
    Duration deferred_for = std::chrono::minutes(1);
    // The same for those of a tenant that holds a transaction open which they wait for.
    Duration deferred_held_for = std::chrono::seconds(10);
};

// Fires cron schedules. Every process with workers runs one; they share the schedules without
// talking to each other, because the database carries out a decision only if the schedule still is
// as it was when the decision was made. Uses the stores it was given, which outlive it, from one
// thread.
class Scheduler {
public:
    Scheduler(
        asio::any_io_executor executor,
        store::Store& store,
        store::Schedules& schedules,
        StartLimits& limits,
        Metrics& metrics,
        SchedulerOptions options = {}
    );

    // Until cancelled.
    asio::awaitable<void> run();
    // One round: carries out everything that is due. Returns when the next thing may be due, by the
    // local clock.
    asio::awaitable<Steady::time_point> look();

    // Called when runs were started that workers should take.
    std::function<void()> on_ready = [] {};

private:
    // What cron and zone say, or why they cannot be understood.
    struct Clockwork {
        Cron cron;
        TimeZone zone;
    };
    static Result<Clockwork> clockwork(const store::Schedule& schedule);

    asio::awaitable<void> look_at(store::Schedule schedule);
    asio::awaitable<void> set_aside(store::Schedule schedule, std::string problem);
    // Adds the runs of the slots, or says why there can be none.
    asio::awaitable<void> add_runs(
        store::ScheduleMove& move, const store::Schedule& schedule, TimeZone zone
    );
    // Lets slots wait that would start more than their tenant may.
    asio::awaitable<void> keep_limits(store::ScheduleMove& move, const store::Schedule& schedule);
    asio::awaitable<bool> carry_out(store::Schedule schedule, store::ScheduleMove move);

    asio::any_io_executor executor_;
    store::Schedules& schedules_;
    StartLimits& limits_;
    Metrics& metrics_;
    SchedulerOptions options_;
    Rng rng_;
    IdMaker ids_{rng_};
    ProgramCache programs_;
    std::map<std::int32_t, std::string> problems_;  // of schedules: logged once
    Complaint trouble_{"schedules could not be processed"};
};

// The decision about the schedule itself, or about its backfill, without the runs. Pure.
store::ScheduleMove plan_slots(
    const store::Schedule& schedule, const Cron& cron, const TimeZone& zone, std::size_t slots_max
);
store::ScheduleMove plan_backfill(
    const store::Schedule& schedule, const Cron& cron, const TimeZone& zone, std::size_t slots_max
);

}  // namespace pawl::engine
