#include "api/http/query_params.hpp"

#include "api/http/problem.hpp"
#include "base/base64url.hpp"
#include "model/suggest.hpp"
#include "steps/storable_text.hpp"

#include <algorithm>

namespace pawl::api {

int limit_of(const Call& call) {
    const std::string text = text_param(call, "limit");
    if (text.empty()) return limit_default;
    const auto limit = read_number<std::int32_t>(text);
    if (!limit || *limit < 1 || *limit > limit_max) {
        refuse_parameter("limit", "must be a whole number from 1 to 1000");
    }
    return *limit;
}

std::string text_param(const Call& call, std::string_view name) {
    const std::string* text = call.target.find(name);
    return text == nullptr ? std::string() : *text;
}

std::optional<Instant> time_param(const Call& call, std::string_view name) {
    const std::string text = text_param(call, name);
    if (text.empty()) return std::nullopt;
    const auto at = parse_rfc3339(text);
    if (!at) refuse_parameter(name, "must be a time like 2026-01-31T09:00:00Z");
    return at;
}

std::optional<bool> flag_param(const Call& call, std::string_view name) {
    const std::string text = text_param(call, name);
    if (text.empty()) return std::nullopt;
    if (text != "true" && text != "false") refuse_parameter(name, "must be true or false");
    return text == "true";
}

void only_params(const Call& call, const std::vector<std::string_view>& known) {
    for (const auto& [key, value] : call.target.query) {
        if (std::find(known.begin(), known.end(), std::string_view(key)) != known.end()) continue;
        refuse_parameter(key, "is not known here" + suggest(key, known));
    }
}

RunId run_param(const Call& call) {
    const auto id = parse_uuid(call.params.at(0));
    if (!id) refuse_not_found("'" + call.params.at(0) + "' is not the id of a run");
    return RunId{*id};
}

Uuid task_param(const Call& call) {
    const auto id = parse_uuid(call.params.at(0));
    if (!id) refuse_not_found("'" + call.params.at(0) + "' is not the id of a task");
    return *id;
}

std::string make_cursor(std::string_view place) {
    return to_base64url(place);
}

std::string cursor_of(const Call& call) {
    const std::string text = text_param(call, "cursor");
    if (text.empty()) return {};
    const auto place = from_base64url(text);
    if (!place || !steps::is_storable(*place)) refuse_cursor();
    return *place;
}

void refuse_cursor() {
    refuse_parameter("cursor", "is not a next_cursor of a page");
}

std::string time_cursor(Instant at, const Uuid& id) {
    return to_rfc3339(at) + " " + to_string(id);
}

std::optional<TimeCursor> time_cursor_of(const Call& call) {
    const std::string place = cursor_of(call);
    if (place.empty()) return std::nullopt;
    const std::size_t space = std::min(place.find(' '), place.size());
    const auto at = parse_rfc3339(place.substr(0, space));
    const auto id = parse_uuid(std::string_view(place).substr(std::min(space + 1, place.size())));
    if (!at || !id) refuse_cursor();
    return TimeCursor{*at, *id};
}

store::Tenant tenant_of(const Call& call) {
    return {call.principal.tenant, call.principal.bucket};
}

http::ServerResponse page_response(
    json::array data, const std::optional<std::string>& next, json::object more
) {
    json::object body = std::move(more);
    body["data"] = std::move(data);
    body["next_cursor"] = next ? json::value(make_cursor(*next)) : json::value();
    body["has_more"] = next.has_value();
    return json_response(200, body);
}

}  // namespace pawl::api
