#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace pawl::connect {

// Why a message cannot be sent as it is. Each error has the reason and the place in its context.
//   invalid_content   the provider would refuse it; place: "content.messages[0].text"
//   invalid_address   `to` is no address of this channel
//   invalid_account   credentials or settings are missing or wrong; place: "credentials.api_key"
//   bad_signature     a hook is not from the provider, or too old (Errc::unauthenticated)
//   invalid_hook      a hook that is signed and cannot be read
inline Error refusal(
    std::string_view reason,
    std::string_view place,
    std::string_view what,
    Errc code = Errc::invalid
) {
    std::string message(place);
    if (!message.empty()) message += ": ";
    message += what;
    Error error{code, std::move(message), {{"reason", std::string(reason)}}};
    if (!place.empty()) error.context.emplace_back("place", place);
    return error;
}

inline std::string_view reason_of(const Error& error) {
    for (const auto& [key, value] : error.context) {
        if (key == "reason") return value;
    }
    return {};
}

inline Error invalid_content(std::string_view place, std::string_view what) {
    return refusal("invalid_content", place, what);
}

}  // namespace pawl::connect
