#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What `pawl dev --demo journeys` adds: two merchants with 2,000 customers in tables of theirs, six
// journeys, and accounts at the providers of the sandbox.
namespace pawl::cli {

namespace asio = boost::asio;

struct DemoMerchant {
    std::string tenant;
    std::string api_key;
    std::string ticket;  // of a link that signs in once
};

// "journeys"
std::vector<std::string> demo_names();

// The login that reads a merchant's tables, with the place of the tenant's name.
inline constexpr std::string_view demo_login = "demo_{tenant}";

// Tables, people, logins with this password, watches, actions, workflows, keys and tickets that
// live so long. May run again. Waits of days last seconds.
asio::awaitable<std::vector<DemoMerchant>> prepare_demo(
    pg::Pool& pool, std::filesystem::path dir, std::string password, Duration ticket_life
);

// Opens the accounts, at the sandbox and in Pawl, once the server at `url` answers. Blocks; throws
// Failure when a call is refused.
void connect_demo(const std::string& url, const std::vector<DemoMerchant>& merchants);

}  // namespace pawl::cli
