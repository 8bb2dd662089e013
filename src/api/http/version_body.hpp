#pragma once

#include "api/http/api_call.hpp"
#include "api/http/body.hpp"
#include "api/services.hpp"

namespace pawl::api {

// A version in a body: a number, or a label such as 1.2.0. Empty: not given.
std::string read_version(Body& body, const json::object& object, std::string_view key = "version");

// Its number; 404 when the workflow has no such version.
asio::awaitable<std::int32_t> version_number(
    Services& services, store::TenantId tenant, std::string name, std::string written
);

// Statements run with the rights of a login that the caller who publishes or activates them need
// not have: 403 without the scope admin.
void refuse_sql_steps(const Call& call, const Definition& definition);
// The same for a version that is there; without a number, for the newest.
asio::awaitable<void> refuse_sql_version(
    Services& services, Call call, std::string name, std::optional<std::int32_t> number
);

}  // namespace pawl::api
