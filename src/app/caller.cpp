#include "app/caller.hpp"

#include "app/refusal.hpp"
#include "model/person.hpp"

#include <fmt/core.h>

namespace pawl::app {

store::Author author_of(const Caller& caller) {
    return {caller.tenant.id, caller.name};
}

Result<std::string> acting_for(const Caller& caller, const std::optional<std::string>& said) {
    if (!caller.person) return said.value_or(caller.name);
    if (said && !is_same_person(*said, caller.name)) {
        return refusal(
                   Errc::forbidden,
                   "not_you",
                   fmt::format("your token says that you are {}, not {}", caller.name, *said)
        )
            .with("person", caller.name)
            .with("other", *said);
    }
    return caller.name;
}

std::string correlation_for(const Caller& caller, std::string given, std::size_t index) {
    if (!given.empty() || caller.key.empty()) return given;
    return fmt::format("idempotency:{}:{}", caller.key, index);
}

}  // namespace pawl::app
