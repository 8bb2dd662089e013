#include "app/messages/template_uses.hpp"

#include "app/messages/partials.hpp"
#include "app/messages/template_check.hpp"
#include "app/refusal.hpp"
#include "model/person_root.hpp"
#include "model/template.hpp"
#include "steps/message_content.hpp"

#include <fmt/core.h>

#include <deque>

namespace pawl::app {

namespace {

constexpr std::size_t name_bytes_max = 200;
// What a preview has in place of what only a message that is sent can have.
constexpr std::string_view sample_url = "https://example.com/unsubscribe";
constexpr std::string_view sample_preferences = "https://example.com/preferences";
constexpr std::string_view sample_id = "00000000-0000-8000-8000-000000000000";

Error no_template(const std::string& name) {
    return not_found(fmt::format("there is no template '{}'; GET /v1/templates lists them", name))
        .with("template", name);
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

// The newest versions of the templates that contents include, and of those that these include.
struct Partials {
    std::map<std::string, json::object> contents;
    std::map<std::string, std::int32_t> versions;
};
constexpr std::size_t partials_max = 100;

asio::awaitable<Partials> find_partials(
    TemplateUses& uses, store::TenantId tenant, json::object languages
) {
    Partials found;
    const auto asked = partials_in(json::value(std::move(languages)));
    std::deque<std::string> names(asked.begin(), asked.end());
    while (!names.empty() && found.contents.size() < partials_max) {
        const std::string name = names.front();
        names.pop_front();
        if (found.contents.contains(name)) continue;
        auto part = co_await uses.templates.find(tenant, name, std::nullopt);
        if (!part) continue;
        for (const std::string& next : partials_in(json::value(as_written(part->languages)))) {
            names.push_back(next);
        }
        found.versions[name] = part->version;
        found.contents[name] = std::move(part->languages);
    }
    co_return found;
}

// The contents with their partials, or what is wrong with them.
Result<json::object> filled(const TemplateParams& params, const Partials& partials) {
    Included included = include_partials(params.languages, partials.contents);
    if (!included.problems.empty()) return wrong_places(std::move(included.problems));
    if (partials.contents.contains(params.name)) {
        return wrong_at(
            fmt::format("the template '{}' would include itself", params.name),
            "/languages",
            "includes the template itself, or one that does"
        );
    }
    auto problems = template_problems(included.languages);
    if (!problems.empty()) return wrong_places(std::move(problems));
    return with_written(std::move(included.languages), params.languages);
}

// The templates that have it as a partial, by name.
asio::awaitable<std::vector<store::MessageTemplate>> find_users(
    TemplateUses& uses, store::TenantId tenant, std::string name
) {
    std::vector<store::MessageTemplate> users;
    for (const std::string& one : co_await uses.templates.with_partials(tenant)) {
        auto found = co_await uses.templates.find(tenant, one, std::nullopt);
        if (!found) continue;
        found->languages = as_written(std::move(found->languages));
        if (partials_in(json::value(found->languages)).contains(name)) {
            users.push_back(std::move(*found));
        }
    }
    co_return users;
}

// The templates that include one could not go on with these contents of it: why.
asio::awaitable<std::optional<Error>> find_stranded(
    TemplateUses& uses, store::TenantId tenant, std::string name, json::object contents
) {
    for (const store::MessageTemplate& user : co_await find_users(uses, tenant, name)) {
        Partials partials = co_await find_partials(uses, tenant, user.languages);
        partials.contents[name] = contents;
        const auto included = include_partials(user.languages, partials.contents);
        if (included.problems.empty()) continue;
        const std::string& problem = included.problems.front().detail;
        co_return wrong_at(
            fmt::format("the template '{}' {}", user.name, problem),
            "/languages",
            fmt::format("has not what '{}' includes", user.name)
        );
    }
    co_return std::nullopt;
}

// Also of those that include it, whose names are what they were.
asio::awaitable<Result<store::TemplateSaved>> save_template(
    TemplateUses& uses, store::TenantId tenant, TemplateParams params
) {
    Partials partials = co_await find_partials(uses, tenant, params.languages);
    std::optional<store::TemplateSaved> saved;
    while (true) {
        auto contents = filled(params, partials);
        if (!contents) co_return contents.error();
        if (auto stranded = co_await find_stranded(uses, tenant, params.name, *contents)) {
            co_return std::move(*stranded);
        }
        const auto one =
            co_await uses.templates.put(tenant, params.name, params.category, std::move(*contents));
        saved = {one.version, one.changed || (saved && saved->changed)};
        // A partial that was saved meanwhile did not see this template.
        Partials now = co_await find_partials(uses, tenant, params.languages);
        if (now.versions == partials.versions) break;
        partials = std::move(now);
    }
    if (!saved->changed) co_return *saved;
    for (store::MessageTemplate& user : co_await find_users(uses, tenant, params.name)) {
        TemplateParams again{user.name, user.category, std::move(user.languages)};
        auto done = co_await save_template(uses, tenant, std::move(again));
        if (!done) {
            co_return Error{
                Errc::conflict,
                fmt::format(
                    "'{}' is saved, and '{}', which includes it, is not: {}",
                    params.name,
                    user.name,
                    done.error().message
                ),
                {}};
        }
    }
    co_return *saved;
}

}  // namespace

asio::awaitable<Result<store::TemplateSaved>> put_template(
    TemplateUses& uses, store::TenantId tenant, TemplateParams params
) {
    if (params.name.empty() || params.name.size() > name_bytes_max) {
        const char* detail = "must have 1 to 200 bytes";
        co_return wrong_at(fmt::format("the name {}", detail), "/name", detail);
    }
    if (auto wrong = wrong_label("name", params.name)) co_return std::move(*wrong);
    if (!params.category.empty()) {
        if (auto wrong = wrong_label("category", params.category)) co_return std::move(*wrong);
    }
    co_return co_await save_template(uses, tenant, std::move(params));
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
        co_return not_found(fmt::format("template '{}' has no version {}", name, *version))
            .with("template", name)
            .with("version", std::to_string(*version));
    co_return no_template(name);
}

asio::awaitable<Result<void>> remove_template(
    TemplateUses& uses, store::TenantId tenant, std::string name
) {
    const auto users = co_await find_users(uses, tenant, name);
    if (!users.empty()) {
        co_return refusal(
            Errc::conflict,
            "template_included",
            fmt::format("the template '{}' includes '{}'", users.front().name, name)
        )
            .with("template", name)
            .with("by", users.front().name);
    }
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
    const auto partials = co_await find_partials(uses, tenant, params.languages);
    auto contents = filled({params.name, "", std::move(params.languages)}, partials);
    if (!contents) co_return contents.error();
    store::MessageTemplate written;
    written.version = 0;
    written.languages = std::move(*contents);
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
