#pragma once

#include "api/call.hpp"
#include "api/services.hpp"
#include "api/start_request.hpp"

namespace pawl::api {

struct StartedRun {
    engine::ProgramPtr program;
    engine::Started started;
};

// Chooses the version, checks the data, asks the limits, starts: durable when it returns. Throws
// Refused. The call must outlive it.
asio::awaitable<StartedRun> start_one(Services& services, const Call& call, StartBody body);

}  // namespace pawl::api
