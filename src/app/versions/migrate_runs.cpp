#include "app/versions/migrate_runs.hpp"

#include "app/jobs/job_id.hpp"
#include "app/refusal.hpp"
#include "model/json_pointer.hpp"
#include "store/repos/migration_map.hpp"

#include <algorithm>

namespace pawl::app {

namespace {

// A step of the map that a version does not have is a mistake, whatever the runs are.
asio::awaitable<Result<void>> check_map(
    VersionUses& uses, store::TenantId tenant, std::string name, store::RunMigration migration
) {
    std::vector<WrongPlace> places;
    for (const auto& one :
         co_await store::mistakes_in_map(uses.store, tenant, name, std::move(migration))) {
        places.push_back({one.to.empty() ? "/exit" : "/map/" + escaped(one.from), one.problem});
    }
    if (places.empty()) co_return Result<void>();
    co_return wrong_places(std::move(places));
}

asio::awaitable<store::Job> create_job(
    VersionUses& uses, Caller caller, store::RunMigration migration, store::RunFilter filter
) {
    const store::TenantId tenant = caller.tenant.id;
    const auto open = co_await uses.versions.open_runs(tenant, filter.workflow);
    std::int64_t total = 0;
    for (const auto& [version, count] : open) {
        const bool meant = migration.from.empty() ||
                           std::find(migration.from.begin(), migration.from.end(), version) !=
                               migration.from.end();
        if (version != migration.to && meant) total += count;
    }
    const Uuid id = job_id(caller, migration.dry_run ? "impact" : "migrate");
    auto job = co_await uses.jobs.create_bulk(
        id, tenant, std::move(filter), store::to_request(migration, id), total
    );
    uses.job_runner.look();
    co_return job;
}

}  // namespace

asio::awaitable<Result<store::Job>> migrate_runs(
    VersionUses& uses, Caller caller, MigrateParams params
) {
    const store::TenantId tenant = caller.tenant.id;
    const std::string& name = params.workflow;
    const auto to = co_await version_number(uses, tenant, name, params.to);
    if (!to) co_return to.error();
    params.migration.to = *to;
    for (const std::string& written : params.from) {
        const auto from = co_await version_number(uses, tenant, name, written);
        if (!from) co_return from.error();
        params.migration.from.push_back(*from);
    }
    const auto fine = co_await check_map(uses, tenant, name, params.migration);
    if (!fine) co_return fine.error();
    if (!params.migration.dry_run) {
        const auto allowed = co_await check_sql_version(uses, caller, name, *to);
        if (!allowed) co_return allowed.error();
    }
    params.filter.workflow = name;
    co_return co_await create_job(
        uses, std::move(caller), std::move(params.migration), std::move(params.filter)
    );
}

asio::awaitable<Result<RolledBack>> roll_back(
    VersionUses& uses, Caller caller, RollbackParams params
) {
    const store::TenantId tenant = caller.tenant.id;
    const std::string& name = params.workflow;
    const auto head = co_await find_workflow(uses, tenant, name);
    if (!head) co_return head.error();
    std::optional<std::int32_t> before = co_await uses.versions.before(tenant, name);
    if (!params.to.empty()) {
        const auto number = co_await version_number(uses, tenant, name, params.to);
        if (!number) co_return number.error();
        before = *number;
    }
    if (!before) {
        co_return refusal(
            Errc::conflict, "not_possible", "there was no other version before this one"
        );
    }
    store::RunMigration migration = std::move(params.migration);
    migration.to = *before;
    migration.from = {head->version};
    const auto fine = co_await check_map(uses, tenant, name, migration);
    if (!fine) co_return fine.error();
    const auto allowed = co_await check_sql_version(uses, caller, name, *before);
    if (!allowed) co_return allowed.error();
    const auto applied = co_await uses.store.activate_workflow(author_of(caller), name, *before);
    if (!applied) co_return not_found("there is no such version any more");
    auto now = co_await find_workflow(uses, tenant, name);
    if (!now) co_return now.error();
    RolledBack answer{std::move(*now), std::nullopt};
    if (!params.repin) co_return answer;
    migration.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = name;
    auto fitting = store::fitting(std::move(filter), "migrate");
    answer.job = co_await create_job(
        uses, std::move(caller), std::move(migration), std::move(fitting.value())
    );
    co_return answer;
}

}  // namespace pawl::app
