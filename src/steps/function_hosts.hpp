#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace pawl::steps {

// Where `function` steps post to.
struct FunctionHost {
    std::string url;
    std::string key;  // their bearer token
};

// The usual one, and others that a step may ask for by name (`functions: crm`).
struct FunctionHosts {
    FunctionHost usual;
    std::map<std::string, FunctionHost, std::less<>> named;
};

// What is configured, for all tenants and for single ones.
struct FunctionSettings {
    FunctionHosts all;
    std::map<std::int32_t, FunctionHosts> tenants;

    // The tenant's own first, then the shared one; null when there is none. An empty name: the
    // default.
    const FunctionHost* find(std::int32_t tenant, std::string_view name) const;
};

}  // namespace pawl::steps
