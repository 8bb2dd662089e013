#pragma once

#include <string>

namespace pawl::steps {

// The provider that sends emails.
struct EmailSettings {
    enum class Provider { none, smtp, resend, sandbox };
    Provider provider = Provider::none;
    std::string url;     // smtp://host:587, smtps://host:465; of the others empty: their usual one
    std::string user;    // of SMTP
    std::string key;     // password or API key
    std::string from;    // who sends, unless the message says so
    bool plain = false;  // SMTP without TLS, for a server on this machine
};

// The provider that sends text messages.
struct SmsSettings {
    enum class Provider { none, twilio, eight_by_eight, sandbox };
    Provider provider = Provider::none;
    std::string url;      // empty: the provider's usual one
    std::string account;  // of Twilio its account, of 8x8 its subaccount
    std::string user;     // of Twilio: an API key's SID, when `key` is its secret
    std::string key;
    std::string from;  // a number, a name, or of Twilio the SID of a messaging service (MG...)
};

struct MessageSettings {
    EmailSettings email;
    SmsSettings sms;
};

}  // namespace pawl::steps
