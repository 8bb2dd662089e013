#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/version_body.hpp"
#include "app/versions/activate.hpp"
#include "app/views/workflow_json.hpp"
#include "model/definition_diff.hpp"

#include <fmt/core.h>

namespace pawl::api {

namespace {

constexpr std::size_t reason_max = 1000;
constexpr std::size_t shares_max = 100;

std::vector<app::WrittenShare> read_shares(const json::array& list) {
    std::vector<ProblemPlace> places;
    std::vector<app::WrittenShare> shares;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string pointer = fmt::format("/shares/{}", i);
        const json::object* one = list[i].if_object();
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
        shares.push_back({written, percent});
    }
    return shares;
}

asio::awaitable<http::ServerResponse> set_canary(app::VersionUses& uses, Call call) {
    CallBody body(call);
    const json::array* list = body.array("shares");
    body.refuse_unknown();
    if (list == nullptr && body.places().empty())
        body.wrong("shares", "is required: a list, may be []");
    if (list != nullptr && list->size() > shares_max) body.wrong("shares", "has too many entries");
    refuse_if_wrong(body.places());
    const auto head = or_refuse(
        co_await app::set_canary(uses, caller_of(call), call.params.at(0), read_shares(*list))
    );
    co_return json_response(200, app::to_json(head));
}

asio::awaitable<http::ServerResponse> switch_on_or_off(app::VersionUses& uses, Call call) {
    CallBody body(call);
    const auto on = body.flag("on");
    const auto reason = body.text("reason", reason_max);
    body.refuse_unknown();
    if (!on && body.places().empty()) body.wrong("on", "is required: true or false");
    if (on && !*on && !reason) body.wrong("reason", "is required: refused starts show it");
    refuse_if_wrong(body.places());
    std::optional<std::string> why;
    if (!*on) why = reason;
    const auto head = or_refuse(
        co_await app::switch_workflow(uses, caller_of(call), call.params.at(0), std::move(why))
    );
    co_return json_response(200, app::to_json(head));
}

asio::awaitable<http::ServerResponse> retire(app::VersionUses& uses, Call call, bool retired) {
    CallBody body(call, true);
    app::RetireParams params;
    params.workflow = call.params.at(0);
    params.version = call.params.at(1);
    params.retired = retired;
    if (retired) params.drain = body.flag("drain").value_or(false);
    body.finish();
    const auto version =
        or_refuse(co_await app::retire_version(uses, caller_of(call), std::move(params)));
    co_return json_response(200, app::to_json(version));
}

asio::awaitable<http::ServerResponse> retire_version(app::VersionUses& uses, Call call) {
    return retire(uses, std::move(call), true);
}

asio::awaitable<http::ServerResponse> unretire_version(app::VersionUses& uses, Call call) {
    return retire(uses, std::move(call), false);
}

asio::awaitable<http::ServerResponse> list_changes(app::VersionUses& uses, Call call) {
    only_params(call, {"limit"});
    const std::string& name = call.params.at(0);
    const auto changes =
        co_await uses.versions.changes(call.principal.tenant, name, limit_of(call));
    if (changes.empty()) throw Refused(to_problem(app::no_workflow(name)));
    json::array data;
    for (const store::VersionChange& change : changes) data.push_back(app::to_json(change));
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

asio::awaitable<engine::ProgramPtr> program_of(
    app::VersionUses& uses, const Call& call, std::string_view parameter
) {
    const std::string written = text_param(call, parameter);
    if (written.empty()) refuse_parameter(parameter, "is required: a version");
    const auto version = or_refuse(
        co_await app::find_version(uses, call.principal.tenant, call.params.at(0), written)
    );
    co_return or_refuse(co_await uses.programs.version(version.id, version.version));
}

asio::awaitable<http::ServerResponse> diff_versions(app::VersionUses& uses, Call call) {
    only_params(call, {"from", "to"});
    const auto from = co_await program_of(uses, call, "from");
    const auto to = co_await program_of(uses, call, "to");
    co_return json_response(
        200,
        json::object{
            {"from", from->version},
            {"to", to->version},
            {"diff", pawl::to_json(diff(from->definition, to->definition))}}
    );
}

}  // namespace

void add_version_routes(Router& router, app::VersionUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    const std::string version = one + "/versions/{version}";
    router.add({"POST", one + "/canary", write, bound(uses, set_canary), {}});
    router.add({"POST", one + "/switch", write, bound(uses, switch_on_or_off), {}});
    router.add({"GET", one + "/changes", read, bound(uses, list_changes), {}});
    router.add({"GET", one + "/diff", read, bound(uses, diff_versions), {}});
    router.add({"POST", version + "/retire", write, bound(uses, retire_version), {}});
    router.add({"POST", version + "/unretire", write, bound(uses, unretire_version), {}});
}

}  // namespace pawl::api
