#pragma once

#include "connect/account.hpp"
#include "connect/answer.hpp"

#include <string_view>

namespace pawl::steps {

// Instead of what was said about a message that has values of redacted columns.
inline constexpr std::string_view hidden_words =
    "(hidden: the message has values of redacted columns, which may be in what was said)";

// What the provider says about a message is kept, and what it was sent may be in it. reveals:
// values of redacted columns as well.
void hide_secrets(connect::Verdict& verdict, const connect::Account& account, bool reveals);

}  // namespace pawl::steps
