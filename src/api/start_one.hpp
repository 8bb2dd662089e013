#pragma once

#include "api/http/api_call.hpp"
#include "api/http/start_body.hpp"
#include "api/services.hpp"

namespace pawl::api {

struct StartedRun {
    engine::ProgramPtr program;
    engine::Started started;
};

// Throws Refused, with a sentence about data that is missing.
using RefuseMissing = void (*)(std::string sentence, std::vector<ProblemPlace> gaps);

// Chooses the version, checks the data, asks the limits, starts: durable when it returns. Throws
// Refused. The call must outlive it.
asio::awaitable<StartedRun> start_one(
    Services& services, const Call& call, StartBody body, RefuseMissing refuse = refuse_missing
);

}  // namespace pawl::api
