#include "engine/observe/otlp.hpp"

#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace pawl::engine {

namespace {

json::object attribute(std::string_view key, std::string_view value) {
    return {{"key", key}, {"value", {{"stringValue", value}}}};
}

// OTLP's JSON has 64-bit numbers as text.
std::string nanoseconds(Instant at) {
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch());
    return std::to_string(since.count());
}

json::object to_json(const Span& span) {
    json::object made;
    made["traceId"] = to_hex(span.context.trace);
    made["spanId"] = to_hex(span.context.span);
    if (span.parent) made["parentSpanId"] = to_hex(*span.parent);
    made["name"] = span.name;
    made["kind"] = static_cast<int>(span.kind);
    made["startTimeUnixNano"] = nanoseconds(span.begin);
    made["endTimeUnixNano"] = nanoseconds(span.end);
    json::array attributes;
    for (const SpanAttribute& one : span.attributes) {
        if (one.is_number) {
            const json::object value{{"intValue", std::to_string(one.number)}};
            attributes.push_back(json::object{{"key", one.key}, {"value", value}});
        } else {
            attributes.push_back(attribute(one.key, one.text));
        }
    }
    made["attributes"] = std::move(attributes);
    json::array links;
    for (const TraceContext& link : span.links) {
        links.push_back(json::object{{"traceId", to_hex(link.trace)}, {"spanId", to_hex(link.span)}}
        );
    }
    if (!links.empty()) made["links"] = std::move(links);
    if (!span.error.empty()) made["status"] = json::object{{"code", 2}, {"message", span.error}};
    return made;
}

}  // namespace

std::string to_otlp(const std::vector<Span>& spans, const OtlpResource& resource) {
    json::array about;
    about.push_back(attribute("service.name", resource.service));
    about.push_back(attribute("service.version", resource.version));
    for (const auto& [key, value] : resource.attributes) about.push_back(attribute(key, value));
    json::array all;
    for (const Span& span : spans) all.push_back(to_json(span));
    json::object scope{{"scope", {{"name", "pawl"}}}, {"spans", std::move(all)}};
    json::object group{{"resource", {{"attributes", std::move(about)}}}};
    group["scopeSpans"] = json::array{std::move(scope)};
    json::object request;
    request["resourceSpans"] = json::array{std::move(group)};
    return json::serialize(request);
}

}  // namespace pawl::engine
