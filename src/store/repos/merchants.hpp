#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <string>

namespace pawl::store {

// A change of a table that another program tells of.
struct TableChange {
    std::string table;
    std::string operation;  // INSERT, UPDATE, DELETE
    std::string merchant;   // empty: that of the caller
    std::string user;
    std::string record_id;
    json::value record = json::object();
    json::value old;  // before an UPDATE; null: not known
};

// Document 003: tenants as merchants. The pool must outlive it.
class Merchants {
public:
    explicit Merchants(pg::Pool& pool) : pool_(pool) {}

    // Whether a merchant is this tenant: its name or its organization.
    asio::awaitable<bool> is(TenantId tenant, std::string merchant);
    // What pawl.amp_dispatch_call says.
    asio::awaitable<json::value> dispatch(Tenant tenant, TableChange change);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
