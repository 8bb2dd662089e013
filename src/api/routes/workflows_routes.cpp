#include "api/http/body.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/version_body.hpp"
#include "api/shapes.hpp"
#include "store/repos/called_versions.hpp"

#include <charconv>

namespace pawl::api {

namespace {

// The line and the path that an error of the definition reader begins with ("line 4,
// steps[1].retry: must be ...") as a place of the body.
json::object place_of(const Error& error) {
    json::object place;
    std::string_view rest = error.message;
    if (rest.starts_with("line ")) {
        int line = 0;
        const char* end = rest.data() + rest.size();
        const auto [stopped, failed] = std::from_chars(rest.data() + 5, end, line);
        if (failed == std::errc() && line > 0) place["line"] = line;
    }
    place["detail"] = error.message;
    return place;
}

// The first program in it that does not compile, as the reader would tell it.
asio::awaitable<std::optional<Error>> wrong_program(
    Services& services, Definition definition, store::TenantId tenant
) {
    if (!services.check_programs) co_return std::nullopt;
    const auto problems = co_await services.check_programs(std::move(definition), tenant);
    if (problems.empty()) co_return std::nullopt;
    co_return Error{Errc::invalid, problems[0].path + ": " + problems[0].what, {}};
}

// "line 4, steps[1].retry: must be ..." is about /steps/1/retry; empty: about the whole.
std::string pointer_of(std::string_view message) {
    if (message.starts_with("line ")) {
        const std::size_t comma = message.find(", ");
        const std::size_t colon = message.find(": ");
        if (comma == message.npos || colon < comma) return "";
        message.remove_prefix(comma + 2);
    }
    const std::string_view path = message.substr(0, message.find(": "));
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]";
    if (path.size() == message.size() || path.find_first_not_of(letters) != path.npos) return "";
    std::string pointer = "/";
    for (const char c : path) {
        if (c == ']') continue;
        pointer += c == '.' || c == '[' ? '/' : c;
    }
    return pointer;
}

[[noreturn]] void refuse_definition(const std::string& message) {
    throw Refused({422, "invalid_definition", message, {{pointer_of(message), "", message}}, {}});
}

asio::awaitable<http::ServerResponse> list_workflows(Services& services, Call call) {
    only_params(call, {"limit", "cursor"});
    store::WorkflowFilter filter;
    filter.inactive = true;
    filter.after = cursor_of(call);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto workflows = co_await services.store.list_workflows(call.principal.tenant, filter);
    std::optional<std::string> next;
    if (workflows.size() > static_cast<std::size_t>(limit)) {
        workflows.resize(static_cast<std::size_t>(limit));
        next = workflows.back().name;
    }
    json::array data;
    for (const auto& workflow : workflows) data.push_back(to_json(workflow));
    co_return page_response(std::move(data), next);
}

asio::awaitable<void> refuse_taken_label(
    Services& services, store::TenantId tenant, Definition definition
) {
    const auto taken = co_await services.versions.taken_label(tenant, std::move(definition));
    if (taken) refuse(409, "version_exists", taken->message);
}

asio::awaitable<http::ServerResponse> apply_workflow(Services& services, Call call) {
    only_params(call, {"draft"});
    const bool draft = flag_param(call, "draft").value_or(false);
    const auto definition = parse_definition(call.request.body);
    if (!definition) refuse_definition(definition.error().message);
    refuse_sql_steps(call, *definition);
    const auto wrong = co_await wrong_program(services, *definition, call.principal.tenant);
    if (wrong) refuse_definition(wrong->message);
    const auto tenant = call.principal.tenant;
    co_await refuse_taken_label(services, tenant, *definition);
    const auto call_of =
        co_await store::wrong_call(services.store, services.versions, tenant, *definition);
    if (call_of) refuse_definition(call_of->message);
    store::Applied applied;
    if (draft) {
        applied = co_await services.versions.save_draft(tenant, *definition);
    } else {
        applied = co_await services.store.apply_workflow(tenant, *definition);
    }
    json::object body;
    body["name"] = definition->name;
    body["version"] = applied.version;
    body["changed"] = applied.changed;
    co_return json_response(applied.changed ? 201 : 200, body);
}

asio::awaitable<http::ServerResponse> validate_workflow(Services& services, Call call) {
    only_params(call, {});
    const auto definition = parse_definition(call.request.body);
    json::array errors;
    std::optional<Error> wrong;
    if (definition) {
        const auto tenant = call.principal.tenant;
        wrong = co_await wrong_program(services, *definition, tenant);
        if (!wrong) {
            wrong =
                co_await store::wrong_call(services.store, services.versions, tenant, *definition);
        }
    } else {
        wrong = definition.error();
    }
    if (wrong) errors.push_back(place_of(*wrong));
    json::object body;
    body["valid"] = errors.empty();
    body["errors"] = std::move(errors);
    co_return json_response(200, body);
}

[[noreturn]] void refuse_unknown_workflow(const std::string& name) {
    refuse_not_found("there is no workflow '" + name + "'; GET /v1/workflows lists them");
}

asio::awaitable<http::ServerResponse> show(
    Services& services, store::TenantId tenant, std::string name
) {
    const auto workflow = co_await services.store.find_workflow(tenant, name);
    if (!workflow) refuse_unknown_workflow(name);
    co_return json_response(200, to_json(*workflow));
}

asio::awaitable<http::ServerResponse> get_workflow(Services& services, Call call) {
    only_params(call, {});
    co_return co_await show(services, call.principal.tenant, call.params.at(0));
}

asio::awaitable<http::ServerResponse> list_versions(Services& services, Call call) {
    only_params(call, {"limit", "cursor"});
    const auto limit = static_cast<std::size_t>(limit_of(call));
    const std::string cursor = cursor_of(call);
    const std::int32_t before = cursor.empty() ? 0 : number_cursor(cursor);
    const auto versions =
        co_await services.store.list_versions(call.principal.tenant, call.params.at(0));
    if (versions.empty()) refuse_unknown_workflow(call.params.at(0));
    const auto open =
        co_await services.versions.open_runs(call.principal.tenant, call.params.at(0));
    json::array data;
    std::optional<std::string> next;
    std::int32_t last = 0;
    for (const auto& version : versions) {
        if (before != 0 && version.version >= before) continue;
        if (data.size() == limit) {
            next = std::to_string(last);
            break;
        }
        last = version.version;
        json::object one = to_json(version);
        const auto count = open.find(version.version);
        one["open_runs"] = count == open.end() ? 0 : count->second;
        data.push_back(std::move(one));
    }
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> get_version(Services& services, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    const auto number = co_await version_number(services, tenant, name, call.params.at(1));
    const auto version = co_await services.store.find_version_by_name(tenant, name, number);
    co_return json_response(200, to_json(version.value()));
}

asio::awaitable<http::ServerResponse> activate(Services& services, Call call) {
    only_params(call, {});
    std::vector<ProblemPlace> places;
    const json::object object = call.object(true);
    Body body(object, places);
    const std::string version = read_version(body, object);
    body.refuse_unknown();
    refuse_if_wrong(std::move(places));
    const std::string& name = call.params.at(0);
    std::optional<std::int32_t> wanted;
    if (!version.empty()) {
        wanted = co_await version_number(services, call.principal.tenant, name, version);
        const auto found =
            co_await services.store.find_version_by_name(call.principal.tenant, name, *wanted);
        if (found && found->retired_at) {
            refuse(409, "not_possible", "version " + version + " is retired");
        }
    }
    co_await refuse_sql_version(services, call, name, wanted);
    const auto applied =
        co_await services.store.activate_workflow(call.principal.tenant, name, wanted);
    if (!applied) refuse_not_found("there is no such workflow or version: '" + name + "'");
    co_return co_await show(services, call.principal.tenant, name);
}

asio::awaitable<http::ServerResponse> deactivate(Services& services, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const bool found = co_await services.store.deactivate_workflow(call.principal.tenant, name);
    if (!found) refuse_unknown_workflow(name);
    co_return co_await show(services, call.principal.tenant, name);
}

}  // namespace

void add_workflow_routes(Router& router, Services& services) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    router.add({"GET", "/v1/workflows", read, bound(services, list_workflows), {}});
    router.add({"POST", "/v1/workflows", write, bound(services, apply_workflow), {}});
    router.add({"POST", "/v1/workflows/validate", read, bound(services, validate_workflow), {}});
    router.add({"GET", one, read, bound(services, get_workflow), {}});
    router.add({"GET", one + "/versions", read, bound(services, list_versions), {}});
    router.add({"GET", one + "/versions/{version}", read, bound(services, get_version), {}});
    router.add({"POST", one + "/activate", write, bound(services, activate), {}});
    router.add({"POST", one + "/deactivate", write, bound(services, deactivate), {}});
}

}  // namespace pawl::api
