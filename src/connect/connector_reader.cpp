#include "connect/connector_reader.hpp"

#include "base/header_rules.hpp"
#include "base/json.hpp"
#include "connect/shape.hpp"
#include "http/message.hpp"
#include "model/channels.hpp"
#include "model/url_template.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace pawl::connect {

namespace {

constexpr std::array<std::pair<std::string_view, Replay>, 3> replays{
    {{"safe", Replay::safe}, {"reconcile", Replay::reconcile}, {"repeatable", Replay::repeatable}}};
constexpr std::array<std::pair<std::string_view, AddressKind>, 7> addresses{
    {{"any", AddressKind::any},
     {"email", AddressKind::email},
     {"phone", AddressKind::phone},
     {"line_user", AddressKind::line_user},
     {"reply_token", AddressKind::reply_token},
     {"push_token", AddressKind::push_token},
     {"url", AddressKind::url}}};
constexpr std::array<std::pair<std::string_view, ContentKind>, 5> contents{
    {{"any", ContentKind::any},
     {"email", ContentKind::email},
     {"sms", ContentKind::sms},
     {"line", ContentKind::line},
     {"push", ContentKind::push}}};
constexpr std::array<std::pair<std::string_view, bool>, 1> answer_forms{{{"json", true}}};
constexpr std::array<std::string_view, 5> methods{"GET", "POST", "PUT", "PATCH", "DELETE"};
constexpr WholeRange size_range{1, 100 << 20};

std::vector<std::string> read_texts(Fields& fields, std::string_view key) {
    std::vector<std::string> texts;
    const Document* list = fields.take(key);
    if (list == nullptr) return texts;
    if (list->kind != Document::Kind::list) fields.wrong(key, "must be a list of texts");
    for (const Document& item : list->items) {
        if (!item.is_text() || item.text().empty()) {
            fields.wrong(key, "must be a list of texts");
            break;
        }
        texts.emplace_back(item.text());
    }
    return texts;
}

std::vector<AccountField> read_account(Fields& fields, std::string_view key) {
    std::vector<AccountField> all;
    const Document* map = read_map(fields, key);
    if (map == nullptr) return all;
    for (const auto& member : map->members) {
        AccountField field;
        field.name = member.key;
        Fields inner(member.value, fmt::format("{}.{}", key, member.key), fields.problems());
        if (!is_identifier(member.key)) inner.wrong("must be named by letters, digits and _");
        field.required = read_flag(inner, "required");
        field.is_json = read_flag(inner, "json");
        field.aliases = read_texts(inner, "aliases");
        field.help = inner.text("help").value_or("");
        inner.finish();
        all.push_back(std::move(field));
    }
    return all;
}

ContentRules read_content(Fields& fields) {
    ContentRules rules;
    const Document* map = read_map(fields, "content");
    if (map == nullptr) return rules;
    Fields inner(*map, "content", fields.problems());
    rules.kind = read_word(inner, "kind", contents).value_or(ContentKind::any);
    const auto size = [&](std::string_view key, std::size_t& to) {
        if (const auto found = inner.whole(key, size_range)) to = static_cast<std::size_t>(*found);
    };
    size("chars_max", rules.chars_max);
    size("parts_max", rules.parts_max);
    size("messages_max", rules.messages_max);
    size("alt_chars_max", rules.alt_chars_max);
    size("bytes_max", rules.bytes_max);
    size("data_bytes_max", rules.data_bytes_max);
    rules.tags = read_flag(inner, "tags");
    inner.finish();
    return rules;
}

void read_auth(Fields& fields, RequestShape& shape) {
    const Document* map = read_map(fields, "auth");
    if (map == nullptr) return;
    Fields auth(*map, fields.path_of("auth"), fields.problems());
    shape.bearer = auth.template_text("bearer").value_or("");
    if (const Document* basic = read_map(auth, "basic")) {
        Fields inner(*basic, auth.path_of("basic"), fields.problems());
        shape.username = inner.template_text("username").value_or("");
        shape.password = inner.template_text("password").value_or("");
        if (shape.username.empty()) inner.wrong("username", "is missing");
        inner.finish();
    }
    auth.finish();
}

void read_headers(Fields& fields, RequestShape& shape) {
    const Document* map = read_map(fields, "headers");
    if (map == nullptr) return;
    Fields headers(*map, fields.path_of("headers"), fields.problems());
    for (const auto& member : map->members) {
        const auto value = headers.template_text(member.key);
        if (!http::is_token(member.key)) {
            headers.wrong(member.key, "is not the name of a header");
        } else if (const auto why = header_refusal(member.key); !why.empty()) {
            headers.wrong(member.key, why);
        } else if (value && !http::is_field_value(*value)) {
            headers.wrong(member.key, "holds a line end or another control character: remove it");
        } else if (value) {
            shape.headers.emplace_back(member.key, *value);
        }
    }
}

void read_body(Fields& fields, RequestShape& shape) {
    for (const auto& [key, kind] :
         std::initializer_list<std::pair<const char*, RequestShape::Body>>{
             {"json", RequestShape::Body::json}, {"form", RequestShape::Body::form}}) {
        const Document* body = fields.take(key);
        if (body == nullptr) continue;
        if (shape.body_kind != RequestShape::Body::none) fields.wrong(key, "stands beside json");
        shape.body_kind = kind;
        shape.body = to_json(*body);
        if (kind == RequestShape::Body::form && !shape.body.is_object())
            fields.wrong(key, "must be a map of fields");
        if (auto done = check_shape(shape.body, fields.path_of(key)); !done)
            fields.problems().add(body->line, "", done.error().message);
    }
}

}  // namespace

RequestShape read_request(const Document& map, std::string place, Problems& problems) {
    RequestShape shape;
    Fields fields(map, std::move(place), problems);
    shape.method = fields.text("method").value_or("POST");
    if (std::find(methods.begin(), methods.end(), shape.method) == methods.end())
        fields.wrong("method", "must be GET, POST, PUT, PATCH or DELETE");
    shape.url = fields.template_text("url").value_or("");
    const bool web = shape.url.starts_with("https://") || shape.url.starts_with("http://");
    if (shape.url.empty()) {
        fields.wrong("url", "is missing: write where the request goes");
    } else if (!web && !is_whole_placeholder(shape.url)) {
        fields.wrong("url", "must begin with https://, or be one placeholder such as {{ to }}");
    } else if (web && data_in_host(shape.url)) {
        fields.wrong("url", "has a placeholder in its host: settings.base_url sets another host");
    }
    read_auth(fields, shape);
    read_headers(fields, shape);
    read_body(fields, shape);
    if (shape.method == "GET" && shape.body_kind != RequestShape::Body::none)
        fields.wrong("method", "is GET, which has no body: leave out json and form");
    if (const Document* sign = read_map(fields, "sign")) {
        Fields inner(*sign, fields.path_of("sign"), problems);
        shape.sign_with = inner.text("standard_webhook").value_or("");
        inner.finish();
    }
    fields.finish();
    return shape;
}

namespace {

void read_ways(Fields& fields, Connector& connector) {
    const Document* request = read_map(fields, "request");
    const Document* mail = read_map(fields, "mail");
    if ((request == nullptr) == (mail == nullptr))
        fields.wrong("request", "is missing, or mail: one of them says how a message is sent");
    if (request != nullptr)
        connector.request = read_request(*request, "request", fields.problems());
    if (mail != nullptr) {
        Fields inner(*mail, "mail", fields.problems());
        MailShape& shape = connector.mail.emplace();
        shape.url = inner.template_text("url").value_or("");
        shape.username = inner.template_text("username").value_or("");
        shape.password = inner.template_text("password").value_or("");
        if (shape.url.empty()) inner.wrong("url", "is missing: smtp://host:587");
        if (connector.content.kind != ContentKind::email)
            inner.wrong("needs content: {kind: email}");
        inner.finish();
    }
    if (const Document* token = read_map(fields, "token")) {
        Fields inner(*token, "token", fields.problems());
        TokenShape& shape = connector.token.emplace();
        shape.service_account = inner.text("service_account").value_or("");
        shape.scope = inner.text("scope").value_or("");
        if (shape.scope.empty()) inner.wrong("scope", "is missing");
        inner.finish();
    }
}

void read_head(Fields& fields, Connector& connector) {
    connector.name = fields.text("name").value_or("");
    if (!is_identifier(connector.name))
        fields.wrong("name", "must be letters, digits, _ and -, and begin with a letter");
    connector.title = fields.text("title").value_or(connector.name);
    connector.channels = read_texts(fields, "channels");
    if (connector.channels.empty())
        fields.wrong("channels", "is missing: write for example [email]");
    for (const std::string& channel : connector.channels) {
        if (is_message_channel(channel)) continue;
        fields.wrong(
            "channels",
            fmt::format("must be some of {}, not {}", fmt::join(message_channels, ", "), channel)
        );
    }
    connector.account_of = fields.text("account_of").value_or(connector.name);
    connector.fallback = fields.text("fallback").value_or("");
    if (connector.fallback == connector.name)
        fields.wrong("fallback", "must be another connector, with the same accounts");
    connector.address = read_word(fields, "address", addresses).value_or(AddressKind::any);
    connector.replay = read_word(fields, "replay", replays).value_or(Replay::reconcile);
    connector.replay_window = fields.positive_duration("replay_window").value_or(Duration{});
    if (const Document* map = read_map(fields, "limits")) {
        Fields inner(*map, "limits", fields.problems());
        connector.per_second =
            static_cast<int>(inner.whole("per_second", {1, 1'000'000}).value_or(0));
        inner.finish();
    }
}

Connector read_connector(const Document& document, Problems& problems) {
    Connector connector;
    Fields fields(document, "", problems);
    if (problems.any()) return connector;
    read_head(fields, connector);
    connector.credentials = read_account(fields, "credentials");
    connector.settings = read_account(fields, "settings");
    connector.content = read_content(fields);
    read_ways(fields, connector);
    connector.answers = read_answers(fields);
    connector.json_answers = read_word(fields, "answers_in", answer_forms).value_or(false);
    if (connector.json_answers && connector.mail)
        fields.wrong("answers_in", "is for requests: a mail server answers in plain text");
    read_errors(fields, connector);
    if (const Document* hooks = read_map(fields, "hooks"))
        connector.hooks = read_hooks(*hooks, problems);
    if (const Document* inquiry = read_map(fields, "reconcile")) {
        connector.inquiry = read_inquiry(*inquiry, problems);
        if (connector.replay != Replay::reconcile)
            fields.wrong("reconcile", "is for replay: reconcile: other providers know repeats");
    }
    if (const Document* batch = read_map(fields, "batch"))
        connector.batch = read_batch(*batch, connector, problems);
    fields.finish();
    if (!problems.any()) check_names(connector, problems);
    return connector;
}

Result<Connector> read_whole(const Document& document) {
    Problems problems;
    Connector connector = read_connector(document, problems);
    if (problems.any()) return problems.first();
    return connector;
}

}  // namespace

std::string_view name(Replay replay) {
    for (const auto& [word, value] : replays) {
        if (value == replay) return word;
    }
    return {};
}

Result<Connector> parse_connector(std::string_view text) {
    auto document = read_document(text, DefinitionLimits{});
    if (!document) return document.error();
    return read_whole(*document);
}

Result<Connector> connector_from_json(const json::value& value) {
    return read_whole(document_from_json(value));
}

std::vector<Problem> connector_problems(std::string_view text) {
    auto document = read_document(text, DefinitionLimits{});
    if (!document) return {problem_of(document.error())};
    Problems problems;
    read_connector(*document, problems);
    return problems.all();
}

}  // namespace pawl::connect
