#include "connect/hook.hpp"

#include "base/canonical_json.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/utf8.hpp"
#include "base/webhook_secret.hpp"
#include "connect/form.hpp"
#include "connect/message_refusal.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::connect {

namespace {

constexpr std::size_t body_bytes_max = 4 << 20;
constexpr std::size_t text_bytes_max = 1000;

Error unreadable(std::string_view why) {
    return refusal("invalid_hook", "", why);
}

json::object to_object(const Form& form) {
    json::object object;
    for (const auto& [key, value] : form)
        object[as_utf8(key, text_bytes_max)] = as_utf8(value, body_bytes_max);
    return object;
}

json::object query_of(std::string_view url) {
    const std::size_t mark = url.find('?');
    if (mark == url.npos) return {};
    url = url.substr(mark + 1);
    const auto form = read_form(url.substr(0, url.find('#')));
    return form ? to_object(*form) : json::object();
}

// With U+0000, which cannot be kept, as '?', like in a form: a call has many events, and what a
// mail server or a person wrote into one of them must not lose the others.
std::string without_nulls(std::string_view body) {
    constexpr std::string_view null = "\\u0000";
    if (body.find(null) == body.npos) return std::string(body);
    std::string kept;
    kept.reserve(body.size());
    for (std::size_t i = 0; i < body.size(); ++i) {
        const bool escape = body[i] == '\\';
        const bool is_null = escape && body.substr(i, null.size()) == null;
        kept += is_null ? std::string_view("?") : body.substr(i, escape ? 2 : 1);
        if (escape) i += is_null ? null.size() - 1 : 1;
    }
    return kept;
}

Result<json::value> read_body(const HookShape& shape, const HookRequest& hook) {
    if (shape.form) {
        const auto form = read_form(hook.body);
        if (!form) return unreadable("the body is no form");
        return json::value(to_object(*form));
    }
    auto body = parse_json(without_nulls(hook.body), {.bytes_max = body_bytes_max});
    if (!body) return unreadable("the body is not JSON: " + body.error().message);
    return body;
}

Result<json::array> events_in(const HookShape& shape, const json::value& body) {
    json::value found = body;
    if (!shape.events.empty()) {
        Roots roots;
        roots.add("body", body);
        found = shape.events.value(roots);
        if (!found.is_array()) return unreadable("the body has no list of events");
    }
    if (found.is_array()) return std::move(found.get_array());
    if (!found.is_object()) return unreadable("the body is no event");
    return json::array{std::move(found)};
}

// "2026-01-31 09:00:00.5+00", as Postgres writes it, too.
std::optional<Instant> lenient_time(std::string text) {
    if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
    const std::size_t sign = text.find_last_of("+-");
    if (sign != text.npos && sign > 10 && text.size() - sign == 3) text += ":00";
    return parse_rfc3339(text);
}

Instant time_of(HookShape::Time form, const json::value& value, Instant now) {
    using std::chrono::milliseconds;
    constexpr std::int64_t milliseconds_max = 253402300799000;  // the year 9999
    constexpr auto ahead_max = std::chrono::hours(1);
    std::optional<Instant> at;
    if (form == HookShape::Time::rfc3339) {
        if (const auto* text = value.if_string()) at = lenient_time(std::string(*text));
    } else if (const auto number = whole_number(&value)) {
        const std::int64_t scale = form == HookShape::Time::seconds ? 1000 : 1;
        if (*number >= 0 && *number <= milliseconds_max / scale)
            at = Instant(milliseconds(*number * scale));
    }
    // A clock that is ahead must not make the message's times senseless.
    return at && *at <= now + ahead_max ? *at : now;
}

class EventReader {
public:
    EventReader(const HookShape& shape, const HookRequest& hook, const json::value& body)
        : shape_(shape),
          now_(hook.now),
          body_(body),
          headers_(headers_root(hook.headers)),
          query_(query_of(hook.url)),
          shared_id_(is_shared(shape.id)) {}

    std::optional<Fact> read(const json::value& event, bool alone) const {
        Roots roots;
        roots.add("event", event);
        roots.add("body", body_);
        roots.add("headers", headers_);
        roots.add("query", query_);
        const WordRule* rule = rule_for(roots);
        if (rule == nullptr || !rule->kind) return std::nullopt;
        Fact fact;
        fact.kind = *rule->kind;
        fact.provider_event_id = text(shape_.id, roots);
        // Without an id of its own it is known by what it says; so is each of several that share
        // the id of their delivery.
        if (fact.provider_event_id.empty()) {
            fact.provider_event_id = sha256_hex(canonical_json(event));
        } else if (!alone && shared_id_) {
            fact.provider_event_id += ":" + sha256_hex(canonical_json(event)).substr(0, 16);
        }
        fact.external_id = text(shape_.external_id, roots);
        if (!shape_.external_id_until.empty())
            fact.external_id.resize(
                std::min(fact.external_id.find(shape_.external_id_until), fact.external_id.size())
            );
        fact.message_id = text(shape_.message_id, roots);
        if (!parse_uuid(fact.message_id)) fact.message_id.clear();
        fact.address = text(rule->address.empty() ? shape_.address : rule->address, roots);
        fact.at = time_of(shape_.time, shape_.at.value(roots), now_);
        fact.machine = shape_.machine.value(roots) == true;
        if (fact.kind == FactKind::bounced) fact.detail["permanent"] = rule->permanent;
        for (const auto& [key, sources] : shape_.detail) {
            const std::string said = text(sources, roots);
            if (!said.empty()) fact.detail[key] = said;
        }
        return fact;
    }

private:
    static std::string text(const Sources& sources, const Roots& roots) {
        const json::value value = sources.value(roots);
        if (value.is_null() || value.is_structured()) return {};
        std::string out;
        append_text(out, value);
        return as_utf8(out, text_bytes_max);
    }

    const WordRule* rule_for(const Roots& roots) const {
        const auto found = shape_.words.find(text(shape_.word, roots));
        if (found == shape_.words.end()) return nullptr;
        for (const WordRule& rule : found->second) {
            if (rule.when.holds(roots)) return &rule;
        }
        return nullptr;
    }

    // Whether the id is that of the delivery, not of the event.
    static bool is_shared(const Sources& id) {
        const auto all = id.templates();
        return std::any_of(all.begin(), all.end(), [](const std::string& one) {
            return one.find("event.") == std::string::npos;
        });
    }

    const HookShape& shape_;
    Instant now_;
    const json::value& body_;
    json::value headers_;
    json::value query_;
    bool shared_id_;
};

}  // namespace

Result<std::vector<Fact>> read_hook(
    const Connector& connector, const Account& given, const HookRequest& hook
) {
    if (!connector.hooks)
        return refusal("invalid_hook", "", connector.title + " has no hooks", Errc::not_found);
    const HookShape& shape = *connector.hooks;
    auto account = open_account(connector, given, true);
    if (!account) return account.error();
    Duration window = shape.window;
    if (const json::value* own = account->settings.if_contains("webhook_window")) {
        if (const auto duration = duration_from_json(*own)) window = *duration;
    }
    const std::string_view secret = text_in(account->credentials, shape.secret);
    if (auto done = check_signature(shape.signing, secret, hook, window); !done)
        return done.error();
    if (hook.method != "POST") return unreadable("a hook is a POST");
    auto body = read_body(shape, hook);
    if (!body) return body.error();
    auto events = events_in(shape, *body);
    if (!events) return events.error();
    std::vector<Fact> facts;
    const EventReader reader(shape, hook, *body);
    for (const json::value& event : *events) {
        if (auto fact = reader.read(event, events->size() == 1)) facts.push_back(std::move(*fact));
    }
    return facts;
}

}  // namespace pawl::connect
