#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/version_body.hpp"
#include "api/shapes.hpp"
#include "model/definition_diff.hpp"

#include <fmt/core.h>

#include <cmath>

namespace pawl::api {

namespace {

constexpr std::size_t reason_max = 1000;
constexpr std::size_t shares_max = 100;

asio::awaitable<http::ServerResponse> show_workflow(
    Services& services, store::TenantId tenant, std::string name
) {
    const auto workflow = co_await services.store.find_workflow(tenant, name);
    if (!workflow) refuse_not_found("there is no workflow '" + name + "'");
    co_return json_response(200, to_json(*workflow));
}

asio::awaitable<http::ServerResponse> show_version(
    Services& services, store::TenantId tenant, std::string name, std::int32_t number
) {
    const auto version = co_await services.store.find_version_by_name(tenant, name, number);
    if (!version) refuse_not_found(fmt::format("workflow '{}' has no version {}", name, number));
    co_return json_response(200, to_json(*version));
}

asio::awaitable<http::ServerResponse> set_canary(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const json::array* list = body.array("shares");
    body.refuse_unknown();
    if (list == nullptr && places.empty()) body.wrong("shares", "is required: a list, may be []");
    if (list != nullptr && list->size() > shares_max) body.wrong("shares", "has too many entries");
    refuse_if_wrong(places);
    const std::string& name = call.params.at(0);
    const auto workflow = co_await services.store.find_workflow(call.principal.tenant, name);
    if (!workflow) refuse_not_found("there is no workflow '" + name + "'");
    std::vector<VersionShare> shares;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string pointer = fmt::format("/shares/{}", i);
        const json::object* one = (*list)[i].if_object();
        if (one == nullptr) refuse_if_wrong({{pointer, "", "must be an object"}});
        Body part(*one, places, pointer);
        const std::string written = read_version(part, *one);
        const json::value* share = part.any("share");
        part.refuse_unknown();
        if (written.empty()) part.wrong("version", "is required: a number or a label");
        const double percent =
            share != nullptr && share->is_number() ? share->to_number<double>() : -1;
        if (!(percent >= 0 && percent <= 100)) part.wrong("share", "must be 0 to 100 percent");
        refuse_if_wrong(places);
        const auto number = co_await version_number(services, call.principal.tenant, name, written);
        co_await refuse_sql_version(services, call, name, number);
        shares.push_back({number, static_cast<std::int32_t>(std::lround(percent * 100))});
    }
    const std::string problem =
        co_await services.versions.set_canary(call.principal.tenant, name, std::move(shares));
    if (!problem.empty()) refuse(409, "not_possible", problem);
    co_return co_await show_workflow(services, call.principal.tenant, name);
}

asio::awaitable<http::ServerResponse> switch_workflow(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object();
    Body body(object, places);
    const auto on = body.flag("on");
    const auto reason = body.text("reason", reason_max);
    body.refuse_unknown();
    if (!on && places.empty()) body.wrong("on", "is required: true or false");
    if (on && !*on && !reason) body.wrong("reason", "is required: whoever starts it is told");
    refuse_if_wrong(std::move(places));
    const std::string& name = call.params.at(0);
    std::optional<std::string> why;
    if (!*on) why = reason;
    const bool found =
        co_await services.versions.switch_off(call.principal.tenant, name, std::move(why));
    if (!found) refuse_not_found("there is no workflow '" + name + "'");
    co_return co_await show_workflow(services, call.principal.tenant, name);
}

asio::awaitable<http::ServerResponse> retire(Services& services, Call call, bool retired) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const bool drain = retired && body.flag("drain").value_or(false);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    const auto number = co_await version_number(services, tenant, name, call.params.at(1));
    const std::string problem =
        co_await services.versions.retire(tenant, name, number, drain, retired);
    if (!problem.empty()) refuse(409, "not_possible", problem);
    co_return co_await show_version(services, tenant, name, number);
}

asio::awaitable<http::ServerResponse> retire_version(Services& services, Call call) {
    return retire(services, std::move(call), true);
}

asio::awaitable<http::ServerResponse> unretire_version(Services& services, Call call) {
    return retire(services, std::move(call), false);
}

asio::awaitable<http::ServerResponse> list_changes(Services& services, Call call) {
    only_params(call, {"limit"});
    const auto changes = co_await services.versions.changes(
        call.principal.tenant, call.params.at(0), limit_of(call)
    );
    if (changes.empty()) refuse_not_found("there is no workflow '" + call.params.at(0) + "'");
    json::array data;
    for (const store::VersionChange& change : changes) {
        data.push_back(json::object{
            {"at", to_rfc3339(change.at)},
            {"action", change.action},
            {"version", change.version},
            {"detail", change.detail}});
    }
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

asio::awaitable<engine::ProgramPtr> program_of(
    Services& services, Call call, std::string_view parameter
) {
    const std::string written = text_param(call, parameter);
    const std::string& name = call.params.at(0);
    if (written.empty()) refuse_parameter(std::string(parameter), "is required: a version");
    const auto number = co_await version_number(services, call.principal.tenant, name, written);
    const auto version =
        co_await services.store.find_version_by_name(call.principal.tenant, name, number);
    co_return co_await services.programs.version(version.value().id, number);
}

asio::awaitable<http::ServerResponse> diff_versions(Services& services, Call call) {
    only_params(call, {"from", "to"});
    const auto from = co_await program_of(services, call, "from");
    const auto to = co_await program_of(services, call, "to");
    co_return json_response(
        200,
        json::object{
            {"from", from->version},
            {"to", to->version},
            {"diff", pawl::to_json(diff(from->definition, to->definition))}}
    );
}

}  // namespace

void add_version_routes(Router& router, Services& services) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    const std::string version = one + "/versions/{version}";
    router.add({"POST", one + "/canary", write, bound(services, set_canary), {}});
    router.add({"POST", one + "/switch", write, bound(services, switch_workflow), {}});
    router.add({"GET", one + "/changes", read, bound(services, list_changes), {}});
    router.add({"GET", one + "/diff", read, bound(services, diff_versions), {}});
    router.add({"POST", version + "/retire", write, bound(services, retire_version), {}});
    router.add({"POST", version + "/unretire", write, bound(services, unretire_version), {}});
}

}  // namespace pawl::api
