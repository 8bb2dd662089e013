#include "base/json.hpp"
#include "base/url_slashes.hpp"
#include "model/duration.hpp"
#include "model/flow_reader.hpp"
#include "model/node_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pawl {

namespace {

constexpr std::array<std::string_view, 7> methods{
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"};

void put(json::object& config, std::string_view key, std::optional<json::value> value) {
    if (value) config.insert_or_assign(key, std::move(*value));
}

void put_text(json::object& config, std::string_view key, std::optional<std::string> text) {
    if (text) config.insert_or_assign(key, json::value(std::move(*text)));
}

// What is called is part of the definition, never of the data: no templates here.
void read_function_name(json::object& config, Fields& fields) {
    auto function = fields.text("function");
    if (!function || function->empty()) {
        fields.wrong("function", "must name the function to call");
    } else if (function->find("{{") != std::string::npos) {
        fields.wrong("function", "may not be a template");
    } else {
        put_text(config, "function", std::move(function));
    }
}

void read_headers(json::object& config, Fields& fields) {
    auto headers = fields.any("headers");
    if (!headers || headers->is_null()) return;
    const json::object* map = headers->if_object();
    const bool valid = map != nullptr && std::all_of(map->begin(), map->end(), [](const auto& h) {
                           return h.value().is_string() && !h.key().empty();
                       });
    if (!valid)
        fields.wrong("headers", "must be a map of names to text");
    else
        put(config, "headers", std::move(headers));
}

bool is_status(const json::value& value) {
    const auto* code = value.if_int64();
    return code != nullptr && *code >= 100 && *code <= 599;
}

void read_expect_status(json::object& config, Fields& fields) {
    auto expected = fields.any("expect_status");
    if (!expected || expected->is_null()) return;
    const json::array* list = expected->if_array();
    const bool valid = list == nullptr
                           ? is_status(*expected)
                           : !list->empty() && std::all_of(list->begin(), list->end(), is_status);
    if (!valid)
        fields.wrong("expect_status", "must be an HTTP status or a list of them");
    else
        put(config, "expect_status", std::move(expected));
}

// The peer may answer 202 and call back later.
void read_callback(json::object& config, Fields& fields) {
    // How often the peer tells that it is still at it.
    const auto heartbeat = fields.positive_duration("heartbeat");
    auto callback = fields.any("callback");
    if (!callback || callback->is_null()) {
        if (heartbeat) fields.wrong("heartbeat", "only a step with callback: true has one");
        return;
    }
    if (!callback->is_bool()) fields.wrong("callback", "must be true or false");
    put(config, "callback", std::move(callback));
    if (heartbeat) put_text(config, "heartbeat", format_duration(*heartbeat));
}

void read_redirects(json::object& config, Fields& fields) {
    auto follow = fields.any("follow_redirects");
    if (!follow || follow->is_null()) return;
    if (!follow->is_bool()) fields.wrong("follow_redirects", "must be true or false");
    put(config, "follow_redirects", std::move(follow));
}

void check_slashes(const std::optional<std::string>& url, Fields& fields) {
    if (!url || !has_wrong_slashes(*url)) return;
    fields.wrong("url", "must have two slashes behind its scheme, as in https://example.com");
}

void read_http(json::object& config, Fields& fields) {
    std::string method = fields.text("method").value_or("GET");
    std::transform(method.begin(), method.end(), method.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) {
        fields.wrong("method", fmt::format("must be one of {}", fmt::join(methods, ", ")));
    }
    put_text(config, "method", std::move(method));
    auto url = fields.template_text("url");
    if (!url || url->empty()) fields.wrong("url", "must be the address to call");
    check_slashes(url, fields);
    put_text(config, "url", std::move(url));
    read_headers(config, fields);
    put(config, "body", fields.any("body"));
    read_expect_status(config, fields);
    read_redirects(config, fields);
    read_callback(config, fields);
}

}  // namespace

json::object read_config(NodeType type, Fields& fields) {
    json::object config;
    switch (type) {
        case NodeType::code:
            read_function_name(config, fields);
            put(config, "input", fields.any("input"));
            break;
        case NodeType::function: {
            read_function_name(config, fields);
            put_text(config, "functions", fields.text("functions"));
            put_text(config, "action", fields.template_text("action"));
            put(config, "payload", fields.any("payload"));
            put(config, "payload", fields.any("payload_template"));
            auto url = fields.template_text("url");
            check_slashes(url, fields);
            put_text(config, "url", std::move(url));
            read_headers(config, fields);
            read_callback(config, fields);
            break;
        }
        case NodeType::http: read_http(config, fields); break;
        default: return read_flow_config(type, fields);
    }
    return config;
}

}  // namespace pawl
