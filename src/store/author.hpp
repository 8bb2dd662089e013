#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace pawl::store {

// For which tenant a workflow is changed, and who does it, as the history of its versions says. A
// tenant alone will do.
struct Author {
    std::int32_t tenant = 1;
    std::string by;  // a person, the prefix of an API key, cli ...; empty: sql

    Author(std::int32_t of, std::string name = {}) : tenant(of), by(std::move(name)) {}
};

}  // namespace pawl::store
