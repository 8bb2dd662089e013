#include "workers/connectors/email_connector.hpp"

#include "steps/email.hpp"

namespace pawl::workers {

namespace {

FailureKind kind_of(ErrorClass error_class) {
    switch (error_class) {
        case ErrorClass::retryable: return FailureKind::retryable;
        case ErrorClass::ambiguous: return FailureKind::ambiguous;
        default: return FailureKind::permanent;
    }
}

class Sender : public EmailSender {
public:
    Sender(
        std::shared_ptr<const steps::EmailSettings> settings,
        std::shared_ptr<embed::Sessions> sessions
    )
        : settings_(std::move(settings)), sessions_(std::move(sessions)) {}

    StepResult send(const OutgoingEmail& email, const ExecutionContext& context) override {
        boost::json::object message{
            {"to", email.to},
            {"subject", email.subject},
            {"text", email.text},
            {"idempotency_key", context.idempotency_key}};
        const auto timeout = std::chrono::duration_cast<Duration>(context.deadline - Steady::now());
        const auto outcome = sessions_->run<steps::StepOutcome>(
            [&](embed::Session& session) {
                return steps::send_email(session.client(), *settings_, std::move(message), timeout);
            },
            context.stop
        );
        if (!outcome.error) return StepResult::ok(outcome.result);
        const StepError& error = *outcome.error;
        return StepResult::fail(kind_of(error.error_class), error.code, error.message);
    }

private:
    std::shared_ptr<const steps::EmailSettings> settings_;
    std::shared_ptr<embed::Sessions> sessions_;
};

}  // namespace

std::shared_ptr<EmailSender> make_email_sender(
    std::shared_ptr<const steps::EmailSettings> settings, std::shared_ptr<embed::Sessions> sessions
) {
    return std::make_shared<Sender>(std::move(settings), std::move(sessions));
}

}  // namespace pawl::workers
