#include "api/version_body.hpp"

namespace pawl::api {

std::string read_version(Body& body, const json::object& object, std::string_view key) {
    const json::value* given = object.if_contains(key);
    if (given == nullptr || !given->is_number()) return body.text(key, 100).value_or("");
    const auto number = body.whole(key, 1, 2147483647);
    return number ? std::to_string(*number) : "";
}

asio::awaitable<std::int32_t> version_number(
    Services& services, store::TenantId tenant, std::string name, std::string written
) {
    const auto number = co_await services.versions.number(tenant, name, written);
    if (!number) refuse_not_found("workflow '" + name + "' has no version " + written);
    co_return *number;
}

}  // namespace pawl::api
