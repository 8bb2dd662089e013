#include "api/auth/principal.hpp"

#include "model/suggest.hpp"

#include <fmt/format.h>

#include <array>

namespace pawl::api {

namespace {

struct Named {
    Scope scope;
    std::string_view name;
};

constexpr std::array<Named, 10> scope_names{{
    {Scope::workflows_read, "workflows:read"},
    {Scope::workflows_write, "workflows:write"},
    {Scope::runs_read, "runs:read"},
    {Scope::runs_write, "runs:write"},
    {Scope::events_read, "events:read"},
    {Scope::events_write, "events:write"},
    {Scope::tasks_read, "tasks:read"},
    {Scope::tasks_write, "tasks:write"},
    {Scope::metrics_read, "metrics:read"},
    {Scope::admin, "admin"},
}};

}  // namespace

std::string_view name(Scope scope) {
    for (const Named& known : scope_names) {
        if (known.scope == scope) return known.name;
    }
    return "";
}

Result<Scope> parse_scope(std::string_view text) {
    std::vector<std::string_view> names;
    for (const Named& known : scope_names) {
        if (known.name == text) return known.scope;
        names.push_back(known.name);
    }
    std::string hint = suggest(text, names);
    if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
    return Error{Errc::invalid, fmt::format("unknown scope '{}'{}", text, hint), {}};
}

std::vector<std::string> ScopeSet::names() const {
    std::vector<std::string> names;
    for (const Named& known : scope_names) {
        if (contains(known.scope)) names.emplace_back(known.name);
    }
    return names;
}

std::string to_string(ScopeSet scopes) {
    return scopes.empty() ? "none" : fmt::format("{}", fmt::join(scopes.names(), ", "));
}

Result<ScopeSet> parse_scopes(const std::vector<std::string>& names) {
    ScopeSet scopes;
    for (const std::string& name : names) {
        const auto scope = parse_scope(name);
        if (!scope) return scope.error();
        scopes.add(*scope);
    }
    return scopes;
}

ScopeSet known_scopes(const std::vector<std::string>& names) {
    ScopeSet scopes;
    for (const std::string& name : names) {
        for (const Named& known : scope_names) {
            if (known.name == name) scopes.add(known.scope);
        }
    }
    return scopes;
}

Result<void> require(const Principal& principal, Scope scope) {
    if (principal.scopes.allows(scope)) return {};
    return Error{
        Errc::forbidden,
        fmt::format(
            "this needs the scope '{}'; yours: {}", name(scope), to_string(principal.scopes)
        ),
        {{"scope", std::string(name(scope))}}};
}

}  // namespace pawl::api
