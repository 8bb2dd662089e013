#include "cli/commands/schema_check.hpp"

#include "cli/terminal/console.hpp"
#include "store/pg/migrate.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace asio = boost::asio;

asio::awaitable<int> check_schema(pg::Connection& connection, const Globals& globals) {
    const auto schema = co_await store::schema_status(connection);
    if (schema.pending() == 0) co_return exit_ok;
    Error error{
        Errc::unavailable,
        schema.pending_files() > 0
            ? fmt::format(
                  "{} of {} migrations are pending", schema.pending_files(), schema.files.size()
              )
            : fmt::format("{} files of functions and views differ", schema.pending_texts()),
        {{"next", "run: pawl migrate up"}}};
    co_return report(globals, error);
}

}  // namespace pawl::cli
