#pragma once

#include "app/messages/message_uses.hpp"

namespace pawl::app {

// What a message says, filled again: no row keeps it. The version of the template and the data of
// the run are as they were when it was sent; what is known of the person is as it is now. Links
// that only the person gets stay placeholders.
asio::awaitable<SentContent> sent_content(
    MessageUses& uses, store::Tenant tenant, store::Message message
);

}  // namespace pawl::app
