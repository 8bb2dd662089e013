#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// Which version of a workflow starts now.
struct Head {
    std::string name;
    WorkflowId workflow = 0;
    std::int32_t version = 0;
    bool active = false;                    // false: it may not be started
    std::vector<VersionShare> canary;       // what else is active
    std::optional<std::string> off_reason;  // why it is switched off
    std::int64_t stamp = 0;                 // of the row: another one after any change
};

// pawl.definition, for starting runs. The pool must outlive it.
class Heads {
public:
    explicit Heads(pg::Pool& pool) : pool_(pool) {}

    // Of those that exist, in any order.
    asio::awaitable<std::vector<Head>> find(std::int32_t tenant, std::vector<std::string> names);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
