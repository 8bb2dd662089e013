#pragma once

#include "base/ids.hpp"
#include "base/json.hpp"

#include <cstdint>
#include <string>

namespace pawl::store {

// Which child a step has had before the one that it is about to start.
struct CallBefore {
    std::int16_t bucket = 0;
    std::int32_t tenant = 1;
    std::int32_t workflow = 0;  // what is called
    RunId run;                  // the run that calls it
    std::int16_t since = 1;     // only children of earlier tries, of those of `run` itself
    std::string place;          // what follows the run in the step's idempotency key
    RunId until;                // how far back (plan::call_until)
    // A child of another version, or one that was given something else, does not count.
    std::int32_t version = 1;
    json::value input;
    std::string subject;
};

// The last one of its retries.
struct EarlierChild {
    RunId run;
    std::string first_run;  // empty: itself
    std::string anew_run;   // empty: none
    bool undone = false;    // it has undone something, or is open and may
};

}  // namespace pawl::store
