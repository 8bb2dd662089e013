#pragma once

#include "base/vault.hpp"
#include "store/pg/tenant_call.hpp"

#include <string>
#include <vector>

namespace pawl::store {

// A box, in the columns key_id, nonce and box from `first` on.
VaultBox box_of(const pg::Rows& rows, int row, int first);
void add_box(pg::Params& params, const VaultBox& box);

// A table whose rows have a tenant, names and a box.
struct BoxTable {
    const pg::Query& others;         // tenant, names and box of those that are not under key $1
    const pg::Query& replace;        // tenant, names, the new box, and the nonce it must still have
    std::vector<const char*> names;  // what they are called in errors
    // What the box is about.
    std::string (*about)(TenantId tenant, const std::vector<std::string>& names);
};

// Closes the boxes of other keys with the key that closes now, and returns how many. Throws at the
// first that cannot be opened. The pool and the vault must outlive it.
boost::asio::awaitable<int> rotate_boxes(pg::Pool& pool, const Vault& vault, BoxTable table);

}  // namespace pawl::store
