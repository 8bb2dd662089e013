#include "connect/request.hpp"

#include "base/base64.hpp"
#include "base/canonical_json.hpp"
#include "base/ids.hpp"
#include "base/webhook_secret.hpp"
#include "connect/content.hpp"
#include "connect/form.hpp"
#include "connect/inquiry.hpp"
#include "connect/message_refusal.hpp"
#include "connect/shape.hpp"
#include "model/url_template.hpp"

#include <fmt/core.h>

namespace pawl::connect {

namespace {

constexpr std::size_t header_bytes_max = 8 << 10;

json::value message_root(const Outgoing& message, Prepared& prepared) {
    json::object root{
        {"id", message.message_id}, {"channel", message.channel}, {"at", to_rfc3339(message.at)}};
    if (!message.hook_url.empty()) {
        const char join = message.hook_url.find('?') == std::string::npos ? '?' : '&';
        root["hook_url"] =
            fmt::format("{}{}message={}", message.hook_url, join, message.message_id);
    }
    if (!message.unsubscribe_url.empty()) root["unsubscribe_url"] = message.unsubscribe_url;
    root["data"] = std::move(prepared.data);
    root["tags"] = std::move(prepared.tags);
    return root;
}

// What templates of a request see; owns what it does not borrow.
struct View {
    View(const Account& opened, const Outgoing& message, Prepared& prepared)
        : credentials(opened.credentials),
          settings(opened.settings),
          about(message_root(message, prepared)),
          access_token(message.access_token) {
        roots.add("credentials", credentials);
        roots.add("settings", settings);
        roots.add("message", about);
        roots.add("to", prepared.to);
        roots.add("content", prepared.content);
        roots.add("person", message.person);
        roots.add("email", prepared.email);
        roots.add("sms", prepared.sms);
        roots.add("access_token", access_token);
    }

    json::value credentials, settings, about, access_token;
    Roots roots;
};

Error unfit(std::string_view place, const Error& error) {
    return invalid_content(place, error.message);
}

Result<std::string> fill_text(const std::string& text, const Roots& roots, std::string_view place) {
    auto value = render(json::value(text), roots.lookup());
    if (!value) return unfit(place, value.error());
    std::string out;
    if (!value->is_null()) append_text(out, *value);
    return out;
}

Result<void> add_header(
    http::Headers& headers, const std::string& name, const std::string& text, const Roots& roots
) {
    const std::string place = "request.headers." + name;
    auto value = fill_text(text, roots, place);
    if (!value) return value.error();
    if (!http::is_field_value(*value) || value->size() > header_bytes_max)
        return invalid_content(place, "holds a control character, or is over 8 KiB");
    if (!value->empty()) headers.push_back({name, std::move(*value)});
    return {};
}

Result<void> add_auth(const RequestShape& shape, const Roots& roots, http::Headers& headers) {
    if (!shape.bearer.empty())
        return add_header(headers, "Authorization", "Bearer " + shape.bearer, roots);
    if (shape.username.empty()) return {};
    auto username = fill_text(shape.username, roots, "request.auth");
    if (!username) return username.error();
    auto password = fill_text(shape.password, roots, "request.auth");
    if (!password) return password.error();
    headers.push_back({"Authorization", "Basic " + to_base64(*username + ":" + *password)});
    return {};
}

Result<void> add_body(const RequestShape& shape, const Roots& roots, http::Request& request) {
    using Body = RequestShape::Body;
    if (shape.body_kind == Body::none) return {};
    auto body = fill_shape(shape.body, roots);
    if (!body) return unfit("request.body", body.error());
    if (shape.body_kind == Body::json) {
        request.headers.push_back({"Content-Type", "application/json"});
        request.body = canonical_json(*body);
        return {};
    }
    Form form;
    if (const auto* fields = body->if_object()) {
        for (const auto& [key, value] : *fields) {
            std::string text;
            append_text(text, value);
            form.emplace_back(key, std::move(text));
        }
    }
    request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
    request.body = write_form(form);
    return {};
}

// As Standard Webhooks says; without a secret only the id and the time.
Result<void> sign(
    const RequestShape& shape,
    const Account& account,
    const Outgoing& message,
    http::Request& request
) {
    if (shape.sign_with.empty()) return {};
    const auto seconds = std::chrono::floor<std::chrono::seconds>(message.at).time_since_epoch();
    request.headers.push_back({"webhook-id", message.message_id});
    request.headers.push_back({"webhook-timestamp", std::to_string(seconds.count())});
    const std::string_view secret = text_in(account.credentials, shape.sign_with);
    if (secret.empty()) return {};
    const auto key = webhook_key(secret);
    if (!key)
        return refusal(
            "invalid_account",
            "credentials." + shape.sign_with,
            "must be whsec_ and 24 to 64 bytes in base64"
        );
    request.headers.push_back(
        {"webhook-signature",
         webhook_signature(*key, message.message_id, seconds.count(), request.body)}
    );
    return {};
}

Result<http::Request> http_request(
    const Connector& connector, const Account& account, const Outgoing& message, const Roots& roots
) {
    auto request = fill_request(connector.request, account.settings, roots);
    if (!request) return request.error();
    if (auto done = sign(connector.request, account, message, *request); !done) return done.error();
    return request;
}

// What is needed to ask about it later.
void keep_for_inquiry(const Connector& connector, const Prepared& prepared, Call& call) {
    if (!connector.inquiry) return;
    if (const auto* to = prepared.to.if_string()) call.to = *to;
    if (connector.inquiry->text.empty()) return;
    const json::value* text =
        prepared.content.is_object() ? prepared.content.get_object().if_contains("text") : nullptr;
    if (text != nullptr && text->is_string()) call.text = text->get_string();
}

Result<http::Request> mail_request(
    const Connector& connector,
    const Account& account,
    const Outgoing& message,
    Email email,
    const Roots& roots
) {
    const MailShape& shape = *connector.mail;
    http::Request request;
    auto url = fill_text(shape.url, roots, "mail.url");
    if (!url) return url.error();
    if (!url->starts_with("smtp://") && !url->starts_with("smtps://"))
        return refusal("invalid_account", "mail.url", "must begin with smtp:// or smtps://");
    request.url = with_base(*url, account.settings);
    http::Mail& mail = request.mail.emplace(to_mail(std::move(email), message.at));
    auto user = fill_text(shape.username, roots, "mail.username");
    if (!user) return user.error();
    auto password = fill_text(shape.password, roots, "mail.password");
    if (!password) return password.error();
    mail.user = std::move(*user);
    mail.password = std::move(*password);
    const json::value* plain = account.settings.if_contains("plain");
    mail.needs_tls = plain == nullptr || *plain != true;
    return request;
}

}  // namespace

Result<http::Request> fill_request(
    const RequestShape& shape, const json::object& settings, const Roots& roots
) {
    http::Request request;
    request.method = shape.method;
    auto url = render_url(shape.url, roots.lookup());
    if (!url) return unfit("request.url", url.error());
    request.url = with_base(*url, settings);
    if (auto done = add_auth(shape, roots, request.headers); !done) return done.error();
    for (const auto& [name, text] : shape.headers) {
        if (auto done = add_header(request.headers, name, text, roots); !done) return done.error();
    }
    if (auto done = add_body(shape, roots, request); !done) return done.error();
    return request;
}

Result<Call> make_request(
    const Connector& connector, const Account& given, const Outgoing& message
) {
    if (!parse_uuid(message.message_id))
        return invalid_content("message_id", "must be a UUID: providers take nothing else");
    if (connector.token && message.access_token.empty())
        return refusal("invalid_account", "access_token", "is missing: ask for one first");
    auto account = open_account(connector, given);
    if (!account) return account.error();
    auto prepared = prepare(connector, *account, message);
    if (!prepared) return prepared.error();
    Call call;
    call.sms = prepared->parts;
    const View view(*account, message, *prepared);
    auto request = connector.mail
                       ? mail_request(connector, *account, message, *prepared->mail, view.roots)
                       : http_request(connector, *account, message, view.roots);
    if (!request) return request.error();
    if (connector.mail) call.external_id = message_id(*prepared->mail);
    keep_for_inquiry(connector, *prepared, call);
    call.request = std::move(*request);
    return call;
}

}  // namespace pawl::connect
