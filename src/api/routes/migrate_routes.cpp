#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/run_filter_body.hpp"
#include "api/http/version_body.hpp"
#include "app/versions/migrate_runs.hpp"
#include "app/views/job_json.hpp"
#include "app/views/workflow_json.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t map_max = 1000;
constexpr std::size_t name_max = 200;

void read_from(Body& body, const json::object& object, app::MigrateParams& asked) {
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

// What the body has under this name, with not too many in it.
template <class Part>
const Part* within_limit(Body& body, const char* key, const Part* part) {
    if (part != nullptr && part->size() > map_max) {
        body.wrong(key, fmt::format("may have {} at most", map_max));
    }
    return part;
}

void read_map(Body& body, store::RunMigration& migration) {
    const json::object* map = within_limit(body, "map", body.object("map"));
    if (map == nullptr) return;
    for (const auto& [from, to] : *map) {
        if (to.is_string()) {
            migration.map[from] = to.get_string();
        } else {
            body.wrong("map", "must give the new id of each step as text");
        }
    }
}

void read_exit(Body& body, store::RunMigration& migration) {
    const json::array* exit = within_limit(body, "exit", body.array("exit"));
    if (exit == nullptr) return;
    for (const json::value& node : *exit) {
        if (!node.is_string()) {
            body.wrong("exit", "must be ids of steps");
        } else if (migration.map.contains(std::string(node.get_string()))) {
            body.wrong("exit", "must not have a step that is in map too");
        } else {
            migration.exit.emplace_back(node.get_string());
        }
    }
}

app::MigrateParams read_migrate(const Call& call, bool dry_run) {
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    app::MigrateParams asked;
    asked.migration.by = acting_for(call, body.person("by", name_max));
    asked.to = read_version(body, object, "to");
    read_from(body, object, asked);
    read_map(body, asked.migration);
    read_exit(body, asked.migration);
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
    asked.workflow = asked.filter.workflow = call.params.at(0);
    auto fitting = store::fitting(asked.filter, "migrate");
    if (!fitting) {
        refuse_places(fitting.error().message, {{"/filter/status", "", "does not fit"}});
    }
    asked.filter = std::move(*fitting);
    return asked;
}

http::ServerResponse accepted(const store::Job& job) {
    auto response = json_response(202, app::to_json(job));
    response.headers.push_back({"Location", "/v1/jobs/" + to_string(job.id)});
    return response;
}

asio::awaitable<http::ServerResponse> migrate(app::VersionUses& uses, Call call, bool dry_run) {
    only_params(call, {});
    app::MigrateParams asked = read_migrate(call, dry_run);
    co_return accepted(or_refuse(co_await app::migrate_runs(uses, caller_of(call), std::move(asked))
    ));
}

asio::awaitable<http::ServerResponse> migrate_runs(app::VersionUses& uses, Call call) {
    return migrate(uses, std::move(call), false);
}

asio::awaitable<http::ServerResponse> impact_of(app::VersionUses& uses, Call call) {
    return migrate(uses, std::move(call), true);
}

asio::awaitable<http::ServerResponse> roll_back(app::VersionUses& uses, Call call) {
    CallBody body(call, true);
    app::RollbackParams asked;
    asked.workflow = call.params.at(0);
    asked.to = read_version(body, body.members(), "to");
    asked.repin = body.flag("repin").value_or(false);
    asked.migration.by = acting_for(call, body.person("by", name_max));
    read_map(body, asked.migration);
    body.finish();
    const auto done = or_refuse(co_await app::roll_back(uses, caller_of(call), std::move(asked)));
    if (done.job) co_return accepted(*done.job);
    co_return json_response(200, app::to_json(done.head));
}

}  // namespace

void add_migrate_routes(Router& router, app::VersionUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    router.add({"POST", one + "/impact", read, bound(uses, impact_of), {}});
    router.add({"POST", one + "/migrate", write, bound(uses, migrate_runs), {}});
    router.add({"POST", one + "/rollback", write, bound(uses, roll_back), {}});
}

}  // namespace pawl::api
