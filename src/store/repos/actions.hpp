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
    json::value schema;  // that the params must fit; null: they may be anything
};

// An action as authors of definitions see it.
struct ListedAction {
    std::string name;
    json::array params;  // what a node gives
    json::value schema;
    bool own = false;  // of this tenant alone
};

// pawl.action. The pool must outlive it.
class Actions {
public:
    explicit Actions(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::optional<Action>> find(TenantId tenant, std::string name);
    // By name.
    asio::awaitable<std::vector<ListedAction>> list(TenantId tenant);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
