#include "api/http/incoming_events.hpp"

#include "api/http/body.hpp"
#include "base/exact_json.hpp"
#include "base/fresh_id.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"
#include "base/spoken.hpp"
#include "store/reserved_event.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

using store::OutsideEvent;

std::string media_of(const Call& call) {
    const std::string* type = http::find_header(call.request.headers, "Content-Type");
    if (type == nullptr) return "application/json";
    std::string media = type->substr(0, type->find(';'));
    while (media.ends_with(' ')) media.pop_back();
    std::transform(media.begin(), media.end(), media.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    return media;
}

json::value parse_body(const Call& call) {
    if (call.request.body.empty()) {
        refuse(400, "invalid_json", "the body is empty; an event or a list of events is expected");
    }
    JsonLimits limits;
    limits.bytes_max = call.request.body.size();
    auto parsed = parse_exact_json(call.request.body, limits);
    if (!parsed) refuse(400, "invalid_json", parsed.error().message);
    return std::move(*parsed);
}

// What every form must keep to. Lengths are in bytes: they are those of an index.
void check(const OutsideEvent& event, std::vector<ProblemPlace>& places, const Body& body) {
    const auto at_most = [&](std::string_view key, const std::string& text, std::size_t max) {
        if (text.size() <= max) return;
        places.push_back({body.pointer_to(key), "", fmt::format("must have at most {} bytes", max)}
        );
    };
    at_most(event.source.empty() ? "name" : "type", event.name, store::outside_name_max);
    at_most("id", event.id, store::outside_id_max);
    at_most("key", event.key, store::outside_key_max);
    at_most("subject", event.subject, store::outside_key_max);
    if (store::is_reserved_event(event.name)) {
        const char* key = event.source.empty() ? "name" : "type";
        places.push_back({body.pointer_to(key), "", store::reserved_event_problem(event.name)});
    }
}

OutsideEvent read_plain(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer
) {
    Body body(object, places, pointer);
    OutsideEvent event;
    event.id = body.text("id", store::outside_id_max).value_or("");
    const auto name = body.text("name", store::outside_name_max);
    if (name) {
        event.name = *name;
    } else if (!object.contains("name") || object.at("name").is_null()) {
        body.wrong("name", "is required");
    }
    event.subject = body.text("subject", store::outside_key_max).value_or("");
    event.key = body.text("key", store::outside_key_max).value_or(event.subject);
    if (const json::value* data = body.any("data")) event.data = *data;
    body.refuse_unknown();
    check(event, places, body);
    return event;
}

// A CloudEvent is one of its source; an id alone may come from two of them.
void name_source(OutsideEvent& event) {
    const std::string whole = event.source + "/" + event.id;
    event.id = whole.size() <= store::outside_id_max ? whole : "sha256:" + hex_of(sha256(whole));
}

void read_time(OutsideEvent& event, std::optional<std::string> text, Body& body) {
    if (!text) return;
    event.time = parse_rfc3339(*text);
    if (!event.time) body.wrong("time", "must be a time like 2026-01-31T09:00:00Z");
}

OutsideEvent read_cloud_event(
    const json::object& object, std::vector<ProblemPlace>& places, const std::string& pointer
) {
    Body body(object, places, pointer);
    OutsideEvent event;
    const auto required = [&](std::string_view key, std::size_t max) {
        const auto text = body.text(key, max);
        if (!text && (!object.contains(key) || object.at(key).is_null())) {
            body.wrong(key, "is required in a CloudEvent");
        }
        return text.value_or("");
    };
    const std::string version = required("specversion", 10);
    if (!version.empty() && version != "1.0") body.wrong("specversion", "must be 1.0");
    event.id = required("id", store::outside_id_max);
    event.source = required("source", store::outside_key_max);
    event.name = required("type", store::outside_name_max);
    event.subject = body.text("subject", store::outside_key_max).value_or("");
    event.key = body.text("partitionkey", store::outside_key_max).value_or(event.subject);
    read_time(event, body.text("time", 40), body);
    if (const json::value* data = body.any("data")) {
        event.data = *data;
    } else if (const auto encoded = body.text("data_base64", 1 << 20)) {
        event.data = json::object{{"base64", *encoded}};
    }
    check(event, places, body);
    name_source(event);
    return event;
}

// The headers as the structured form would have them.
json::object binary_attributes(const Call& call) {
    constexpr std::string_view prefix = "ce-";
    json::object attributes;
    for (const http::Header& header : call.request.headers) {
        std::string name = header.name;
        std::transform(name.begin(), name.end(), name.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
        });
        if (!name.starts_with(prefix)) continue;
        attributes[name.substr(prefix.size())] = header.value;
    }
    return attributes;
}

OutsideEvent read_binary(const Call& call, std::vector<ProblemPlace>& places) {
    json::object attributes = binary_attributes(call);
    attributes.erase("data");
    const std::string media = media_of(call);
    const bool is_json = media == "application/json" || media.ends_with("+json");
    if (!call.request.body.empty()) {
        // What is not JSON comes as the text it is.
        attributes["data"] = is_json ? parse_body(call) : json::value(call.request.body);
        if (!is_json && !parse_json(json::serialize(attributes.at("data")))) {
            refuse(400, "invalid_body", "the body is neither JSON nor UTF-8 text without U+0000");
        }
    }
    std::vector<ProblemPlace> wrong;
    OutsideEvent event = read_cloud_event(attributes, wrong, "");
    for (ProblemPlace& place : wrong) {
        places.push_back({"", "ce-" + place.pointer.substr(1), std::move(place.detail)});
    }
    return event;
}

using Reader =
    OutsideEvent (*)(const json::object&, std::vector<ProblemPlace>&, const std::string& pointer);

void read_list(
    const json::array& list,
    Reader reader,
    IncomingEvents& incoming,
    std::vector<ProblemPlace>& places
) {
    incoming.list = true;
    if (list.empty() || list.size() > incoming_events_max) {
        refuse_places(
            fmt::format("a list must hold 1 to {} events", incoming_events_max),
            {{"", "", "holds " + counted(list.size(), "event")}}
        );
    }
    for (std::size_t i = 0; i < list.size() && places.size() < 50; ++i) {
        const std::string pointer = fmt::format("/{}", i);
        if (list[i].is_object()) {
            incoming.events.push_back(reader(list[i].get_object(), places, pointer));
        } else {
            places.push_back({pointer, "", "must be an object"});
        }
    }
}

IncomingEvents read_any(const Call& call, std::vector<ProblemPlace>& places) {
    IncomingEvents incoming;
    const std::string media = media_of(call);
    if (http::find_header(call.request.headers, "ce-specversion") != nullptr) {
        incoming.events.push_back(read_binary(call, places));
        return incoming;
    }
    const bool cloud = media == "application/cloudevents+json";
    const bool batch = media == "application/cloudevents-batch+json";
    if (!cloud && !batch && media != "application/json") {
        refuse(
            415,
            "unsupported_media_type",
            "the body must be application/json or a CloudEvent (application/cloudevents+json, "
            "application/cloudevents-batch+json, or ce-* headers), not '" +
                media + "'"
        );
    }
    const json::value body = parse_body(call);
    const Reader reader = cloud || batch ? read_cloud_event : read_plain;
    if (body.is_array() && !cloud) {
        read_list(body.get_array(), reader, incoming, places);
    } else if (body.is_object() && !batch) {
        incoming.events.push_back(reader(body.get_object(), places, ""));
    } else {
        refuse_places(
            batch ? "the body must be a list of CloudEvents" : "the body must be an event",
            {{"", "", batch ? "must be a list" : "must be an object"}}
        );
    }
    return incoming;
}

}  // namespace

IncomingEvents read_events(const Call& call) {
    std::vector<ProblemPlace> places;
    IncomingEvents incoming = read_any(call, places);
    refuse_if_wrong(std::move(places));
    for (std::size_t i = 0; i < incoming.events.size(); ++i) {
        OutsideEvent& event = incoming.events[i];
        event.tenant = call.principal.tenant;
        if (!event.id.empty()) continue;
        event.id = call.idempotency_key.empty()
                       ? to_string(fresh_id())
                       : fmt::format("idempotency:{}:{}", call.idempotency_key, i);
    }
    return incoming;
}

}  // namespace pawl::api
