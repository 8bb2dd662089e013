#pragma once

#include "store/repos/api_keys.hpp"

#include <filesystem>
#include <string>

namespace pawl::cli {

namespace asio = boost::asio;

// Registers the API key of a data directory for the tenant of `wanted`, with every right, and
// returns it. A revoked key still has its row, and another takes its place. `keys` outlives the
// call.
asio::awaitable<std::string> register_key(
    store::ApiKeys& keys, store::NewApiKey wanted, std::filesystem::path data_dir
);

}  // namespace pawl::cli
