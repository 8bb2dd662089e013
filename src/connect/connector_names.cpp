#include "base/json.hpp"
#include "connect/connector_reader.hpp"
#include "connect/shape.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::connect {

namespace {

using Names = std::vector<std::string_view>;

class NameCheck {
public:
    NameCheck(const Connector& connector, Problems& problems)
        : connector_(connector), problems_(problems) {}

    void look_at(std::string_view place, const std::vector<std::string>& templates, Names roots) {
        for (const std::string& text : templates) {
            const auto found = placeholders(json::value(text));
            if (!found) continue;
            for (const Placeholder& placeholder : *found) check(place, placeholder, roots);
        }
    }

    void credential(std::string_view place, std::string_view name) {
        if (name.empty()) return;
        Names known;
        for (const AccountField& field : connector_.credentials) known.push_back(field.name);
        expect(place, fmt::format("credentials.{}", name), name, known);
    }

private:
    void check(std::string_view place, const Placeholder& placeholder, const Names& roots) {
        const std::string& root = placeholder.path.front().key;
        if (std::find(roots.begin(), roots.end(), root) == roots.end()) {
            std::string hint = suggest(root, roots);
            if (hint.empty()) hint = fmt::format(": known here are {}", fmt::join(roots, ", "));
            problems_.add(
                0, place, fmt::format("'{}' begins with an unknown name{}", placeholder.text, hint)
            );
            return;
        }
        if (placeholder.path.size() < 2) return;
        const std::string& name = placeholder.path[1].key;
        if (root == "credentials") credential(place, name);
        if (root != "settings") return;
        Names known{"base_url"};
        for (const AccountField& field : connector_.settings) known.push_back(field.name);
        expect(place, placeholder.text, name, known);
    }

    void expect(
        std::string_view place, std::string_view text, std::string_view name, const Names& known
    ) {
        if (std::find(known.begin(), known.end(), name) != known.end()) return;
        const std::string hint = suggest(name, known);
        problems_.add(
            0,
            place,
            fmt::format("'{}' is not declared{}", text, hint.empty() ? ": declare it" : hint)
        );
    }

    const Connector& connector_;
    Problems& problems_;
};

void check_request(const Connector& connector, NameCheck& check) {
    const Names roots{
        "credentials",
        "settings",
        "message",
        "to",
        "content",
        "person",
        "email",
        "sms",
        "access_token"};
    const RequestShape& request = connector.request;
    check.look_at("request.url", {request.url}, roots);
    check.look_at("request.auth", {request.bearer, request.username, request.password}, roots);
    for (const auto& [name, value] : request.headers)
        check.look_at("request.headers." + name, {value}, roots);
    check.look_at("request.body", templates_in(request.body), roots);
    check.credential("request.sign", request.sign_with);
    if (connector.token)
        check.credential("token.service_account", connector.token->service_account);
    if (!connector.mail) return;
    const MailShape& mail = *connector.mail;
    check.look_at("mail", {mail.url, mail.username, mail.password}, {"credentials", "settings"});
}

void check_inquiry(const InquiryShape& inquiry, NameCheck& check) {
    const Names roots{"credentials", "settings", "message", "to"};
    const RequestShape& request = inquiry.request;
    check.look_at("reconcile.request.url", {request.url}, roots);
    check.look_at(
        "reconcile.request.auth", {request.bearer, request.username, request.password}, roots
    );
    for (const auto& [name, value] : request.headers)
        check.look_at("reconcile.request.headers." + name, {value}, roots);
    check.look_at("reconcile.request.body", templates_in(request.body), roots);
    const Names answer{"status", "headers", "body"};
    for (const AnswerRule& rule : inquiry.answers) {
        check.look_at("reconcile.answers", rule.id.templates(), answer);
        check.look_at("reconcile.answers", rule.when.templates(), answer);
    }
    check.look_at("reconcile.found.list", inquiry.list.templates(), {"body"});
    for (const Sources* sources : {&inquiry.id, &inquiry.text, &inquiry.at})
        check.look_at("reconcile.found", sources->templates(), {"item"});
}

void check_hooks(const HookShape& hooks, NameCheck& check) {
    const Names roots{"event", "body", "headers", "query"};
    check.credential("hooks.secret", hooks.secret);
    check.look_at("hooks.events", hooks.events.templates(), {"body"});
    const std::initializer_list<std::pair<const char*, const Sources*>> all{
        {"hooks.id", &hooks.id},
        {"hooks.word", &hooks.word},
        {"hooks.external_id", &hooks.external_id},
        {"hooks.message_id", &hooks.message_id},
        {"hooks.address", &hooks.address},
        {"hooks.at", &hooks.at},
        {"hooks.machine", &hooks.machine}};
    for (const auto& [place, sources] : all) check.look_at(place, sources->templates(), roots);
    for (const auto& [key, sources] : hooks.detail)
        check.look_at("hooks.detail." + key, sources.templates(), roots);
    for (const auto& [word, rules] : hooks.words) {
        for (const WordRule& rule : rules) {
            check.look_at("hooks.words." + word, rule.when.templates(), roots);
            check.look_at("hooks.words." + word, rule.address.templates(), roots);
        }
    }
}

}  // namespace

void check_names(const Connector& connector, Problems& problems) {
    NameCheck check(connector, problems);
    check_request(connector, check);
    const Names answer{"status", "headers", "body", "text"};
    for (std::size_t i = 0; i < connector.answers.size(); ++i) {
        const AnswerRule& rule = connector.answers[i];
        check.look_at(fmt::format("answers[{}].id", i), rule.id.templates(), answer);
        check.look_at(fmt::format("answers[{}].when", i), rule.when.templates(), answer);
    }
    check.look_at("errors.code", connector.error_code.templates(), answer);
    check.look_at("errors.message", connector.error_message.templates(), answer);
    if (connector.hooks) check_hooks(*connector.hooks, check);
    if (connector.inquiry) check_inquiry(*connector.inquiry, check);
    if (!connector.batch) return;
    check.look_at("batch.needs", connector.batch->needs.templates(), {"credentials", "settings"});
    check.look_at("batch.found.list", connector.batch->list.templates(), {"body"});
    check.look_at("batch.found.id", connector.batch->id.templates(), {"item"});
}

}  // namespace pawl::connect
