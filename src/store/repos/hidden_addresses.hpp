#pragma once

#include "base/vault.hpp"
#include "pg/pool.hpp"
#include "store/repos/messages.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pawl::store {

// Addresses of people who were erased, to whom nothing may be sent. The database hides them as
// hashes, which are found by trying addresses; what is sealed here is an HMAC of such a hash, with
// keys that only a server can open (pawl.mark_key). One thread; the pool and the vault outlive it.
class HiddenAddresses {
public:
    HiddenAddresses(pg::Pool& pool, const Vault& vault) : pool_(pool), vault_(vault) {}

    // Seals some that are not; how many. None without a key, and none where another key seals
    // that is not here: two kinds of seals could not be told apart.
    asio::awaitable<std::size_t> seal(int batch);
    // An address as it is sealed, in any channel or one; nothing where the tenant has none.
    asio::awaitable<std::vector<std::string>> sealed(
        TenantId tenant, std::string channel, std::string address
    );
    // Gives messages to such addresses their verdict. `hidden` stays in those for which that cannot
    // be told, because keys are not here.
    asio::awaitable<void> judge(
        const std::vector<MessageAsked>& asked, std::vector<MessagePrepared>& prepared
    );
    // Closes the keys with the key of the vault that closes; how many changed.
    asio::awaitable<int> rotate();

private:
    struct Keys {
        std::vector<std::string> opened;  // the oldest first
        bool all = true;                  // there is none that this server cannot open
    };

    asio::awaitable<Keys> keys();
    asio::awaitable<void> add_key();

    pg::Pool& pool_;
    const Vault& vault_;
    Keys keys_;
    Steady::time_point read_again_{};
};

// Why a message whose `hidden` stayed is not sent now.
Error cannot_judge();

}  // namespace pawl::store
