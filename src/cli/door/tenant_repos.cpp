#include "cli/door/tenant_repos.hpp"

#include <fmt/core.h>

namespace pawl::cli {

Error with_tenant_hint(Error error) {
    if (error.code != Errc::not_found) return error;
    return std::move(error).with("next", "pawl tenants list");
}

boost::asio::awaitable<Result<store::TenantNow>> read_tenant(
    store::ApiKeys& keys, std::string name
) {
    const auto found = co_await keys.find_tenant(name);
    if (!found) {
        co_return Error{
            Errc::not_found,
            fmt::format("there is no tenant named '{}'", name),
            {{"next", "pawl tenants list"}}};
    }
    co_return *found;
}

}  // namespace pawl::cli
