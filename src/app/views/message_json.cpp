#include "app/views/message_json.hpp"

#include "app/views/json_parts.hpp"
#include "app/views/run_json.hpp"
#include "connect/sms_parts.hpp"

namespace pawl::app {

json::object to_json(const store::Message& message) {
    json::object out;
    out["id"] = to_string(message.id);
    out["test"] = message.test;
    out["run_id"] = message.test ? json::value() : json::value(to_string(message.run));
    out["workflow"] = text_or_null(message.workflow);
    out["version"] = message.version;
    out["node"] = message.node;
    out["person"] = text_or_null(message.person);
    out["channel"] = message.channel;
    out["connector"] = text_or_null(message.connector);
    out["account"] = text_or_null(message.account);
    out["template"] = text_or_null(message.message_template);
    out["template_version"] = number_or_null(message.template_version);
    out["variant"] = text_or_null(message.variant);
    out["category"] = message.category;
    out["address"] = text_or_null(message.address);
    out["external_id"] = text_or_null(message.external_id);
    out["state"] = message.state;
    out["reason"] = text_or_null(message.reason);
    out["error"] = text_or_null(message.error);
    out["created_at"] = to_rfc3339(message.created_at);
    out["sent_at"] = time_or_null(message.sent_at);
    out["delivered_at"] = time_or_null(message.delivered_at);
    out["opened_at"] = time_or_null(message.opened_at);
    out["machine_opened_at"] = time_or_null(message.machine_opened_at);
    out["clicked_at"] = time_or_null(message.clicked_at);
    out["bounced_at"] = time_or_null(message.bounced_at);
    out["complained_at"] = time_or_null(message.complained_at);
    out["failed_at"] = time_or_null(message.failed_at);
    out["unsubscribed_at"] = time_or_null(message.unsubscribed_at);
    out["replied_at"] = time_or_null(message.replied_at);
    return out;
}

json::object to_json(const ShownMessage& message) {
    json::object out = to_json(message.message);
    json::array& facts = out["facts"].emplace_array();
    for (const store::FactShown& fact : message.facts) {
        json::object one;
        one["kind"] = fact.kind;
        one["at"] = to_rfc3339(fact.at);
        one["received_at"] = to_rfc3339(fact.received_at);
        one["machine"] = fact.machine;
        one["connector"] = fact.connector;
        one["account"] = fact.account;
        one["provider_event_id"] = fact.provider_event_id;
        one["detail"] = fact.detail;
        facts.push_back(std::move(one));
    }
    return out;
}

json::object to_json(const store::MessageTemplate& one) {
    json::object out;
    out["name"] = one.name;
    out["version"] = one.version;
    out["category"] = one.category;
    out["languages"] = one.languages;
    out["created_at"] = to_rfc3339(one.created_at);
    return out;
}

json::object to_json(const store::TemplateSummary& one) {
    json::object out;
    out["name"] = one.name;
    out["version"] = one.version;
    out["category"] = one.category;
    out["languages"] = one.languages;
    out["created_at"] = to_rfc3339(one.created_at);
    return out;
}

json::object to_json(const TestSent& sent) {
    json::object out;
    out["message"] = to_string(sent.message);
    out["state"] = sent.state;
    out["connector"] = sent.connector;
    out["account"] = sent.account;
    out["external_id"] = text_or_null(sent.external_id);
    out["error"] = text_or_null(sent.error);
    out["preview"] = to_json(sent.filled);
    return out;
}

json::object to_json(const Preview& preview) {
    json::object out;
    out["version"] = preview.version;
    out["language"] = preview.language;
    out["category"] = preview.category;
    out["content"] = preview.content;
    json::value& sms = out["sms"];
    if (const auto* text = preview.content.if_contains("text"); text && text->is_string()) {
        const auto parts = connect::count_sms(text->get_string());
        sms = json::object{{"encoding", parts.encoding()}, {"parts", parts.parts}};
    }
    return out;
}

json::object to_json(const store::Suppression& one) {
    json::object out;
    out["channel"] = one.channel;
    out["address"] = one.address;
    out["reason"] = one.reason;
    out["at"] = to_rfc3339(one.at);
    return out;
}

json::object to_json(const store::MessagePolicy& one) {
    const auto part = [&](std::string_view key) {
        const json::value* value = one.policy.if_contains(key);
        return value == nullptr ? json::value() : *value;
    };
    json::object out;
    out["channel"] = one.channel;
    out["timezone"] = part("timezone");
    json::value& quiet = out["quiet_hours"];
    if (!part("quiet_from").is_null()) {
        quiet = json::object{{"from", part("quiet_from")}, {"to", part("quiet_to")}};
    }
    json::value& cap = out["cap"];
    if (!part("cap_count").is_null()) {
        cap = json::object{{"count", part("cap_count")}, {"seconds", part("cap_seconds")}};
    }
    out["holdout"] = part("holdout");
    out["updated_at"] = to_rfc3339(one.updated_at);
    return out;
}

json::object to_json(const store::Person& person) {
    json::object out;
    out["key"] = person.key;
    out["attributes"] = person.attributes;
    out["addresses"] = person.addresses;
    out["locale"] = text_or_null(person.locale);
    out["timezone"] = text_or_null(person.timezone);
    const bool here = person.created_at != Instant{};
    out["created_at"] = here ? json::value(to_rfc3339(person.created_at)) : json::value();
    out["updated_at"] = here ? json::value(to_rfc3339(person.updated_at)) : json::value();
    return out;
}

json::object to_json(const ShownPerson& person) {
    json::object out = to_json(person.person);
    out["source"] = text_or_null(person.source);
    json::array& unsubscribed = out["unsubscribed"].emplace_array();
    for (const store::Unsubscribed& one : person.unsubscribed) {
        unsubscribed.push_back(json::object{
            {"channel", one.channel}, {"category", one.category}, {"at", to_rfc3339(one.at)}});
    }
    return out;
}

json::object to_json(const TimelineEntry& entry) {
    json::object out;
    out["at"] = to_rfc3339(at(entry));
    if (const auto* run = std::get_if<store::RunSummary>(&entry)) {
        out["type"] = "run";
        out["run_id"] = to_string(run->id);
        out["workflow"] = run->workflow;
        out["version"] = run->version;
        out["status"] = run->status;
        out["closed_at"] = time_or_null(run->closed_at);
        return out;
    }
    const auto& item = std::get<store::PersonItem>(entry);
    out["type"] = item.place.kind;
    for (const auto& [key, value] : item.entry) out[key] = value;
    return out;
}

}  // namespace pawl::app
