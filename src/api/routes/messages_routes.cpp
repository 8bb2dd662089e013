#include "api/http/query_params.hpp"
#include "api/http/routes.hpp"
#include "app/messages/message_uses.hpp"
#include "app/views/message_json.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

std::optional<store::MessageCursor> message_cursor(const Call& call) {
    const auto cursor = time_cursor_of(call);
    if (!cursor) return std::nullopt;
    return store::MessageCursor{cursor->at, cursor->id};
}

asio::awaitable<http::ServerResponse> list_messages(app::MessageUses& uses, Call call) {
    only_params(call, {"external_id", "person", "state", "run", "workflow", "limit", "cursor"});
    store::MessageFilter filter;
    filter.external_id = text_param(call, "external_id");
    filter.person = text_param(call, "person");
    filter.state = text_param(call, "state");
    filter.workflow = text_param(call, "workflow");
    if (!filter.state.empty() && !app::is_message_state(filter.state)) {
        refuse_parameter(
            "state",
            "must be skipped, sending, unknown, sent, failed, delivered, bounced, opened, clicked "
            "or complained"
        );
    }
    if (const std::string run = text_param(call, "run"); !run.empty()) {
        const auto id = parse_uuid(run);
        if (!id) refuse_parameter("run", "is not the id of a run");
        filter.run = RunId{*id};
    }
    filter.limit = limit_of(call);
    filter.before = message_cursor(call);
    const auto page = co_await uses.log.list(tenant_of(call), std::move(filter));
    std::optional<std::string> next;
    if (page.next) next = time_cursor(page.next->at, page.next->id);
    co_return page_response(page.messages, next, [](const auto& message) {
        return app::to_json(message);
    });
}

asio::awaitable<http::ServerResponse> show(app::MessageUses& uses, Call call) {
    only_params(call, {});
    const auto id = parse_uuid(call.params.at(0));
    if (!id) refuse_not_found("there is no message '" + call.params.at(0) + "'");
    const auto found = or_refuse(co_await app::find_message(uses, tenant_of(call), *id));
    co_return json_response(200, app::to_json(found));
}

}  // namespace

void add_message_routes(Router& router, app::MessageUses& uses) {
    router.add({"GET", "/v1/messages", Scope::runs_read, bound(uses, list_messages), {}});
    router.add({"GET", "/v1/messages/{id}", Scope::runs_read, bound(uses, show), {}});
}

}  // namespace pawl::api
