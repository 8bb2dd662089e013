#include "steps/function_hosts.hpp"

namespace pawl::steps {

namespace {

const FunctionHost* find_in(const FunctionHosts& hosts, std::string_view name) {
    if (name.empty()) return hosts.usual.url.empty() ? nullptr : &hosts.usual;
    const auto found = hosts.named.find(name);
    return found == hosts.named.end() ? nullptr : &found->second;
}

}  // namespace

const FunctionHost* FunctionSettings::find(std::int32_t tenant, std::string_view name) const {
    if (const auto own = tenants.find(tenant); own != tenants.end()) {
        if (const FunctionHost* host = find_in(own->second, name)) return host;
    }
    return find_in(all, name);
}

}  // namespace pawl::steps
