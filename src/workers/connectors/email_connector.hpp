#pragma once

#include "embed/sessions.hpp"
#include "pawl/step.hpp"
#include "steps/message_settings.hpp"

#include <memory>
#include <string>

namespace pawl::workers {

struct OutgoingEmail {
    std::string to;
    std::string subject;
    std::string text;
};

// Sends mail. The result is {message_id, provider}. A failure after which the mail may have gone
// out is ambiguous. Blocks; any thread.
class EmailSender {
public:
    virtual ~EmailSender() = default;
    virtual StepResult send(const OutgoingEmail& email, const ExecutionContext& context) = 0;
};

// By SMTP or an API, as the messages file says. The settings may be filled in until the first call.
std::shared_ptr<EmailSender> make_email_sender(
    std::shared_ptr<const steps::EmailSettings> settings, std::shared_ptr<embed::Sessions> sessions
);

}  // namespace pawl::workers
