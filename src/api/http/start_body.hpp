#pragma once

#include "api/http/api_call.hpp"
#include "api/http/problem.hpp"
#include "api/services.hpp"

#include <string>
#include <vector>

namespace pawl::api {

// The body of a start, read: everything but whether the workflow exists.
struct StartBody {
    std::string workflow;
    std::string version;  // a number or a label; empty: the one that starts use now
    json::value data;
    std::string correlation_id;
    std::string subject;
    std::int16_t priority = 0;
    std::optional<Instant> start_at;
    std::optional<Duration> delay;
    std::string traceparent;   // of the request, when somebody follows it; else empty
    std::string triggered_by;  // empty: the door that the call came by
};

StartBody read_start(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer = ""
);

// Says what is missing in the data for this workflow, and adds a place for each; nothing when all
// is there.
std::optional<std::string> check_input(
    const engine::Program& program,
    const json::value& data,
    std::vector<ProblemPlace>& places,
    const std::string& pointer = "/data"
);

// 422 for what check_input found: its sentence, and how many more places there are than it names.
[[noreturn]] void refuse_missing(std::string sentence, std::vector<ProblemPlace> gaps);

// By what the version is chosen where several are active.
StartChoice choice_of(const StartBody& body);

engine::StartRequest to_request(engine::ProgramPtr program, StartBody body);

// Through what it came, as runs keep it: the command line says who it is.
std::string door_of(const Call& call);
// The trace that a request belongs to; empty when there is none or nobody follows it.
std::string traceparent_of(const Call& call);

// A start that came with an Idempotency-Key and no correlation id must not happen twice either,
// when the answer was lost.
std::string correlation_for(const Call& call, std::string given, std::size_t index = 0);

// Two different starts at once with one Idempotency-Key: whoever came second finds the other's run,
// which must not look like an answer to its own request. Throws Refused (422).
asio::awaitable<void> refuse_other_start(
    Services& services, store::Tenant tenant, engine::Started started, StartBody body
);
[[noreturn]] void refuse_reused_key();

}  // namespace pawl::api
