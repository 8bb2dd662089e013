#pragma once

#include "connect/account.hpp"
#include "connect/signature.hpp"

#include <vector>

namespace pawl::connect {

// What a webhook of a provider says, after its signature was checked over the bytes that came.
// Events that mean nothing to us, or that cannot be read, give no fact: refusing them would only
// make the provider send the whole again. None at all is fine: LINE checks a URL in this way.
//   Errc::unauthenticated  the signature does not fit, or is too old
//   Errc::not_found        the connector has no hooks
//   Errc::invalid          signed, and cannot be read
Result<std::vector<Fact>> read_hook(
    const Connector& connector, const Account& account, const HookRequest& hook
);

}  // namespace pawl::connect
