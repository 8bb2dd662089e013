#pragma once

#include "base/complaint.hpp"
#include "engine/async/batches.hpp"
#include "engine/async/gate.hpp"
#include "store/repos/hidden_addresses.hpp"

namespace pawl::app {

// Seals the addresses of people who were erased, soon after. Each process that has a key looks.
// One thread; what it uses outlives it.
class AddressSealer {
public:
    AddressSealer(asio::any_io_executor executor, store::HiddenAddresses& hidden)
        : hidden_(hidden), gate_(executor) {}

    asio::awaitable<void> run() {
        return engine::work_batches(gate_, trouble_, batch, look_every, [this] {
            return hidden_.seal(batch);
        });
    }

private:
    static constexpr int batch = 1000;
    static constexpr Duration look_every = std::chrono::seconds(2);

    store::HiddenAddresses& hidden_;
    engine::Gate gate_;
    Complaint trouble_{"addresses of people who were erased could not be sealed"};
};

}  // namespace pawl::app
