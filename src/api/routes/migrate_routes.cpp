#include "api/http/job_id.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "api/http/version_body.hpp"
#include "api/shapes.hpp"
#include "api/task_actions.hpp"
#include "model/json_pointer.hpp"
#include "store/repos/bulk.hpp"
#include "store/repos/migration_map.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {

namespace {

constexpr std::size_t map_max = 1000;
constexpr std::size_t name_max = 200;

// What is asked for; versions as they were written.
struct MigrateBody {
    store::RunMigration migration;
    store::RunFilter filter;
    std::string to;
    std::vector<std::string> from;
};

void read_from(Body& body, const json::object& object, MigrateBody& asked) {
    const json::value* from = object.if_contains("from");
    if (from == nullptr || !from->is_array()) {
        if (auto one = read_version(body, object, "from"); !one.empty()) asked.from.push_back(one);
        return;
    }
    for (const json::value& one : *body.array("from")) {
        const auto number = whole_number(&one);
        if (number) {
            asked.from.push_back(std::to_string(*number));
        } else if (one.is_string()) {
            asked.from.emplace_back(one.get_string());
        } else {
            body.wrong("from", "must be versions: numbers or labels");
        }
    }
}

void read_map(Body& body, store::RunMigration& migration) {
    const json::object* map = body.object("map");
    if (map == nullptr) return;
    if (map->size() > map_max) body.wrong("map", fmt::format("may have {} at most", map_max));
    for (const auto& [from, to] : *map) {
        if (to.is_string()) {
            migration.map[from] = to.get_string();
        } else {
            body.wrong("map", "must give the new id of each step as text");
        }
    }
}

MigrateBody read_migrate(const Call& call, bool dry_run) {
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    MigrateBody asked;
    asked.migration.by = acting_for(call, body.person("by", name_max));
    asked.to = read_version(body, object, "to");
    read_from(body, object, asked);
    read_map(body, asked.migration);
    if (const json::object* filter = body.object("filter")) {
        Body part(*filter, places, "/filter");
        asked.filter = read_run_filter(part);
    }
    asked.migration.limit =
        body.whole("limit", 1, store::bulk_limit_max).value_or(store::bulk_limit_max);
    if (!dry_run) {
        dry_run = body.flag("dry_run").value_or(false);
        asked.migration.drain = body.flag("drain").value_or(false);
    }
    asked.migration.dry_run = dry_run;
    body.refuse_unknown();
    if (asked.to.empty() && places.empty()) {
        body.wrong("to", "is required: a version, by its number or its label");
    }
    if (asked.migration.drain && asked.from.empty()) {
        body.wrong("drain", "needs \"from\": which versions to retire");
    }
    refuse_if_wrong(std::move(places));
    asked.filter.workflow = call.params.at(0);
    auto fitting = store::fitting(asked.filter, "migrate");
    if (!fitting) {
        refuse_places(fitting.error().message, {{"/filter/status", "", "does not fit"}});
    }
    asked.filter = std::move(*fitting);
    return asked;
}

// A step of the map that a version does not have is a mistake, whatever the runs are.
asio::awaitable<void> refuse_unknown_nodes(
    Services& services, store::TenantId tenant, std::string name, store::RunMigration migration
) {
    std::vector<ProblemPlace> places;
    for (const auto& one :
         co_await store::mistakes_in_map(services.store, tenant, name, migration)) {
        places.push_back({"/map/" + escaped(one.from), "", one.problem});
    }
    refuse_if_wrong(std::move(places));
}

asio::awaitable<http::ServerResponse> create_job(
    Services& services, Call call, store::RunMigration migration, store::RunFilter filter
) {
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    const auto open = co_await services.versions.open_runs(tenant, name);
    std::int64_t total = 0;
    for (const auto& [version, count] : open) {
        const bool meant = migration.from.empty() ||
                           std::find(migration.from.begin(), migration.from.end(), version) !=
                               migration.from.end();
        if (version != migration.to && meant) total += count;
    }
    const Uuid id = job_id(call, migration.dry_run ? "impact" : "migrate");
    const auto job = co_await services.jobs.create_bulk(
        id, tenant, std::move(filter), store::to_request(migration, id), total
    );
    services.job_runner.look();
    auto response = json_response(202, to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    co_return response;
}

asio::awaitable<http::ServerResponse> migrate(Services& services, Call call, bool dry_run) {
    only_params(call, {});
    MigrateBody asked = read_migrate(call, dry_run);
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    asked.migration.to = co_await version_number(services, tenant, name, asked.to);
    for (const std::string& written : asked.from) {
        asked.migration.from.push_back(co_await version_number(services, tenant, name, written));
    }
    co_await refuse_unknown_nodes(services, tenant, name, asked.migration);
    if (!asked.migration.dry_run) {
        co_await refuse_sql_version(services, call, name, asked.migration.to);
    }
    co_return co_await create_job(
        services, call, std::move(asked.migration), std::move(asked.filter)
    );
}

asio::awaitable<http::ServerResponse> migrate_runs(Services& services, Call call) {
    return migrate(services, std::move(call), false);
}

asio::awaitable<http::ServerResponse> impact_of(Services& services, Call call) {
    return migrate(services, std::move(call), true);
}

asio::awaitable<http::ServerResponse> rollback(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const std::string written = read_version(body, object, "to");
    const bool repin = body.flag("repin").value_or(false);
    store::RunMigration migration;
    migration.by = acting_for(call, body.person("by", name_max));
    read_map(body, migration);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    const auto head = co_await services.store.find_workflow(tenant, name);
    if (!head) refuse_not_found("there is no workflow '" + name + "'");
    std::optional<std::int32_t> before = co_await services.versions.before(tenant, name);
    if (!written.empty()) before = co_await version_number(services, tenant, name, written);
    if (!before) refuse(409, "not_possible", "there was no other version before this one");
    migration.to = *before;
    migration.from = {head->version};
    co_await refuse_unknown_nodes(services, tenant, name, migration);
    co_await refuse_sql_version(services, call, name, *before);
    const auto applied = co_await services.store.activate_workflow(tenant, name, *before);
    if (!applied) refuse_not_found("there is no such version any more");
    if (!repin) {
        const auto now = co_await services.store.find_workflow(tenant, name);
        co_return json_response(200, to_json(now.value()));
    }
    migration.limit = store::bulk_limit_max;
    store::RunFilter filter;
    filter.workflow = name;
    co_return co_await create_job(
        services, call, std::move(migration), store::fitting(filter, "migrate").value()
    );
}

}  // namespace

void add_migrate_routes(Router& router, Services& services) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    router.add({"POST", one + "/impact", read, bound(services, impact_of), {}});
    router.add({"POST", one + "/migrate", write, bound(services, migrate_runs), {}});
    router.add({"POST", one + "/rollback", write, bound(services, rollback), {}});
}

}  // namespace pawl::api
