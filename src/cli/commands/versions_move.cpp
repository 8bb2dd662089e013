#include "cli/commands/job_watch.hpp"
#include "cli/commands/versions.hpp"
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

}  // namespace pawl::cli
