#include "api/http/call_body.hpp"
#include "api/http/list_by_name.hpp"
#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/messages/send_test.hpp"
#include "app/views/message_json.hpp"
#include "base/number_text.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t name_max = 200;
constexpr std::size_t category_max = 100;
constexpr std::size_t word_max = 60;
constexpr std::size_t address_max = 2000;

std::optional<std::int32_t> version_param(const Call& call) {
    const std::string text = text_param(call, "version");
    if (text.empty()) return std::nullopt;
    const auto version = read_number<std::int32_t>(text);
    if (!version || *version < 1) {
        refuse_parameter("version", "must be a whole number from 1 on");
    }
    return version;
}

asio::awaitable<http::ServerResponse> list_templates(app::TemplateUses& uses, Call call) {
    return list_by_name(
        std::move(call),
        [&](auto... asked) { return uses.templates.list(asked...); },
        [](const auto& one) { return app::to_json(one); }
    );
}

asio::awaitable<http::ServerResponse> show(app::TemplateUses& uses, Call call) {
    only_params(call, {"version"});
    const auto found = or_refuse(co_await app::find_template(
        uses, call.principal.tenant, call.params.at(0), version_param(call)
    ));
    co_return json_response(200, app::to_json(found));
}

asio::awaitable<http::ServerResponse> put(app::TemplateUses& uses, Call call) {
    CallBody body(call);
    app::TemplateParams params;
    params.name = call.params.at(0);
    if (const auto given = body.text("name", name_max); given && *given != params.name) {
        body.wrong("name", "must be '" + params.name + "', as in the address, or left out");
    }
    params.category = body.name("category", category_max).value_or("");
    const json::object* languages = body.object("languages");
    if (languages != nullptr) {
        params.languages = *languages;
    } else if (body.places().empty()) {
        body.wrong("languages", "is required: {\"en\": {\"text\": \"Hello\"}}");
    }
    body.finish();
    const std::string name = params.name;
    const auto saved =
        or_refuse(co_await app::put_template(uses, call.principal.tenant, std::move(params)));
    json::object out;
    out["name"] = name;
    out["version"] = saved.version;
    out["changed"] = saved.changed;
    co_return json_response(200, out);
}

asio::awaitable<http::ServerResponse> remove(app::TemplateUses& uses, Call call) {
    only_params(call, {});
    const std::string& name = call.params.at(0);
    or_refuse(co_await app::remove_template(uses, call.principal.tenant, name));
    co_return json_response(200, json::object{{"name", name}, {"deleted", true}});
}

app::PreviewParams filling_of(const Call& call, Body& body) {
    app::PreviewParams params;
    params.name = call.params.at(0);
    if (const auto version = body.whole("version", 1, 2'000'000'000)) {
        params.version = static_cast<std::int32_t>(*version);
    }
    params.person = body.name("person", 500).value_or("");
    if (const json::object* user = body.object("user")) params.user = *user;
    if (const json::value* trigger = body.any("trigger")) params.trigger = *trigger;
    if (const json::value* with = body.any("with")) params.with = *with;
    params.language = body.text("language", 35).value_or("");
    return params;
}

asio::awaitable<http::ServerResponse> preview(app::TemplateUses& uses, Call call) {
    CallBody body(call, true);
    app::PreviewParams params = filling_of(call, body);
    if (const json::object* languages = body.object("languages")) {
        params.languages = *languages;
        if (languages->empty()) body.wrong("languages", "must have at least one language");
    }
    body.finish();
    const auto made =
        or_refuse(co_await app::preview_template(uses, call.principal.tenant, std::move(params)));
    co_return json_response(200, app::to_json(made));
}

asio::awaitable<http::ServerResponse> send_test(app::TemplateUses& uses, Call call) {
    CallBody body(call);
    app::TestParams params;
    params.filled = filling_of(call, body);
    params.channel = body.name("channel", word_max).value_or("");
    params.to = body.name("to", address_max).value_or("");
    params.connector = body.name("connector", word_max).value_or("");
    params.account = body.name("account", word_max).value_or("");
    if (params.channel.empty()) body.wrong("channel", "is required: email, sms, line ...");
    if (params.to.empty()) body.wrong("to", "is required: the address to send to");
    body.finish();
    const store::Tenant tenant{call.principal.tenant, call.principal.bucket};
    const auto sent = or_refuse(co_await app::send_test(uses, tenant, std::move(params)));
    co_return json_response(200, app::to_json(sent));
}

}  // namespace

void add_template_routes(Router& router, app::TemplateUses& uses) {
    const std::string one = "/v1/templates/{name}";
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    router.add({"GET", "/v1/templates", read, bound(uses, list_templates), {}});
    router.add({"GET", one, read, bound(uses, show), {}});
    router.add({"PUT", one, write, bound(uses, put), {}});
    router.add({"DELETE", one, write, bound(uses, remove), {}});
    // Shows what is known of a person.
    router.add({"POST", one + "/preview", Scope::runs_read, bound(uses, preview), {}});
    router.add({"POST", one + "/test", Scope::runs_write, bound(uses, send_test), {}});
}

}  // namespace pawl::api
