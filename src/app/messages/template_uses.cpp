#include "app/messages/template_uses.hpp"

#include "app/messages/template_check.hpp"
#include "app/refusal.hpp"
#include "model/person_root.hpp"
#include "model/template.hpp"
#include "steps/message_content.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

constexpr std::size_t name_bytes_max = 200;
// What a preview has in place of what only a message that is sent can have.
constexpr std::string_view sample_url = "https://example.com/unsubscribe";
constexpr std::string_view sample_preferences = "https://example.com/preferences";
constexpr std::string_view sample_id = "00000000-0000-8000-8000-000000000000";

Error no_template(const std::string& name) {
    return not_found(fmt::format("there is no template '{}'; GET /v1/templates lists them", name));
}

// Whatever the content asks for beside the person, by path as a step has it.
json::object known_of(const json::value& content, const json::value& trigger) {
    json::object roots;
    roots["unsubscribe_url"] = sample_url;
    roots["preferences_url"] = sample_preferences;
    roots["message"] = json::object{{"id", sample_id}};
    roots[trigger_root] = trigger;
    const json::value all(std::move(roots));
    json::object known;
    const auto found = placeholders(content);
    if (!found) return known;
    for (const Placeholder& one : *found) {
        if (const json::value* value = walk(&all, one.path)) known[text_of(one.path)] = *value;
    }
    return known;
}

}  // namespace

asio::awaitable<Result<store::TemplateSaved>> put_template(
    TemplateUses& uses, store::TenantId tenant, TemplateParams params
) {
    if (params.name.empty() || params.name.size() > name_bytes_max) {
        const char* detail = "must have 1 to 200 bytes";
        co_return wrong_at(fmt::format("the name {}", detail), "/name", detail);
    }
    auto problems = template_problems(params.languages);
    if (!problems.empty()) co_return wrong_places(std::move(problems));
    co_return co_await uses.templates.put(
        tenant, std::move(params.name), std::move(params.category), std::move(params.languages)
    );
}

asio::awaitable<Result<store::MessageTemplate>> find_template(
    TemplateUses& uses,
    store::TenantId tenant,
    std::string name,
    std::optional<std::int32_t> version
) {
    auto found = co_await uses.templates.find(tenant, name, version);
    if (found) co_return std::move(*found);
    if (version)
        co_return not_found(fmt::format("template '{}' has no version {}", name, *version));
    co_return no_template(name);
}

asio::awaitable<Result<void>> remove_template(
    TemplateUses& uses, store::TenantId tenant, std::string name
) {
    const bool found = co_await uses.templates.remove(tenant, name);
    if (!found) co_return no_template(name);
    co_return Result<void>();
}

namespace {

// What is filled: a template that is kept, or one that is being written.
asio::awaitable<Result<store::MessageTemplate>> to_fill(
    TemplateUses& uses, store::TenantId tenant, PreviewParams params
) {
    if (params.languages.empty()) {
        co_return co_await find_template(uses, tenant, params.name, params.version);
    }
    auto problems = template_problems(params.languages);
    if (!problems.empty()) co_return wrong_places(std::move(problems));
    store::MessageTemplate written;
    written.version = 0;
    written.languages = std::move(params.languages);
    co_return written;
}

}  // namespace

asio::awaitable<Result<Preview>> preview_template(
    TemplateUses& uses, store::TenantId tenant, PreviewParams params
) {
    auto found = co_await to_fill(uses, tenant, params);
    if (!found) co_return found.error();
    json::object user;
    if (!params.person.empty()) {
        std::vector<store::PersonKey> keys{{tenant, params.person}};
        auto people = co_await uses.persons.read(std::move(keys));
        if (people.empty() || !people[0]) {
            const char* detail = "is not the key of a person";
            co_return wrong_at(
                fmt::format("there is no person '{}'", params.person), "/person", detail
            );
        }
        user = std::move(*people[0]);
    }
    for (const auto& [key, value] : params.user) user[key] = value;
    std::string language = std::move(params.language);
    if (language.empty()) language = text_in(user, "locale");
    language = language_for(found->languages, language);
    const json::value content = found->languages[language];
    json::object step;
    if (!params.with.is_null()) step["with"] = std::move(params.with);
    steps::StepRequest request;
    request.templates = &step;
    request.known = known_of(content, params.trigger);
    auto rendered = steps::render_content(request, json::value(std::move(user)), content);
    if (!rendered) {
        co_return wrong_at(rendered.error().message, "", "is not enough to fill the template");
    }
    co_return Preview{found->version, language, found->category, std::move(rendered->content)};
}

}  // namespace pawl::app
