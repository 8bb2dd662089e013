#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// A limit as it is now: of one key, or, where it was set so, of every key.
struct FlowLimit {
    std::string gate;
    std::string scope;     // workflow, tenant, global
    std::string workflow;  // empty: shared
    std::string name;
    std::string key;                      // empty: the only one, or all
    std::int32_t limit = 0;               // what counts
    std::optional<std::int32_t> defined;  // by the definition; nothing: no run is under it now
    std::optional<std::int32_t> set;      // over the definition's
    std::int32_t running = 0;
    std::int32_t waiting = 0;  // 10000 stands for more too
};

struct FlowLimitFilter {
    std::string workflow;  // empty: all
    std::string after;     // keyset cursor: gates that come after this one
    int limit = 50;
};

// Which limit is meant. Without a workflow: one that the workflows of a tenant share.
struct FlowLimitName {
    std::string workflow;
    std::string name;
    std::string key;  // empty: every key
};

// Limits on a running system. The pool must outlive it.
class Limits {
public:
    explicit Limits(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<std::vector<FlowLimit>> list(Tenant tenant, FlowLimitFilter filter);
    // What a run waits at; nothing when it does not.
    asio::awaitable<std::optional<FlowLimit>> gate_of(Tenant tenant, RunId run);
    // Without a number the definition's counts again. False: there is no such workflow.
    asio::awaitable<bool> set(Tenant tenant, FlowLimitName name, std::optional<std::int32_t> limit);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
