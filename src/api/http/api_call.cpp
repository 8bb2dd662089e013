#include "api/http/api_call.hpp"

#include "api/http/problem.hpp"
#include "base/exact_json.hpp"

namespace pawl::api {

namespace {

void require_json(const http::Headers& headers) {
    const std::string* type = http::find_header(headers, "Content-Type");
    if (type == nullptr) return;  // curl -d without -H says form-urlencoded; silence is kinder
    const std::string_view media = std::string_view(*type).substr(0, type->find(';'));
    if (http::equal_ignoring_case(media, "application/json")) return;
    refuse(415, "unsupported_media_type", "the body must be application/json, not '" + *type + "'");
}

}  // namespace

json::object Call::object(bool optional) const {
    if (request.body.empty()) {
        if (optional) return {};
        refuse(400, "invalid_json", "the body is empty; a JSON object is expected");
    }
    require_json(request.headers);
    JsonLimits limits;
    limits.bytes_max = request.body.size();
    auto parsed = parse_exact_json(request.body, limits);
    if (!parsed) refuse(400, "invalid_json", parsed.error().message);
    if (!parsed->is_object()) {
        refuse_places("the body must be a JSON object", {{"", "", "must be an object"}});
    }
    return std::move(parsed->get_object());
}

http::ServerResponse json_response(int status, const json::value& body) {
    http::ServerResponse response;
    response.status = status;
    response.headers.push_back({"Content-Type", "application/json"});
    response.body = plain_json(body);
    return response;
}

}  // namespace pawl::api
