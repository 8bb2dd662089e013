#include "store/migrate.hpp"

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/progress.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <algorithm>

namespace pawl::cli {

namespace {

asio::awaitable<int> up(pg::Connection& connection, const Globals& globals) {
    const auto before = co_await store::migration_status(connection);
    const auto pending = std::count_if(before.begin(), before.end(), [](const auto& one) {
        return !one.applied_at;
    });
    Progress progress(globals, "migrate");
    const int applied =
        co_await store::migrate_up(connection, [&](int done) { progress.show(done, pending); });
    progress.end();
    if (globals.machine()) {
        json::object document;
        document["applied"] = applied;
        print_json(globals, document);
    } else if (applied == 0) {
        print_line("nothing to do: the database is up to date");
    } else {
        print_line(fmt::format("{} migration{} applied", applied, applied == 1 ? "" : "s"));
    }
    co_return exit_ok;
}

asio::awaitable<int> status(pg::Connection& connection, const Globals& globals) {
    const auto migrations = co_await store::migration_status(connection);
    json::array list;
    std::vector<TableRow> rows;
    for (const auto& migration : migrations) {
        const bool done = migration.applied_at.has_value();
        json::object item;
        item["number"] = migration.number;
        item["name"] = migration.name;
        item["applied_at"] = done ? json::value(to_rfc3339(*migration.applied_at)) : json::value();
        list.push_back(std::move(item));
        rows.push_back(
            {fmt::format("{:04}", migration.number),
             migration.name,
             done ? Cell("applied " + to_rfc3339(*migration.applied_at), Color::green)
                  : Cell("pending", Color::yellow)}
        );
    }
    if (globals.machine()) {
        print_json_list(globals, list);
        co_return exit_ok;
    }
    print_table(globals, {"NUMBER", "NAME", "STATE"}, rows);
    const bool pending = std::any_of(migrations.begin(), migrations.end(), [](const auto& one) {
        return !one.applied_at;
    });
    if (pending) say(globals, "apply what is pending: pawl migrate up");
    co_return exit_ok;
}

}  // namespace

int run_migrate(const MigrateOptions& options) {
    const Globals& globals = options.globals;
    if (options.action == MigrateOptions::Action::sql) {
        print_line(store::migration_sql());
        return exit_ok;
    }
    const bool apply = options.action == MigrateOptions::Action::up;
    return with_connection(connect_options(globals), globals, [&](pg::Connection& connection) {
        return apply ? up(connection, globals) : status(connection, globals);
    });
}

}  // namespace pawl::cli
