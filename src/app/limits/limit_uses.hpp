#pragma once

#include "app/caller.hpp"
#include "store/pg/pg_store.hpp"
#include "store/repos/limits.hpp"

namespace pawl::app {

// What the use cases of limits work with. All of it outlives them.
struct LimitUses {
    store::Limits& limits;
    store::PgStore& store;
    const Wake& wake_workers;
};

// Sets a limit over that of the definition; without a number the definition's counts again. An
// error when there is no such workflow or limit.
asio::awaitable<Result<void>> set_limit(
    LimitUses& uses,
    store::Tenant tenant,
    store::FlowLimitName name,
    std::optional<std::int32_t> number
);

}  // namespace pawl::app
