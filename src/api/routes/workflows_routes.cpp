#include "api/http/call_body.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "api/http/version_body.hpp"
#include "app/versions/activate.hpp"
#include "app/versions/publish.hpp"
#include "app/views/workflow_json.hpp"
#include "base/sentence.hpp"
#include "model/document.hpp"
#include "model/label.hpp"
#include "model/layout.hpp"
#include "model/problem_code.hpp"
#include "model/yaml_writer.hpp"

#include <charconv>

namespace pawl::api {

namespace {

constexpr std::size_t owner_length_max = 200;

// The id of the node that a path of a problem is in ("nodes[2].config", "edges[0].to"); empty:
// none.
std::string node_in(std::string_view path, const json::value& document) {
    const std::size_t bracket = path.find('[');
    if (bracket == path.npos) {
        // Checks of programs begin with the node: "t.jq".
        const std::string_view first = path.substr(0, path.find('.'));
        for (const std::string_view key : {"nodes", "steps"}) {
            const json::value* list = find(document, key);
            if (list == nullptr || !list->is_array()) continue;
            for (const json::value& entry : list->get_array()) {
                if (text_in(entry, "id") == first || text_in(entry, "name") == first) {
                    return std::string(first);
                }
            }
        }
        return {};
    }
    const std::string_view key = path.substr(0, bracket);
    std::size_t index = 0;
    std::from_chars(path.data() + bracket + 1, path.data() + path.size(), index);
    const json::value* list = find(document, key);
    if (list == nullptr || !list->is_array() || index >= list->get_array().size()) return {};
    const json::value& entry = list->get_array()[index];
    if (key == "edges") return std::string(text_in(entry, "from"));
    const std::string_view id = text_in(entry, "id");
    return std::string(id.empty() ? text_in(entry, "name") : id);
}

// "steps[1].retry" -> "/steps/1/retry"
std::string pointer_to(std::string_view path) {
    std::string pointer;
    if (!path.empty()) pointer += '/';
    for (const char c : path) {
        if (c != ']') pointer += c == '.' || c == '[' ? '/' : c;
    }
    return pointer;
}

json::object place_of(const pawl::Problem& problem, const json::value& document) {
    json::object place;
    if (problem.line > 0) place["line"] = problem.line;
    if (!problem.path.empty()) {
        place["path"] = problem.path;
        place["pointer"] = pointer_to(problem.path);
    }
    const std::string node = node_in(problem.path, document);
    if (!node.empty()) place["node"] = node;
    ProblemCode said = problem_code(problem.what);
    json::object values;
    for (auto& [name, value] : said.values) values[name] = std::move(value);
    place["code"] = said.code;
    place["values"] = std::move(values);
    place["detail"] = for_sentence(error_at(problem.line, problem.path, problem.what).message);
    return place;
}

// What a check of a definition that can be read says: "nodes[1].config: does not compile".
pawl::Problem problem_in(const std::string& message) {
    const std::size_t colon = message.find(": ");
    const std::string path = message.substr(0, colon);
    const bool has_path = colon != std::string::npos && path.find(' ') == std::string::npos;
    if (!has_path) return {0, "", message};
    return {0, path, message.substr(colon + 2)};
}

// With the way to the list of them.
[[noreturn]] void refuse_unknown_workflow(const std::string& name) {
    refuse_not_found(app::no_workflow(name).message + "; GET /v1/workflows lists them");
}

asio::awaitable<http::ServerResponse> list_workflows(app::VersionUses& uses, Call call) {
    only_params(call, {"limit", "cursor"});
    store::WorkflowFilter filter;
    filter.inactive = true;
    filter.after = cursor_of(call);
    const int limit = limit_of(call);
    filter.limit = limit + 1;
    auto workflows = co_await uses.store.list_workflows(call.principal.tenant, filter);
    std::optional<std::string> next;
    if (cut_to(workflows, limit)) next = workflows.back().name;
    co_return page_response(workflows, next, [](const auto& workflow) {
        return app::to_json(workflow);
    });
}

asio::awaitable<http::ServerResponse> apply(app::VersionUses& uses, Call call) {
    only_params(call, {"draft"});
    const bool draft = flag_param(call, "draft").value_or(false);
    const auto definition = parse_definition(call.request.body);
    if (!definition) {
        throw Refused(to_problem(app::wrong_definition(definition.error().message)));
    }
    const auto applied =
        or_refuse(co_await app::publish(uses, caller_of(call), *definition, draft));
    const json::value layout = layout_of(call.request.body);
    if (!layout.is_null()) {
        co_await uses.drafts.put_layout(call.principal.tenant, definition->name, layout);
    }
    json::object body;
    body["name"] = definition->name;
    body["version"] = applied.version;
    body["changed"] = applied.changed;
    co_return json_response(applied.changed ? 201 : 200, body);
}

asio::awaitable<http::ServerResponse> validate(app::VersionUses& uses, Call call) {
    only_params(call, {});
    auto problems = definition_problems(call.request.body);
    json::value canonical;
    if (problems.empty()) {
        const auto definition = parse_definition(call.request.body).value();
        canonical = pawl::to_json(definition);
        const auto wrong = co_await app::check_definition(uses, call.principal.tenant, definition);
        for (const Error& one : wrong) problems.push_back(problem_in(one.message));
    }
    const auto read = read_document(call.request.body, DefinitionLimits{});
    const json::value document = read ? pawl::to_json(*read) : json::value();
    json::array errors;
    for (const pawl::Problem& problem : problems) errors.push_back(place_of(problem, document));
    json::object body;
    body["valid"] = errors.empty();
    body["errors"] = std::move(errors);
    body["definition"] = std::move(canonical);
    co_return json_response(200, body);
}

asio::awaitable<http::ServerResponse> list_actions(app::VersionUses& uses, Call call) {
    only_params(call, {});
    json::array data;
    for (auto& one : co_await uses.actions.list(call.principal.tenant)) {
        data.push_back(json::object{
            {"name", one.name},
            {"params", std::move(one.params)},
            {"schema", std::move(one.schema)},
            {"own", one.own}});
    }
    co_return json_response(200, json::object{{"data", std::move(data)}});
}

asio::awaitable<http::ServerResponse> get_workflow(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const auto workflow = co_await uses.store.find_workflow(call.principal.tenant, name);
    if (!workflow) refuse_unknown_workflow(name);
    json::object body = app::to_json(*workflow);
    body["layout"] = co_await uses.drafts.find_layout(call.principal.tenant, name);
    co_return json_response(200, body);
}

// As `pawl workflows show NAME -o yaml` prints it.
asio::awaitable<http::ServerResponse> get_text(app::VersionUses& uses, Call call) {
    only_params(call, {"version"});
    const store::TenantId tenant = call.principal.tenant;
    const std::string& name = call.params.at(0);
    const std::string version = text_param(call, "version");
    const auto found = or_refuse(
        version.empty() ? co_await app::find_workflow(uses, tenant, name)
                        : co_await app::find_version(uses, tenant, name, version)
    );
    const auto definition = or_refuse(definition_from_json(found.definition));
    http::ServerResponse response;
    response.status = 200;
    response.headers.push_back({"Content-Type", "application/yaml; charset=utf-8"});
    response.body = to_yaml(pawl::to_json(definition));
    co_return response;
}

asio::awaitable<http::ServerResponse> list_versions(app::VersionUses& uses, Call call) {
    only_params(call, {"limit", "cursor"});
    const auto limit = static_cast<std::size_t>(limit_of(call));
    const std::string cursor = cursor_of(call);
    const std::int32_t before = cursor.empty() ? 0 : number_cursor(cursor);
    const auto versions =
        co_await uses.store.list_versions(call.principal.tenant, call.params.at(0));
    if (versions.empty()) refuse_unknown_workflow(call.params.at(0));
    const auto open = co_await uses.versions.open_runs(call.principal.tenant, call.params.at(0));
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
        json::object one = app::to_json(version);
        const auto count = open.find(version.version);
        one["open_runs"] = count == open.end() ? 0 : count->second;
        data.push_back(std::move(one));
    }
    co_return page_response(std::move(data), next);
}

asio::awaitable<http::ServerResponse> get_version(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const auto version = or_refuse(co_await app::find_version(
        uses, call.principal.tenant, call.params.at(0), call.params.at(1)
    ));
    co_return json_response(200, app::to_json(version));
}

asio::awaitable<http::ServerResponse> activate(app::VersionUses& uses, Call call) {
    CallBody body(call, true);
    const std::string version = read_version(body, body.members());
    body.finish();
    const auto head =
        or_refuse(co_await app::activate(uses, caller_of(call), call.params.at(0), version));
    co_return json_response(200, app::to_json(head));
}

asio::awaitable<http::ServerResponse> deactivate(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const auto head = or_refuse(co_await app::deactivate(uses, caller_of(call), call.params.at(0)));
    co_return json_response(200, app::to_json(head));
}

asio::awaitable<http::ServerResponse> set_owner(app::VersionUses& uses, Call call) {
    CallBody body(call);
    auto owner = body.text("owner", owner_length_max);
    if (!body.members().contains("owner")) {
        body.wrong("owner", "is required: who answers for it, or null");
    } else if (auto problem = label_problem(owner.value_or("no one")); !problem.empty()) {
        body.wrong("owner", problem + "; null: no one");
    }
    body.finish();
    const std::string& name = call.params.at(0);
    const auto tenant = call.principal.tenant;
    const bool found = co_await uses.versions.set_owner(tenant, name, std::move(owner));
    if (!found) refuse_unknown_workflow(name);
    co_return json_response(
        200, app::to_json(or_refuse(co_await app::find_workflow(uses, tenant, name)))
    );
}

}  // namespace

void add_workflow_routes(Router& router, app::VersionUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}";
    router.add({"GET", "/v1/actions", read, bound(uses, list_actions), {}});
    router.add({"GET", "/v1/workflows", read, bound(uses, list_workflows), {}});
    router.add({"POST", "/v1/workflows", write, bound(uses, apply), {}});
    router.add({"POST", "/v1/workflows/validate", read, bound(uses, validate), {}});
    router.add({"GET", one, read, bound(uses, get_workflow), {}});
    router.add({"PUT", one + "/owner", write, bound(uses, set_owner), {}});
    router.add({"GET", one + "/text", read, bound(uses, get_text), {}});
    router.add({"GET", one + "/versions", read, bound(uses, list_versions), {}});
    router.add({"GET", one + "/versions/{version}", read, bound(uses, get_version), {}});
    router.add({"POST", one + "/activate", write, bound(uses, activate), {}});
    router.add({"POST", one + "/deactivate", write, bound(uses, deactivate), {}});
}

}  // namespace pawl::api
