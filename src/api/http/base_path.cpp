#include "api/http/base_path.hpp"

namespace pawl::api {

std::string without_base(std::string target, std::string_view base_path) {
    if (base_path.empty() || !target.starts_with(base_path)) return target;
    const char next = target.size() == base_path.size() ? '/' : target[base_path.size()];
    if (next != '/' && next != '?') return target;
    target.erase(0, base_path.size());
    if (!target.starts_with('/')) target.insert(0, "/");
    return target;
}

}  // namespace pawl::api
