#pragma once

#include "base/error.hpp"
#include "steps/message_settings.hpp"

#include <string_view>

namespace pawl::cli {

// Reads YAML or JSON:
//
//     email:
//       provider: smtp                          # or resend
//       url: smtps://mail.example.com:465       # smtp:// begins TLS itself (STARTTLS)
//       user: pawl
//       key_env: SMTP_PASSWORD                  # the key is in this variable; or key: ...
//       from: Example <hello@example.com>
//     sms:
//       provider: twilio                        # or 8x8
//       account: AC...                          # of 8x8: the subaccount
//       key_env: TWILIO_TOKEN
//       from: "+15551234567"
Result<steps::MessageSettings> parse_messages(std::string_view text);

}  // namespace pawl::cli
