#include "api/http/call_body.hpp"
#include "api/http/if_match.hpp"
#include "api/http/list_by_name.hpp"
#include "api/http/routes.hpp"
#include "app/refusal.hpp"
#include "app/versions/version_uses.hpp"
#include "app/views/json_parts.hpp"
#include "base/exact_json.hpp"
#include "model/definition.hpp"
#include "model/name_limits.hpp"

namespace pawl::api {

namespace {

constexpr std::size_t layout_bytes_max = 256 << 10;
constexpr std::size_t name_bytes_max = 100;

json::object draft_json(const store::WorkflowDraft& draft, bool with_text = true) {
    json::object out;
    out["name"] = draft.name;
    if (with_text) out["text"] = draft.text;
    out["etag"] = draft.etag;
    out["updated_at"] = to_rfc3339(draft.updated_at);
    out["updated_by"] = draft.updated_by;
    out["updated_by_name"] = app::or_null(draft.updated_by_name);
    return out;
}

std::string name_in(const store::WorkflowDraft& draft) {
    return draft.updated_by_name.empty() ? draft.updated_by : draft.updated_by_name;
}

http::ServerResponse draft_response(int status, const store::WorkflowDraft& draft) {
    auto response = json_response(status, draft_json(draft));
    response.headers.push_back({"ETag", "\"" + draft.etag + "\""});
    return response;
}

const std::string& name_of(const Call& call) {
    const std::string& name = call.params.at(0);
    if (name.size() > name_bytes_max) refuse_parameter("name", "is longer than 100 bytes");
    return name;
}

// 412 with what is there now, so that a page can show both.
asio::awaitable<void> refuse_conflict(app::VersionUses& uses, const Call& call) {
    const auto current = co_await uses.drafts.find(call.principal.tenant, name_of(call));
    Problem problem{412, "draft_changed", "", {}, {}};
    problem.detail = current ? "the draft was changed by '" + name_in(*current) + "' meanwhile"
                             : std::string("the draft is gone: it was published or deleted");
    if (current) problem.more["values"] = {{"person", name_in(*current)}};
    problem.more["current"] = current ? json::value(draft_json(*current)) : json::value();
    throw Refused(std::move(problem));
}

asio::awaitable<http::ServerResponse> list(app::VersionUses& uses, Call call) {
    return list_by_name(
        std::move(call),
        [&](auto... asked) { return uses.drafts.list(asked...); },
        [](const store::WorkflowDraft& draft) { return draft_json(draft, false); }
    );
}

asio::awaitable<http::ServerResponse> get(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const auto draft = co_await uses.drafts.find(call.principal.tenant, name_of(call));
    if (!draft) refuse_not_found("there is no draft of '" + name_of(call) + "'");
    co_return draft_response(200, *draft);
}

asio::awaitable<http::ServerResponse> put(app::VersionUses& uses, Call call) {
    store::NewDraft draft;
    draft.name = name_of(call);
    draft.by = call.principal.name;
    draft.seen = seen_by(call);
    CallBody body(call);
    const auto text = body.text("text", DefinitionLimits{}.bytes_max);
    if (!text && body.places().empty()) body.wrong("text", "is required: the definition so far");
    if (text && text->size() > DefinitionLimits{}.bytes_max)
        body.wrong("text", "is longer than 1 MiB");
    body.finish();
    draft.text = *text;
    const auto kept = co_await uses.drafts.put(call.principal.tenant, std::move(draft));
    if (!kept) co_await refuse_conflict(uses, call);
    co_return draft_response(200, *kept);
}

asio::awaitable<http::ServerResponse> remove(app::VersionUses& uses, Call call) {
    only_params(call, {});
    const std::string seen = seen_by(call);
    const bool gone = co_await uses.drafts.remove(call.principal.tenant, name_of(call), seen);
    if (!gone && !seen.empty()) co_await refuse_conflict(uses, call);
    if (!gone) refuse_not_found("there is no draft of '" + name_of(call) + "'");
    co_return json_response(200, json::object{{"name", name_of(call)}, {"deleted", true}});
}

asio::awaitable<http::ServerResponse> put_layout(app::VersionUses& uses, Call call) {
    only_params(call, {});
    json::value layout = call.object();
    if (call.request.body.size() > layout_bytes_max) {
        refuse_places("the layout is too large", {{"", "", "must have at most 256 KiB"}});
    }
    const std::string& name = name_of(call);
    const auto workflow = co_await uses.store.find_workflow(call.principal.tenant, name);
    if (!workflow) throw Refused(to_problem(app::no_workflow(name)));
    co_await uses.drafts.put_layout(call.principal.tenant, name, layout);
    co_return json_response(200, json::object{{"name", name}, {"layout", std::move(layout)}});
}

}  // namespace

// A page saves by itself, every few seconds: that is not for the audit list.
void add_draft_routes(Router& router, app::VersionUses& uses) {
    const auto read = Scope::workflows_read;
    const auto write = Scope::workflows_write;
    const std::string one = "/v1/workflows/{name}/draft";
    const auto unnoted = [&](Route route) {
        route.noted = Noted::never;
        router.add(std::move(route));
    };
    router.add({"GET", "/v1/drafts", read, bound(uses, list), {}});
    router.add({"GET", one, read, bound(uses, get), {}});
    unnoted({"PUT", one, write, bound(uses, put), {}});
    unnoted({"DELETE", one, write, bound(uses, remove), {}});
    unnoted({"PUT", "/v1/workflows/{name}/layout", write, bound(uses, put_layout), {}});
}

}  // namespace pawl::api
