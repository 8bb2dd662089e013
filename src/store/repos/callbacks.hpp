#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <string>

namespace pawl::store {

// What a caller with a callback token says about how a step ended.
struct CallbackAnswer {
    Bucket bucket = 0;
    RunId run;
    std::string token;        // its SHA-256: what opens something is not kept
    std::string fingerprint;  // of the answer
    Instant expires{};        // of the token
    json::value data;         // of the signal
};

enum class CallbackOutcome {
    accepted,
    repeated,  // the same answer was accepted before
    answered,  // another answer was accepted before
    closed,    // the run takes no more
};

// pawl.callback_use: each token is answered once. The pool must outlive it.
class Callbacks {
public:
    explicit Callbacks(pg::Pool& pool) : pool_(pool) {}

    // Notes that the token is used and tells the run, both or neither.
    asio::awaitable<CallbackOutcome> answer(CallbackAnswer answer);
    // Forgets up to `batch` tokens that have expired; returns how many.
    asio::awaitable<std::int64_t> purge(int batch = 1000);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
