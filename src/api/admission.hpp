#pragma once

#include "api/auth/principal.hpp"
#include "base/json.hpp"
#include "engine/start/start_limits.hpp"

#include <vector>

namespace pawl::api {

namespace asio = boost::asio;

// Refuses requests to start more runs than their tenant may. The limits outlive it.
class Admission {
public:
    explicit Admission(engine::StartLimits& limits) : limits_(limits) {}

    // Throws Refused: 413 when the data of a run is too big, 429 when there are too many.
    asio::awaitable<void> admit(store::Tenant tenant, std::vector<const json::value*> data);

private:
    engine::StartLimits& limits_;
};

}  // namespace pawl::api
