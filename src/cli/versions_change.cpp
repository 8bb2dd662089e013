#include "base/fresh_id.hpp"
#include "cli/console.hpp"
#include "cli/job_watch.hpp"
#include "cli/versions.hpp"
#include "store/migration_map.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pawl::cli {

namespace {

using Action = VersionsOptions::Action;

Error wrong(std::string what) {
    return {Errc::invalid, std::move(what), {}};
}

// "OLD=NEW" of an option that may be repeated.
Result<std::map<std::string, std::string>> read_map(const std::vector<std::string>& pairs) {
    std::map<std::string, std::string> map;
    for (const std::string& pair : pairs) {
        const std::size_t sign = pair.find('=');
        if (sign == pair.npos || sign == 0 || sign + 1 == pair.size()) {
            return wrong(fmt::format("--map must look like OLD=NEW, not '{}'", pair));
        }
        map[pair.substr(0, sign)] = pair.substr(sign + 1);
    }
    return map;
}

Result<double> read_percent(const std::string& text) {
    double percent = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const bool whole = failed == std::errc() && end == text.data() + text.size();
    if (!whole || !(percent >= 0 && percent <= 100)) {
        return wrong(fmt::format("a share must be from 0 to 100 percent, not '{}'", text));
    }
    return percent;
}

asio::awaitable<int> set_canary(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    if (options.shares.empty() && !options.clear) {
        co_return report(options.globals, wrong("say VERSION=PERCENT, or --clear"));
    }
    std::vector<VersionShare> shares;
    for (const std::string& pair : options.shares) {
        const std::size_t sign = pair.find('=');
        if (sign == pair.npos) {
            co_return report(
                options.globals, wrong(fmt::format("must look like 1.3.0=5, not '{}'", pair))
            );
        }
        const auto percent = read_percent(pair.substr(sign + 1));
        if (!percent) co_return report(options.globals, percent.error());
        const std::int32_t number = co_await desk.number(pair.substr(0, sign));
        shares.push_back({number, static_cast<std::int32_t>(std::lround(*percent * 100))});
    }
    const std::string problem =
        co_await desk.versions.set_canary(desk.tenant.id, options.name, std::move(shares));
    if (!problem.empty()) co_return report(options.globals, {Errc::conflict, problem, {}});
    co_return co_await list_versions(desk);
}

asio::awaitable<int> retire(VersionsDesk& desk, bool retired) {
    const VersionsOptions& options = desk.options;
    const std::int32_t number = co_await desk.number(options.version);
    const std::string problem =
        co_await desk.versions.retire(desk.tenant.id, options.name, number, options.drain, retired);
    if (!problem.empty()) co_return report(options.globals, {Errc::conflict, problem, {}});
    co_return co_await list_versions(desk);
}

asio::awaitable<int> activate(VersionsDesk& desk, std::int32_t number) {
    co_await desk.store.activate_workflow(desk.tenant.id, desk.options.name, number);
    co_return co_await list_versions(desk);
}

// Which steps go on for others, as the options say; refused when a version lacks one.
asio::awaitable<store::RunMigration> with_map(VersionsDesk& desk, store::RunMigration migration) {
    const VersionsOptions& options = desk.options;
    auto map = read_map(options.map);
    if (!map) throw Failure(map.error());
    migration.map = std::move(*map);
    const auto mistakes =
        co_await store::mistakes_in_map(desk.store, desk.tenant.id, options.name, migration);
    if (mistakes.empty()) co_return migration;
    std::string problem;
    for (const auto& one : mistakes) {
        if (!problem.empty()) problem += '\n';
        problem += fmt::format("--map {}={}: {}", one.from, one.to, one.problem);
    }
    throw Failure(wrong(std::move(problem)));
}

asio::awaitable<int> move_runs(VersionsDesk& desk, store::RunMigration migration) {
    const VersionsOptions& options = desk.options;
    migration.by = options.by;
    migration.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = options.name;
    filter.subject = options.subject;
    const Uuid id = fresh_id();
    std::int64_t total = 0;
    for (const auto& [version, count] :
         co_await desk.versions.open_runs(desk.tenant.id, options.name)) {
        const auto& from = migration.from;
        const bool meant =
            from.empty() || std::find(from.begin(), from.end(), version) != from.end();
        if (version != migration.to && meant) total += count;
    }
    auto job = co_await desk.jobs.create_bulk(
        id,
        desk.tenant.id,
        store::fitting(filter, "migrate").value(),
        store::to_request(migration, id),
        total
    );
    if (!options.no_wait) job = co_await watch_job(desk.jobs, options.globals, std::move(job));
    co_return print_job(options.globals, job);
}

}  // namespace

asio::awaitable<int> change_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    switch (options.action) {
        case Action::canary: co_return co_await set_canary(desk);
        case Action::retire: co_return co_await retire(desk, true);
        case Action::unretire: co_return co_await retire(desk, false);
        case Action::activate:
            co_return co_await activate(desk, co_await desk.number(options.version));
        default: break;
    }
    std::optional<std::string> reason;
    if (options.action == Action::switch_off) reason = options.reason;
    co_await desk.versions.switch_off(desk.tenant.id, options.name, std::move(reason));
    co_return co_await list_versions(desk);
}

asio::awaitable<int> migrate_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    store::RunMigration migration;
    migration.to = co_await desk.number(options.version);
    for (const std::string& written : options.from) {
        migration.from.push_back(co_await desk.number(written));
    }
    migration.dry_run = options.dry_run || options.action == Action::impact;
    migration.drain = options.drain;
    if (migration.drain && migration.from.empty()) {
        co_return report(options.globals, wrong("--drain needs --from: which versions to retire"));
    }
    co_return co_await move_runs(desk, co_await with_map(desk, std::move(migration)));
}

asio::awaitable<int> rollback_version(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    const auto head = co_await desk.store.find_workflow(desk.tenant.id, options.name);
    std::optional<std::int32_t> before =
        co_await desk.versions.before(desk.tenant.id, options.name);
    if (!options.version.empty()) before = co_await desk.number(options.version);
    if (!head || !before) {
        co_return report(
            options.globals, {Errc::conflict, "there was no other version before this one", {}}
        );
    }
    if (!options.repin) co_return co_await activate(desk, *before);
    store::RunMigration migration;
    migration.to = *before;
    migration.from = {head->version};
    migration = co_await with_map(desk, std::move(migration));
    co_await desk.store.activate_workflow(desk.tenant.id, options.name, *before);
    co_return co_await move_runs(desk, std::move(migration));
}

}  // namespace pawl::cli
