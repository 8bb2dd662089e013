#pragma once

#include "api/http/router.hpp"
#include "base/vault.hpp"
#include "store/repos/idempotency.hpp"

namespace pawl::api {

namespace asio = boost::asio;

// The key of a request, bare or quoted; empty when there is none. Throws Refused when it is no key.
std::string idempotency_key_of(const http::Headers& headers);

// Answers a call that carries a key: again what was answered before, or by the handler, whose
// success is kept. There is no "in progress": what a handler does under a key is idempotent by
// itself (correlation_for), so a crash in the middle and a repeated call do it once.
//
// An answer with a secret in it is kept encrypted: a copy of the database must open nothing. Where
// the vault has no key only the fact that it was given is kept, and a repeated call is answered
// 409. The route and the vault outlive the call.
asio::awaitable<http::ServerResponse> answer_once(
    store::Idempotency& store, const Vault& vault, const Route& route, Call call
);

}  // namespace pawl::api
