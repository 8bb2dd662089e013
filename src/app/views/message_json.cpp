#include "app/views/message_json.hpp"

#include "app/messages/partials.hpp"
#include "app/views/json_parts.hpp"
#include "app/views/run_json.hpp"
#include "connect/sms_parts.hpp"

namespace pawl::app {

json::object to_json(const store::Message& message) {
    json::object out;
    out["id"] = to_string(message.id);
    out["test"] = message.test;
    out["run_id"] = message.test ? json::value() : json::value(to_string(message.run));
    PAWL_SHOW(
        out,
        message,
        (or_null, workflow),
        (shown, version, node),
        (or_null, person),
        (shown, channel),
        (or_null, connector, account)
    );
    out["template"] = or_null(message.message_template);
    PAWL_SHOW(
        out,
        message,
        (shown, template_version),
        (or_null, variant),
        (shown, category),
        (or_null, address, external_id),
        (shown, state),
        (or_null, reason, error),
        (shown,
         created_at,
         sent_at,
         delivered_at,
         opened_at,
         machine_opened_at,
         clicked_at,
         bounced_at,
         complained_at,
         failed_at,
         unsubscribed_at,
         replied_at)
    );
    return out;
}

json::object to_json(const ShownMessage& message) {
    json::object out = to_json(message.message);
    const SentContent& sent = message.sent;
    out["content"] = sent.missing.empty() ? json::value(sent.content) : json::value();
    out["content_missing"] = or_null(sent.missing);
    json::array& facts = out["facts"].emplace_array();
    for (const store::FactShown& fact : message.facts) {
        json::object one;
        PAWL_SHOW(
            one,
            fact,
            (shown, kind, at, received_at, machine, connector, account, provider_event_id, detail)
        );
        facts.push_back(std::move(one));
    }
    return out;
}

json::object to_json(const store::MessageTemplate& one) {
    json::object out;
    PAWL_SHOW(out, one, (shown, name, version, category, languages, created_at));
    out["languages"] = as_written(one.languages);
    return out;
}

json::object to_json(const store::TemplateSummary& one) {
    json::object out;
    PAWL_SHOW(out, one, (shown, name, version, category, languages, created_at));
    return out;
}

json::object to_json(const TestSent& sent) {
    json::object out;
    PAWL_SHOW(
        out, sent, (shown, message, state, connector, account), (or_null, external_id, error)
    );
    out["preview"] = to_json(sent.filled);
    return out;
}

json::object to_json(const Preview& preview) {
    json::object out;
    PAWL_SHOW(out, preview, (shown, version, language, category, content));
    json::value& sms = out["sms"];
    if (const auto* text = preview.content.if_contains("text"); text && text->is_string()) {
        const auto parts = connect::count_sms(text->get_string());
        sms = json::object{{"encoding", parts.encoding()}, {"parts", parts.parts}};
    }
    return out;
}

json::object to_json(const store::Suppression& one) {
    json::object out;
    PAWL_SHOW(out, one, (shown, channel, address, reason, at));
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
    PAWL_SHOW(out, person, (shown, key, attributes, addresses), (or_null, locale, timezone));
    const bool here = person.created_at != Instant{};
    out["created_at"] = here ? json::value(to_rfc3339(person.created_at)) : json::value();
    out["updated_at"] = here ? json::value(to_rfc3339(person.updated_at)) : json::value();
    return out;
}

json::object to_json(const ShownPerson& person) {
    json::object out = to_json(person.person);
    out["source"] = or_null(person.source);
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
        out["closed_at"] = shown(run->closed_at);
        return out;
    }
    const auto& item = std::get<store::PersonItem>(entry);
    out["type"] = item.place.kind;
    for (const auto& [key, value] : item.entry) out[key] = value;
    return out;
}

}  // namespace pawl::app
