#pragma once

#include "api/http/router.hpp"
#include "base/clock.hpp"
#include "sandbox/site.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace pawl::api {

// Answers for every function that a workflow calls, and shows what it got: no message of a try-out
// leaves the machine. A function can be told to fail, to see what happens then.
class Sandbox {
public:
    struct Call {
        std::uint64_t number = 0;
        Instant at{};
        std::string function;
        json::value action;
        json::value payload;
        std::string idempotency_key;
        std::string error;  // empty: it was answered with success
    };

    // Adds a call and gives the answer: {"success":true,"data":{...}} or the failure that is set.
    http::ServerResponse receive(
        std::string function, const json::object& body, std::string idempotency_key
    );
    // A call of the model; told to fail as the function `model`.
    http::ServerResponse chat(const json::object& request, std::string idempotency_key);
    // `times`: how many calls fail before it works again; 0: until it is repaired.
    void fail(const std::string& function, std::string error, std::uint32_t times);
    void repair(const std::string& function);

    json::array calls_after(std::uint64_t number) const;

private:
    struct Failure {
        std::string error;
        std::uint32_t left = 0;  // 0: without end
    };
    std::string take_failure(const std::string& function);
    void keep(Call call);

    std::uint64_t last_ = 0;
    std::deque<Call> calls_;  // the newest few hundred
    std::map<std::string, Failure> failures_;
};

// /sandbox, and every function below /functions/v1 that is not the engine's own. The sandbox
// outlives the router.
void add_sandbox_routes(Router& router, Sandbox& sandbox);

// The console of its providers: /sandbox/messages, /sandbox/accounts, /sandbox/faults. The site
// outlives the router.
void add_provider_routes(Router& router, sandbox::Site& site);

// What a browser shows of both.
http::ServerResponse sandbox_page();

}  // namespace pawl::api
