#pragma once

#include "base/json.hpp"
#include "engine/start/start_limits.hpp"

#include <vector>

namespace pawl::app {

namespace asio = boost::asio;

// Refuses requests to start more runs than their tenant may. The limits outlive it.
class Admission {
public:
    explicit Admission(engine::StartLimits& limits) : limits_(limits) {}

    // For each run that would start, its data. An error when the data of one is too big, or when
    // the runs are too many.
    asio::awaitable<Result<void>> admit(store::Tenant tenant, std::vector<const json::value*> data);

private:
    engine::StartLimits& limits_;
};

}  // namespace pawl::app
