#include "store/pg/migrate.hpp"

#include "cli/door/database.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/progress.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

std::string counted(int count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

asio::awaitable<int> up(pg::Connection& connection, const Globals& globals) {
    const auto before = co_await store::schema_status(connection);
    Progress progress(globals, "migrate");
    const auto applied = co_await store::migrate_up(connection, [&](int done) {
        progress.show(done, before.pending());
    });
    progress.end();
    if (globals.machine()) {
        json::object document;
        document["applied"] = applied.files;
        document["texts"] = applied.texts;
        document["taken_over"] = applied.taken_over;
        print_json(globals, document);
        co_return exit_ok;
    }
    if (applied.taken_over) print_line("the database was taken over: " + before.old);
    if (applied.nothing()) {
        print_line("nothing to do: the database is up to date");
    } else {
        print_line(fmt::format(
            "{} and {} of functions and views applied",
            counted(applied.files, "migration"),
            counted(applied.texts, "file")
        ));
    }
    co_return exit_ok;
}

json::value moment(const std::optional<Instant>& at) {
    return at ? json::value(to_rfc3339(*at)) : json::value();
}

// One list: the numbered files, then the texts that would be applied.
json::array as_json(const store::SchemaStatus& schema) {
    json::array list;
    for (const auto& file : schema.files) {
        json::object item;
        item["number"] = file.number;
        item["name"] = file.name;
        item["applied_at"] = moment(file.applied_at);
        list.push_back(std::move(item));
    }
    for (const auto& text : schema.texts) {
        if (!text.differs && !text.edited) continue;
        json::object item;
        item["number"] = nullptr;
        item["name"] = text.path;
        item["applied_at"] = moment(text.applied_at);
        item["differs"] = text.differs;
        item["edited"] = text.edited;
        list.push_back(std::move(item));
    }
    return list;
}

std::vector<TableRow> as_table(const store::SchemaStatus& schema) {
    std::vector<TableRow> rows;
    for (const auto& file : schema.files) {
        rows.push_back(
            {fmt::format("{:04}", file.number),
             file.name,
             file.applied_at ? Cell("applied " + to_rfc3339(*file.applied_at), Color::green)
                             : Cell("pending", Color::yellow)}
        );
    }
    for (const auto& text : schema.texts) {
        if (!text.differs && !text.edited) continue;
        const bool newer = !schema.newer.empty();
        rows.push_back(
            {"-",
             text.path,
             newer             ? Cell("of pawl " + schema.newer)
             : text.edited     ? Cell("edited in the database", Color::yellow)
             : text.applied_at ? Cell("changed", Color::yellow)
                               : Cell("new", Color::yellow)}
        );
    }
    return rows;
}

asio::awaitable<int> status(pg::Connection& connection, const Globals& globals) {
    auto schema = co_await store::schema_status(connection);
    co_await store::find_edits(connection, schema);
    if (globals.machine()) {
        print_json_list(globals, as_json(schema));
        co_return exit_ok;
    }
    print_table(globals, {"NUMBER", "NAME", "STATE"}, as_table(schema));
    if (schema.pending_texts() == 0 && schema.newer.empty()) {
        print_line(
            counted(static_cast<int>(schema.texts.size()), "file") +
            " of functions and views: none differs"
        );
    }
    if (!schema.old.empty()) {
        say(globals, "made by the migrations before the baseline, up to " + schema.old);
    }
    if (schema.pending() > 0) say(globals, "apply what is pending: pawl migrate up");
    co_return exit_ok;
}

template <asio::awaitable<int> (*act)(pg::Connection&, const Globals&)>
int run_migrate(const Globals& globals) {
    return with_connection(connect_options(globals), globals, [&](pg::Connection& connection) {
        return act(connection, globals);
    });
}

int run_migrate_sql(const Globals&) {
    print_line(store::migration_sql());
    return exit_ok;
}

const RegisterGroup migrate_group("migrate", 40, "Create or update the tables");

const RegisterCommand<run_migrate<up>> migrate_up_command(
    {"migrate up", 10, "Apply what is missing"}, {{"pawl migrate up"}}
);

const RegisterCommand<run_migrate<status>> migrate_status_command(
    {"migrate status", 20, "List what is applied and what is pending"}, {{"pawl migrate status"}}
);

const RegisterCommand<run_migrate_sql> migrate_sql_command(
    {"migrate sql", 30, "Print everything as one SQL script"},
    {{"pawl migrate sql | psql \"$DATABASE_URL\"", "run by hand"}}
);

}  // namespace

}  // namespace pawl::cli
