#pragma once

#include "store/repos/api_keys.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace pawl::cli {

// "active", "expired" or "revoked", by the database's clock.
std::string status_of(const store::ApiKey& key, Instant now);

// A key as every command shows it; its secret is not known any more.
boost::json::object to_json(const store::ApiKey& key, Instant now);

// How people name a key: "pawl_k3j7x2qa". A whole key is cut to that.
std::string display_prefix(const std::string& prefix);
std::string read_prefix(std::string text);

// The tenant and the database's time; Errc::not_found when there is none of that name.
boost::asio::awaitable<Result<store::TenantNow>> read_tenant(
    store::ApiKeys& keys, std::string name
);

}  // namespace pawl::cli
