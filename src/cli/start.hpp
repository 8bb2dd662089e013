#pragma once

#include "cli/run_wait.hpp"
#include "engine/start_request.hpp"
#include "pg/pool.hpp"

#include <optional>
#include <string>

namespace pawl::cli {

// A run that somebody at a terminal wants.
struct StartAsk {
    std::string workflow;
    std::string version;  // number or label; empty: one that starts get
    json::value input;
    std::string subject;
    std::string correlation;
    std::int16_t priority = 0;
    std::optional<Duration> delay;
    std::string parent;  // the run that it repeats
    std::string triggered_by = "cli";
};

struct StartAnswer {
    Started started;
    std::string version;  // "order v3"; of a run that was there already: what a new one had got
    std::int32_t number = 0;
    std::string why;  // why there is no new run
};

// Within the limits of the tenant, as the API keeps them; how many a second is not counted here.
boost::asio::awaitable<Result<StartAnswer>> start_run(
    pg::Pool& pool, store::Tenant tenant, StartAsk ask
);

}  // namespace pawl::cli
