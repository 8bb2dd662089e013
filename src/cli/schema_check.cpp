#include "cli/schema_check.hpp"

#include "cli/console.hpp"
#include "store/migrate.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace asio = boost::asio;

asio::awaitable<int> check_schema(pg::Connection& connection, const Globals& globals) {
    const auto migrations = co_await store::migration_status(connection);
    const auto pending = std::count_if(migrations.begin(), migrations.end(), [](const auto& one) {
        return !one.applied_at;
    });
    if (pending == 0) co_return exit_ok;
    Error error{
        Errc::unavailable,
        fmt::format("{} of {} migrations are pending", pending, migrations.size()),
        {{"next", "run: pawl migrate up"}}};
    co_return report(globals, error);
}

}  // namespace pawl::cli
