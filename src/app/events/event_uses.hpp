#pragma once

#include "app/caller.hpp"
#include "app/events/publisher.hpp"
#include "store/repos/inbox.hpp"

namespace pawl::app {

// What the use cases of events work with: they are published, and read in the inbox. All of it
// outlives them.
struct EventUses {
    Publisher& publisher;
    store::Inbox& inbox;
};

}  // namespace pawl::app
