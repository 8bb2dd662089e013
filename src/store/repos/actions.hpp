#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A statement that the owner of the schema registered for action nodes.
struct Action {
    std::string statement;
    std::vector<std::string> params;  // what $1, $2, ... stand for
    std::string tenant;
    std::string organization;
};

// pawl.action. The pool must outlive it.
class Actions {
public:
    explicit Actions(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::optional<Action>> find(TenantId tenant, std::string name);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
