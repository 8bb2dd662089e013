#include "api/http/call_body.hpp"
#include "api/http/if_match.hpp"
#include "api/http/routes.hpp"
#include "app/rehearsals/workflow_tests.hpp"
#include "app/views/json_parts.hpp"

#include <boost/json/serialize.hpp>

namespace pawl::api {

namespace {

constexpr std::size_t only_max = 200;

http::ServerResponse tests_response(const store::WorkflowDraft& tests) {
    auto response = json_response(
        200,
        json::object{
            {"name", tests.name},
            {"text", tests.text},
            {"etag", tests.etag},
            {"updated_at", to_rfc3339(tests.updated_at)},
            {"updated_by", tests.updated_by},
            {"updated_by_name", app::or_null(tests.updated_by_name)}}
    );
    response.headers.push_back({"ETag", "\"" + tests.etag + "\""});
    return response;
}

[[noreturn]] void refuse_changed() {
    refuse(412, "tests_changed", "the tests were changed meanwhile; read them again");
}

asio::awaitable<http::ServerResponse> get(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const auto tests = co_await uses.drafts.find_tests(call.principal.tenant, name);
    if (!tests) refuse_not_found("there are no tests of '" + name + "'");
    co_return tests_response(*tests);
}

asio::awaitable<http::ServerResponse> put(app::VersionUses& uses, Call call) {
    store::NewDraft tests;
    tests.name = call.params.at(0);
    tests.by = call.principal.name;
    tests.seen = seen_by(call);
    CallBody body(call);
    const auto text = body.text("text", DefinitionLimits{}.bytes_max);
    if (!text && body.places().empty()) body.wrong("text", "is required: the test cases");
    if (text && text->size() > DefinitionLimits{}.bytes_max) {
        body.wrong("text", "is longer than 1 MiB");
    }
    body.finish();
    tests.text = *text;
    const auto kept =
        or_refuse(co_await app::keep_tests(uses, call.principal.tenant, std::move(tests)));
    if (!kept) refuse_changed();
    co_return tests_response(*kept);
}

asio::awaitable<http::ServerResponse> remove(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    const std::string seen = seen_by(call);
    const bool gone = co_await uses.drafts.remove_tests(call.principal.tenant, name, seen);
    if (!gone && !seen.empty()) refuse_changed();
    if (!gone) refuse_not_found("there are no tests of '" + name + "'");
    co_return json_response(200, json::object{{"name", name}, {"deleted", true}});
}

asio::awaitable<http::ServerResponse> run(app::VersionUses& uses, Call call) {
    CallBody body(call, true);
    app::TestsParams params;
    params.workflow = call.params.at(0);
    params.text = body.text("text", DefinitionLimits{}.bytes_max);
    params.only = body.text("only", only_max).value_or("");
    if (const json::value* version = body.any("version")) {
        const auto number = whole_number(version);
        if (number) {
            params.version = std::to_string(*number);
        } else if (version->is_string()) {
            params.version = version->get_string();
        } else {
            body.wrong("version", "must be a number or a label");
        }
    }
    if (const json::value* given = body.any("definition")) {
        const bool text = given->is_string();
        auto definition =
            parse_definition(text ? std::string(given->get_string()) : json::serialize(*given));
        if (!definition) {
            body.wrong("definition", definition.error().message);
        } else {
            params.definition = std::move(*definition);
        }
    }
    body.finish();
    auto tested =
        or_refuse(co_await app::run_tests(uses, call.principal.tenant, std::move(params)));
    co_return json_response(200, app::to_json(std::move(tested)));
}

}  // namespace

void add_workflow_tests_routes(Router& router, app::VersionUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}/tests";
    router.add({"GET", one, read, bound(uses, get), {}});
    router.add({"PUT", one, write, bound(uses, put), {}});
    router.add({"DELETE", one, write, bound(uses, remove), {}});
    router.add({"POST", one + "/run", read, bound(uses, run), {}});
}

}  // namespace pawl::api
