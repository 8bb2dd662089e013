#include "api/http/audited.hpp"

#include "api/auth/session_cookie.hpp"
#include "api/http/caller_of.hpp"
#include "api/http/log_path.hpp"
#include "api/http/openapi.hpp"
#include "base/cut_text.hpp"

#include <map>

namespace pawl::api {

namespace {

constexpr std::size_t target_bytes_max = 1000;
constexpr std::size_t name_bytes_max = 490;

bool reads(const Call& call) {
    return call.request.method == "GET" || call.request.method == "HEAD";
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

// "post /v1/runs" -> "startRun", of the document.
std::map<std::string, std::string> read_operations() {
    std::map<std::string, std::string> names;
    for (const auto& [path, item] : openapi().at("paths").as_object()) {
        for (const auto& [method, operation] : item.as_object()) {
            const std::string_view id = text_in(operation, "operationId");
            if (!id.empty()) names[std::string(method) + " " + std::string(path)] = id;
        }
    }
    return names;
}

std::string operation_of(const Route& route) {
    static const std::map<std::string, std::string> names = read_operations();
    const auto found = names.find(lower(route.method) + " " + route.pattern);
    return found == names.end() ? route.method + " " + route.pattern : found->second;
}

}  // namespace

void refuse_foreign_write(const Call& call, std::string_view public_url) {
    if (call.principal.csrf.empty() || reads(call)) return;
    const std::string* sent = http::find_header(call.request.headers, "X-Pawl-Csrf");
    if (sent == nullptr || !same_secret(*sent, call.principal.csrf)) {
        refuse(
            403,
            "csrf",
            "a write with the cookie of a session needs the header X-Pawl-Csrf with "
            "the `csrf` of GET /v1/session"
        );
    }
    if (!is_same_origin(call.request.headers, public_url)) {
        refuse(
            403,
            "csrf",
            "a write with the cookie of a session must come from a page of this "
            "server; is --public-url right?"
        );
    }
}

bool is_audited(const Route& route, const Call& call) {
    if (reads(call) || (!route.scope && !route.any_caller)) return false;
    if (route.scope && *route.scope != Scope::admin && !name(*route.scope).ends_with(":write")) {
        return false;
    }
    const bool of_person = call.principal.person || call.principal.session != 0;
    return route.noted == Noted::always || (route.noted == Noted::of_people && of_person);
}

store::AuditEntry audit_entry(const Route& route, const Call& call) {
    store::AuditEntry entry;
    entry.tenant = call.principal.tenant;
    entry.by = cut_text(call.principal.name, name_bytes_max);
    entry.person = call.principal.person;
    entry.action = operation_of(route);
    entry.target = cut_text(log_path(call.request.target), target_bytes_max);
    entry.door = call.principal.session != 0 ? "ui" : caller_of(call).door;
    entry.peer = call.request.peer;
    entry.request_id = call.request_id;
    return entry;
}

}  // namespace pawl::api
