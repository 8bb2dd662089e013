#include "cli/commands/job_watch.hpp"
#include "cli/commands/versions.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

using Action = VersionsOptions::Action;

Error wrong(std::string what) {
    return {Errc::invalid, std::move(what), {}};
}

// "OLD=NEW" of an option that may be repeated.
Result<json::object> read_map(const std::vector<std::string>& pairs) {
    json::object map;
    for (const std::string& pair : pairs) {
        const std::size_t sign = pair.find('=');
        if (sign == pair.npos || sign == 0 || sign + 1 == pair.size()) {
            return wrong(fmt::format("--map must look like OLD=NEW, not '{}'", pair));
        }
        map[pair.substr(0, sign)] = pair.substr(sign + 1);
    }
    return map;
}

// Waits for the job that moves runs, unless that was not wanted.
asio::awaitable<int> follow_job(VersionsDesk& desk, Ask ask) {
    const VersionsOptions& options = desk.options;
    auto job = co_await desk.door.call(std::move(ask));
    if (!job) co_return desk.refused(job.error());
    if (!options.no_wait) job = co_await watch_job(desk.door, options.globals, std::move(*job));
    if (!job) co_return report(options.globals, job.error());
    co_return print_job(options.globals, *job);
}

}  // namespace

asio::awaitable<int> migrate_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    const bool impact = options.action == Action::impact;
    if (options.drain && options.from.empty()) {
        co_return report(options.globals, wrong("--drain needs --from: which versions to retire"));
    }
    const auto map = read_map(options.map);
    if (!map) co_return report(options.globals, map.error());
    json::object body{{"to", options.version}, {"map", *map}};
    if (!options.from.empty()) body["from"] = json::value_from(options.from);
    if (!options.exit.empty()) body["exit"] = json::value_from(options.exit);
    if (!options.subject.empty()) body["filter"] = json::object{{"subject", options.subject}};
    if (!impact) {
        body["dry_run"] = options.dry_run;
        body["drain"] = options.drain;
        body["by"] = options.by;
    }
    Ask ask = desk.ask("POST", {impact ? "impact" : "migrate"});
    ask.body = std::move(body);
    co_return co_await follow_job(desk, std::move(ask));
}

asio::awaitable<int> rollback_version(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    const auto map = read_map(options.map);
    if (!map) co_return report(options.globals, map.error());
    json::object body{{"repin", options.repin}, {"map", *map}, {"by", options.by}};
    if (!options.version.empty()) body["to"] = options.version;
    Ask ask = desk.ask("POST", {"rollback"});
    ask.body = std::move(body);
    co_return co_await (
        options.repin ? follow_job(desk, std::move(ask)) : call_and_list(desk, std::move(ask))
    );
}

namespace {

void add_moved_runs(App& app, VersionsOptions& options) {
    app.add_option("--to", options.version, "Which version")->required()->type_name("VERSION");
    app.add_option("--from", options.from, "Only runs of these versions [all others]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("VERSION,...");
    app.add_option("--subject", options.subject, "Only runs about this subject")->type_name("TEXT");
}

void add_exit(App& app, VersionsOptions& options) {
    app.add_option("--exit", options.exit, "Cancel runs on this step; may be repeated")
        ->allow_extra_args(false)
        ->type_name("STEP");
}

void add_map(App& app, VersionsOptions& options) {
    app.add_option("--map", options.map, "A step that has another name; may be repeated")
        ->allow_extra_args(false)
        ->type_name("OLD=NEW");
    app.add_flag("--no-wait", options.no_wait, "Do not wait for the end of the job");
}

void add_versions_impact(App& app, VersionsOptions& options) {
    add_versions<Action::impact>(app, options);
    add_moved_runs(app, options);
    add_exit(app, options);
    add_map(app, options);
}

void add_versions_migrate(App& app, VersionsOptions& options) {
    add_versions<Action::migrate>(app, options);
    add_moved_runs(app, options);
    add_exit(app, options);
    add_map(app, options);
    app.add_flag("--drain", options.drain, "Then retire the versions of --from");
    auto* dry = app.add_flag("--dry-run", options.dry_run, "Only say what it would do");
    app.add_flag("--yes", options.yes, "Really do it")->excludes(dry);
}

void check_versions_migrate(const VersionsOptions& options) {
    if (options.dry_run || options.yes) return;
    throw WrongUse("say --dry-run to see what would be done, or --yes to do it");
}

void add_versions_rollback(App& app, VersionsOptions& options) {
    add_versions<Action::rollback>(app, options);
    app.add_option("--to", options.version, "Another one instead")->type_name("VERSION");
    app.add_flag("--repin", options.repin, "Its open runs go back too, as a job");
    add_map(app, options);
}

const RegisterCommand<run_versions, add_versions_impact> versions_impact_command(
    {"versions impact", 100, "What a version would mean for open runs; changes nothing"},
    {{"pawl versions impact order --to 1.3.0"}}
);

const RegisterCommand<run_versions, add_versions_migrate, check_versions_migrate>
    versions_migrate_command(
        {"versions migrate", 110, "Move open runs to another version, as a job"},
        {{"pawl versions migrate order --to 1.3.0 --map charge=bill --dry-run"},
         {"pawl versions migrate order --to 1.3.0 --from 1.2.0 --drain --yes"}}
    );

const RegisterCommand<run_versions, add_versions_rollback> versions_rollback_command(
    {"versions rollback", 120, "Activate the version before the active one"},
    {{"pawl versions rollback order --repin"}}
);

}  // namespace

}  // namespace pawl::cli
