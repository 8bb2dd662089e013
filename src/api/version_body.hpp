#pragma once

#include "api/body.hpp"
#include "api/services.hpp"

namespace pawl::api {

// A version in a body: a number, or a label such as 1.2.0. Empty: not given.
std::string read_version(Body& body, const json::object& object, std::string_view key = "version");

// Its number; 404 when the workflow has no such version.
asio::awaitable<std::int32_t> version_number(
    Services& services, store::TenantId tenant, std::string name, std::string written
);

}  // namespace pawl::api
