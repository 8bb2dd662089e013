#include "base/spoken.hpp"
#include "cli/commands/checkup.hpp"
#include "cli/commands/checkup_rows.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/parse_refusal.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/advice.hpp"
#include "cli/terminal/console.hpp"
#include "pg/pg_error.hpp"
#include "pg/pool.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pawl::cli {

namespace {

struct DoctorOptions {
    Globals globals;
    Duration patience = std::chrono::minutes(5);
    std::vector<std::string> skip;
    bool strict = false;  // warnings count as errors
    bool repair = false;
};

std::vector<Finding> list_of(Finding finding) {
    std::vector<Finding> findings;
    findings.push_back(std::move(finding));
    return findings;
}

asio::awaitable<std::vector<Finding>> as_list(asio::awaitable<Finding> check) {
    auto finding = co_await std::move(check);
    co_return list_of(std::move(finding));
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
    for (Finding& finding : more) all.push_back(std::move(finding));
}

// A check that throws has found something as well. `next` is for what the error does not tell.
asio::awaitable<std::vector<Finding>> attempt(
    std::string name, std::string next, asio::awaitable<std::vector<Finding>> check
) {
    try {
        co_return co_await std::move(check);
    } catch (const Failure& failure) {
        co_return list_of({name, Verdict::fail, failure.error().message, advice(failure, next)});
    }
}

constexpr const char* member = "let this user be a member of pawl_worker, or own schema pawl";
constexpr const char* grants =
    "let this user own schema pawl, or grant it usage on the schema, all on its tables and execute "
    "on its functions";

// Where nothing can be written, what needs it would only say so again, in other words.
std::vector<Finding> not_written() {
    std::vector<Finding> findings;
    for (const char* check : {"listen", "privileges", "writes"}) {
        findings.push_back(
            {check,
             Verdict::warn,
             "not checked: the database takes no writes",
             "look again on the primary, with pawl doctor there"}
        );
    }
    return findings;
}

asio::awaitable<void> examine_writes(
    pg::Connection& connection, pg::ConnectOptions connect, std::vector<Finding>& all
) {
    const auto executor = co_await asio::this_coro::executor;
    append(
        all,
        co_await attempt(
            "listen",
            "connect to Postgres directly, or in session mode",
            as_list(check_listen(connection, connect))
        )
    );
    pg::Pool pool(executor, {connect, 2});
    store::PgStore store(pool);
    append(all, co_await attempt("privileges", grants, check_worker(store)));
    append(all, co_await attempt("writes", grants, as_list(check_writes(connection))));
}

asio::awaitable<void> examine_tables(
    pg::Connection& connection,
    pg::ConnectOptions connect,
    Duration patience,
    std::vector<Finding>& all
) {
    const auto executor = co_await asio::this_coro::executor;
    pg::Pool pool(executor, {connect, 2});
    store::PgStore store(pool);
    append(all, co_await attempt("health", member, app::check_health(store)));
    for (const app::RowCheck& check : app::row_checks()) {
        append(
            all, co_await attempt(check.name, member, app::check_rows(connection, check, patience))
        );
    }
    append(all, co_await attempt("room", "are connections left?", as_list(check_room(connect))));
    append(all, co_await attempt("queues", member, as_list(app::check_queues(connection))));
}

asio::awaitable<void> examine(
    pg::ConnectOptions connect, Duration patience, bool repair, std::vector<Finding>& all
) {
    const auto began = Steady::now();
    auto connection = co_await pg::Connection::connect(connect);
    const auto took = std::chrono::duration_cast<Duration>(Steady::now() - began);
    all.push_back({"connection", Verdict::ok, "open, after " + human_duration(took), ""});
    const std::string no_prepare = "behind a pooler in transaction mode: --prepare off";
    append(
        all,
        co_await attempt("statements", no_prepare, as_list(check_prepared(*connection, connect)))
    );
    if (all.back().verdict == Verdict::fail) {
        // The other checks should not fail for the same reason.
        connect.prepare = false;
        connection = co_await pg::Connection::connect(connect);
    }
    append(
        all,
        co_await attempt(
            "migrations", "pawl migrate up", as_list(app::check_migrations(*connection))
        )
    );
    // The rest looks at tables that may not be there.
    if (all.back().verdict == Verdict::fail) co_return;
    const bool writes = co_await takes_writes(*connection);
    if (writes) {
        co_await examine_writes(*connection, connect, all);
        if (repair) {
            append(all, co_await attempt("repair", member, as_list(mend_runs(*connection))));
        }
    } else {
        append(all, not_written());
    }
    co_await examine_tables(*connection, connect, patience, all);
}

asio::awaitable<int> collect(
    pg::ConnectOptions connect, const DoctorOptions& options, std::vector<Finding>& all
) {
    try {
        co_await examine(connect, options.patience, options.repair, all);
    } catch (const Failure& failure) {
        all.push_back(
            {"connection",
             Verdict::fail,
             failure.error().message,
             "is the server up, and does DATABASE_URL (or PGHOST, PGUSER, ...) name it?"}
        );
    }
    std::erase_if(all, [&options](const Finding& finding) {
        return std::count(options.skip.begin(), options.skip.end(), finding.check) > 0;
    });
    const bool strict = options.strict;
    const bool sick = std::any_of(all.begin(), all.end(), [strict](const Finding& finding) {
        return finding.verdict == Verdict::fail || (strict && finding.verdict == Verdict::warn);
    });
    co_return sick ? exit_error : exit_ok;
}

void print_findings(const Globals& globals, const std::vector<Finding>& all) {
    json::array list;
    std::vector<TableRow> rows;
    for (const Finding& finding : all) {
        const Color color = finding.verdict == Verdict::ok     ? Color::green
                            : finding.verdict == Verdict::warn ? Color::yellow
                                                               : Color::red;
        list.push_back(app::to_json(finding));
        rows.push_back({Cell(app::name(finding.verdict), color), finding.check, finding.detail});
        if (!finding.next.empty()) rows.push_back({"", "", "-> " + finding.next});
    }
    if (globals.machine()) return print_json_list(globals, list);
    print_details(globals, rows);
}

int run_doctor(const DoctorOptions& options) {
    std::vector<std::string> known{
        "connection",
        "statements",
        "listen",
        "migrations",
        "privileges",
        "writes",
        "repair",
        "health",
        "room",
        "queues"};
    for (const app::RowCheck& check : app::row_checks()) known.emplace_back(check.name);
    for (const std::string& word : options.skip) {
        if (std::find(known.begin(), known.end(), word) != known.end()) continue;
        const std::string all = fmt::format("the checks are: {}", fmt::join(known, ", "));
        return report(
            options.globals, {Errc::invalid, unknown("check", word, known), {{"next", all}}}
        );
    }
    std::vector<Finding> findings;
    asio::io_context loop(1);
    const auto connect = connect_options(options.globals);
    const int code = run_loop(options.globals, collect(connect, options, findings), loop);
    print_findings(options.globals, findings);
    return code;
}

void add_doctor(App& app, DoctorOptions& options) {
    const char* patience = "What takes longer counts as stuck";
    add_parsed(app, "--patience", options.patience, parse_duration, patience)
        ->type_name("TIME")
        ->default_str("5m");
    app.add_option("--skip", options.skip, "Leave a check out")->type_name("CHECK");
    app.add_flag("--strict", options.strict, "Exit with 1 for warnings too");
    app.add_flag("--repair", options.repair, "Remove leftover open rows of runs that are closed");
}

const RegisterCommand<run_doctor, add_doctor> doctor_command(
    {"doctor", 230, "Check the database and say what to do"},
    {{"pawl doctor --database-url postgresql://... --strict"}, {"pawl doctor --skip clock -o json"}}
);

}  // namespace

}  // namespace pawl::cli
