#include "api/http/caller_of.hpp"

#include "api/http/problem.hpp"
#include "api/http/query_params.hpp"
#include "base/trace_context.hpp"

namespace pawl::api {

namespace {

// Through what it came, as runs keep it: the command line says that it is one.
std::string door_of(const Call& call) {
    const std::string* agent = http::find_header(call.request.headers, "User-Agent");
    return agent != nullptr && agent->starts_with("pawl-cli/") ? "cli" : "api";
}

// The trace that a request belongs to; empty when there is none or it is not sampled.
std::string traceparent_of(const Call& call) {
    const std::string* header = http::find_header(call.request.headers, "traceparent");
    const auto context = header == nullptr ? std::nullopt : parse_traceparent(*header);
    return context && context->sampled ? to_traceparent(*context) : std::string();
}

}  // namespace

app::Caller caller_of(const Call& call) {
    app::Caller caller;
    caller.tenant = tenant_of(call);
    caller.name = call.principal.name;
    caller.person = call.principal.person;
    caller.admin = call.principal.scopes.allows(Scope::admin);
    caller.door = door_of(call);
    caller.key = call.idempotency_key;
    caller.traceparent = traceparent_of(call);
    return caller;
}

std::string acting_for(const Call& call, const std::optional<std::string>& said) {
    return or_refuse(app::acting_for(caller_of(call), said));
}

}  // namespace pawl::api
