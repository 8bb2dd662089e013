#include "api/auth/roles.hpp"

#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

ScopeSet scopes_of_role(std::string_view role) {
    ScopeSet scopes;
    if (role == "admin") return {Scope::admin};
    if (role == "approver") {
        return {Scope::runs_read, Scope::workflows_read, Scope::tasks_read, Scope::tasks_write};
    }
    if (std::find(role_names.begin(), role_names.end(), role) == role_names.end()) return scopes;
    scopes = {Scope::workflows_read, Scope::runs_read, Scope::events_read, Scope::tasks_read};
    if (role == "viewer") return scopes;
    scopes.add(Scope::runs_write);
    scopes.add(Scope::events_write);
    scopes.add(Scope::metrics_read);
    if (role == "editor") scopes.add(Scope::workflows_write);
    return scopes;
}

Result<std::string> parse_role(std::string_view text) {
    const std::vector<std::string_view> names(role_names.begin(), role_names.end());
    if (std::find(names.begin(), names.end(), text) != names.end()) return std::string(text);
    std::string hint = suggest(text, names);
    if (hint.empty()) hint = fmt::format("; there are {}", fmt::join(names, ", "));
    return Error{Errc::invalid, fmt::format("unknown role '{}'{}", text, hint), {}};
}

}  // namespace pawl::api
