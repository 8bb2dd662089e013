#pragma once

#include "app/messages/connector_uses.hpp"
#include "base/complaint.hpp"
#include "engine/async/gate.hpp"
#include "store/repos/credential_inbox.hpp"

namespace pawl::app {

// Takes in credentials that were written with SQL (merchant_credentials): they are checked and kept
// as if they had come by the API. Each process looks; what is taken in twice is the same. One
// thread; what it uses outlives it.
class CredentialSealer {
public:
    CredentialSealer(
        asio::any_io_executor executor, store::CredentialInbox& inbox, ConnectorUses& uses
    )
        : inbox_(inbox), uses_(uses), gate_(executor) {}

    asio::awaitable<void> run();
    // Goes over what is there once; how many it has dealt with.
    asio::awaitable<std::size_t> seal_all();

private:
    asio::awaitable<std::size_t> look();

    store::CredentialInbox& inbox_;
    ConnectorUses& uses_;
    engine::Gate gate_;
    Complaint trouble_{"credentials could not be taken in"};
    bool ready_ = false;  // there is a key for them
};

}  // namespace pawl::app
