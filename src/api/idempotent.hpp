#pragma once

#include "api/router.hpp"
#include "store/idempotency.hpp"

namespace pawl::api {

namespace asio = boost::asio;

// The key of a request, bare or quoted; empty when there is none. Throws Refused when it is no key.
std::string idempotency_key_of(const http::Headers& headers);

// Answers a call that carries a key: again what was answered before, or by the handler, whose
// success is kept. There is no "in progress": what a handler does under a key is idempotent by
// itself (correlation_for), so a crash in the middle and a repeated call do it once.
asio::awaitable<http::ServerResponse> answer_once(
    store::Idempotency& store, const CallHandler& handler, Call call
);

}  // namespace pawl::api
