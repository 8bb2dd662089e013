#pragma once

#include "base/clock.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

// Forward only: a migration is applied once, in one transaction with the row that records it.
namespace pawl::store {

namespace asio = boost::asio;

struct MigrationStatus {
    int number = 0;
    std::string name;
    std::optional<Instant> applied_at;  // none: pending
};

// Applies what is missing and returns how many that were. Any number of processes may call it at
// once: one does the work, the others wait and find nothing left. Throws when the database is newer
// than this program.
asio::awaitable<int> migrate_up(
    pg::Connection& connection, std::function<void(int applied)> on_applied = {}
);

// All migrations of this program, in order.
asio::awaitable<std::vector<MigrationStatus>> migration_status(pg::Connection& connection);

// One script for people who run DDL by hand. A migration that is applied already fails on its first
// insert and is rolled back whole, so the script may be run again.
std::string migration_sql();

}  // namespace pawl::store
