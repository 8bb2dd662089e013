#pragma once

#include "base/complaint.hpp"
#include "base/error.hpp"
#include "engine/async/gate.hpp"

#include <cstddef>

namespace pawl::engine {

// Works batch after batch, for ever. `once` answers how many it did: after a full batch it is
// called again at once, else when the gate opens or `pause` is over. `trouble` says what failed.
// The gate and `trouble` outlive it.
template <class Once>
asio::awaitable<void> work_batches(
    Gate& gate, Complaint& trouble, std::size_t batch, Duration pause, Once once
) {
    for (;;) {
        try {
            while (co_await once() == batch) {
            }
            trouble.fine();
        } catch (const Failure& failure) {
            trouble.failed(failure.what());
        }
        co_await gate.wait(Steady::now() + pause);
    }
}

}  // namespace pawl::engine
