#include "base/json.hpp"
#include "connect/connector_reader.hpp"

#include <fmt/core.h>

#include <charconv>

// How the parts of a connector are read that look at what a provider says.
namespace pawl::connect {

namespace {

using Words = std::array<std::pair<std::string_view, Means>, 4>;
constexpr Words meanings{
    {{"accepted", Means::accepted},
     {"retry", Means::retry},
     {"refused", Means::refused},
     {"unknown", Means::unknown}}};
constexpr std::array<std::pair<std::string_view, Signing>, 6> signings{
    {{"line_hmac", Signing::line_hmac},
     {"svix", Signing::svix},
     {"sendgrid_ecdsa", Signing::sendgrid_ecdsa},
     {"twilio_hmac_sha1", Signing::twilio_hmac_sha1},
     {"bearer", Signing::bearer},
     {"standard_webhook", Signing::standard_webhook}}};
constexpr std::array<std::pair<std::string_view, HookShape::Time>, 3> times{
    {{"rfc3339", HookShape::Time::rfc3339},
     {"seconds", HookShape::Time::seconds},
     {"milliseconds", HookShape::Time::milliseconds}}};

// 200, or "5xx".
std::optional<std::pair<int, int>> read_status(const json::value& value) {
    if (const auto number = whole_number(&value)) {
        if (*number < 100 || *number > 599) return std::nullopt;
        return std::pair(static_cast<int>(*number), static_cast<int>(*number));
    }
    const auto* text = value.if_string();
    if (text == nullptr || text->size() != 3 || !text->ends_with("xx")) return std::nullopt;
    const int first = (*text)[0] - '0';
    if (first < 1 || first > 5) return std::nullopt;
    return std::pair(first * 100, first * 100 + 99);
}

void read_statuses(Fields& fields, AnswerRule& rule) {
    const Document* found = fields.take("status");
    if (found == nullptr) {
        fields.wrong("status", "is missing: write 200, 5xx, or a list of them");
        return;
    }
    const json::value value = to_json(*found);
    const json::array one{value};
    for (const json::value& item : value.is_array() ? value.get_array() : one) {
        if (const auto range = read_status(item)) {
            rule.status.push_back(*range);
        } else {
            fields.wrong("status", "must be 200, 5xx, or a list of them");
        }
    }
}

std::string missing_means(const Words& words) {
    return fmt::format(
        "is missing: {}, {}, {} or {}",
        words[0].first,
        words[1].first,
        words[2].first,
        words[3].first
    );
}

// What a refusal says besides.
void read_refusal(Fields& fields, AnswerRule& rule) {
    rule.code = fields.text("code").value_or("");
    rule.suppress = read_flag(fields, "suppress");
    rule.renew_token = read_flag(fields, "renew_token");
    rule.fallback = read_flag(fields, "fallback");
    if (rule.fallback && rule.means != Means::refused)
        fields.wrong("fallback", "is for what is refused");
}

WordRule read_word_rule(const Document& document, std::string path, Problems& problems) {
    constexpr std::string_view known =
        "must be sent, delivered, opened, clicked, bounced, complained, unsubscribed, failed, "
        "replied, followed or unfollowed, or nothing: no fact";
    WordRule rule;
    if (document.kind == Document::Kind::scalar) {
        if (document.scalar.is_null()) return rule;
        rule.kind = parse_fact_kind(document.text());
        if (!rule.kind) problems.add(document.line, path, known);
        return rule;
    }
    Fields fields(document, std::move(path), problems);
    if (const auto kind = fields.text("kind")) {
        rule.kind = parse_fact_kind(*kind);
        if (!rule.kind) fields.wrong("kind", known);
    }
    rule.when = read_match(fields, "when");
    rule.permanent = read_flag(fields, "permanent");
    rule.address = read_sources(fields, "address");
    fields.finish();
    return rule;
}

bool signs_time(Signing signing) {
    return signing == Signing::svix || signing == Signing::standard_webhook ||
           signing == Signing::sendgrid_ecdsa;
}

void read_words(Fields& fields, HookShape& hooks) {
    const Document* map = read_map(fields, "words");
    if (map == nullptr || map->members.empty()) {
        fields.wrong("words", "is missing: say what the provider's words mean");
        return;
    }
    for (const auto& member : map->members) {
        const std::string path = fmt::format("hooks.words.{}", member.key);
        std::vector<WordRule>& rules = hooks.words[member.key];
        if (member.value.kind != Document::Kind::list) {
            rules.push_back(read_word_rule(member.value, path, fields.problems()));
            continue;
        }
        for (std::size_t i = 0; i < member.value.items.size(); ++i) {
            rules.push_back(read_word_rule(
                member.value.items[i], fmt::format("{}[{}]", path, i), fields.problems()
            ));
        }
    }
}

template <class Parsed>
Parsed read_parsed(Fields& fields, std::string_view key) {
    const Document* found = fields.take(key);
    if (found == nullptr) return {};
    auto parsed = Parsed::parse(to_json(*found));
    if (parsed) return std::move(*parsed);
    fields.wrong(key, parsed.error().message);
    return {};
}

}  // namespace

const Document* read_map(Fields& fields, std::string_view key) {
    const Document* found = fields.take(key);
    if (found == nullptr) return nullptr;
    if (found->kind == Document::Kind::map) return found;
    fields.wrong(key, "must be a map of keys and values");
    return nullptr;
}

Sources read_sources(Fields& fields, std::string_view key) {
    return read_parsed<Sources>(fields, key);
}

Match read_match(Fields& fields, std::string_view key) {
    return read_parsed<Match>(fields, key);
}

bool read_flag(Fields& fields, std::string_view key) {
    const Document* found = fields.take(key);
    if (found == nullptr) return false;
    if (const bool* flag = found->scalar.if_bool()) return *flag;
    fields.wrong(key, "must be true or false");
    return false;
}

std::vector<AnswerRule> read_rules(Fields& fields, const RuleList& about) {
    std::vector<AnswerRule> rules;
    const Document* list = fields.take("answers");
    if (list == nullptr || list->kind != Document::Kind::list || list->items.empty()) {
        fields.wrong("answers", about.missing);
        return rules;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const std::string place = fmt::format("{}[{}]", about.place, i);
        Fields inner(list->items[i], place, fields.problems());
        AnswerRule rule;
        read_statuses(inner, rule);
        rule.when = read_match(inner, "when");
        const auto means = read_word(inner, "means", about.means);
        if (!means && !inner.has("means")) inner.wrong("means", missing_means(about.means));
        rule.means = means.value_or(about.otherwise);
        rule.id = read_sources(inner, "id");
        rule.after = inner.positive_duration("after");
        if (about.rest != nullptr) about.rest(inner, rule);
        inner.finish();
        rules.push_back(std::move(rule));
    }
    return rules;
}

std::vector<AnswerRule> read_answers(Fields& fields) {
    return read_rules(
        fields,
        {"answers",
         "is missing: a list of {status, means}, the first that fits counts",
         meanings,
         Means::refused,
         read_refusal}
    );
}

void read_errors(Fields& fields, Connector& connector) {
    const Document* map = read_map(fields, "errors");
    if (map == nullptr) return;
    Fields inner(*map, "errors", fields.problems());
    connector.error_code = read_sources(inner, "code");
    connector.error_message = read_sources(inner, "message");
    inner.finish();
}

HookShape read_hooks(const Document& map, Problems& problems) {
    HookShape hooks;
    Fields fields(map, "hooks", problems);
    const auto signing = read_word(fields, "signature", signings);
    if (!signing && !fields.has("signature"))
        fields.wrong("signature", "is missing: a hook that is not signed could come from anywhere");
    hooks.signing = signing.value_or(Signing::bearer);
    hooks.secret = fields.text("secret").value_or("");
    if (hooks.secret.empty()) fields.wrong("secret", "is missing: the name of a credential");
    hooks.window = fields.positive_duration("window").value_or(Duration{});
    if (hooks.window > Duration::zero() && !signs_time(hooks.signing))
        fields.wrong("window", "has no use: calls that are signed in this way say no time");
    const std::string body = fields.text("body").value_or("json");
    hooks.form = body == "form";
    if (body != "json" && body != "form") fields.wrong("body", "must be json or form");
    hooks.events = read_sources(fields, "events");
    hooks.id = read_sources(fields, "id");
    hooks.word = read_sources(fields, "word");
    if (hooks.word.empty()) fields.wrong("word", "is missing: where the event's type is");
    hooks.external_id = read_sources(fields, "external_id");
    hooks.external_id_until = fields.text("external_id_until").value_or("");
    hooks.message_id = read_sources(fields, "message_id");
    hooks.address = read_sources(fields, "address");
    hooks.at = read_sources(fields, "at");
    hooks.time = read_word(fields, "time", times).value_or(HookShape::Time::rfc3339);
    hooks.machine = read_sources(fields, "machine");
    read_words(fields, hooks);
    if (const Document* detail = read_map(fields, "detail")) {
        Fields inner(*detail, "hooks.detail", problems);
        for (const auto& member : detail->members)
            hooks.detail.emplace_back(member.key, read_sources(inner, member.key));
    }
    fields.finish();
    return hooks;
}

}  // namespace pawl::connect
