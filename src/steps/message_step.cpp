#include "steps/message_step.hpp"

#include "base/json.hpp"
#include "base/log.hpp"
#include "connect/batch.hpp"
#include "connect/message_refusal.hpp"
#include "model/events/step_events.hpp"
#include "steps/failure_text.hpp"
#include "steps/kept_words.hpp"
#include "steps/message_content.hpp"
#include "steps/message_delivery.hpp"
#include "steps/redacted.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// Where the provider does not say when to come back.
constexpr Duration usual_pause = std::chrono::seconds(5);
// While the database does not answer: half a minute in all.
constexpr int note_tries = 20;
constexpr Duration note_pause_least = std::chrono::milliseconds(50);
constexpr Duration note_pause_most = std::chrono::seconds(2);

// One attempt to send a message. Lives in the frame of send_message.
class Sending {
public:
    Sending(
        CallTargets& targets,
        http::Client& client,
        AccessTokens& tokens,
        const MessageServices& services,
        StepRequest request
    )
        : targets_(targets),
          client_(client),
          tokens_(tokens),
          services_(services),
          request_(std::move(request)),
          order_(order_of(request_)) {}

    asio::awaitable<StepOutcome> run() {
        if (request_.templates->contains("to")) {
            auto to = render_address(request_, co_await person_for_address());
            if (!to) co_return skipped("no_address", to.error().message);
            if (to->empty()) co_return skipped("no_address");
            order_.to = std::move(*to);
        }
        auto ready = co_await services_.prepare(order_);
        co_return co_await send(std::move(ready));
    }

private:
    asio::awaitable<StepOutcome> send(Result<MessageReady> ready) {
        if (!ready) {
            const bool later = ready.error().code == Errc::unavailable;
            const auto reason = connect::reason_of(ready.error());
            co_return failed(
                later ? ErrorClass::retryable : ErrorClass::permanent,
                reason.empty() ? "connector" : std::string(reason),
                ready.error().message
            );
        }
        ready_ = std::move(*ready);
        if (!ready_.category.empty()) order_.category = ready_.category;
        if (!ready_.skipped.empty()) co_return skipped(ready_.skipped);
        if (ready_.wait_until) {
            co_return postpone("quiet hours", "quiet_hours", *ready_.wait_until - wall_now());
        }
        auto message = outgoing();
        if (!message) co_return skipped("invalid_content", message.error().message);
        if (ready_.connector->token) {
            auto [token, after] = co_await tokens_.find(
                order_.tenant, ready_.account_name, *ready_.connector, *ready_.account
            );
            if (!token && token.error().code == Errc::unavailable) {
                co_return postpone(
                    ready_.connector->name, token.error().message, after.value_or(usual_pause)
                );
            }
            if (!token) co_return co_await refuse("invalid_account", token.error().message, {});
            message->access_token = std::move(*token);
        }
        co_return co_await hand_over(std::move(*message));
    }

    asio::awaitable<json::value> person_for_address() {
        if (!services_.read_person || order_.person.empty()) co_return nullptr;
        auto person = co_await services_.read_person(order_.tenant, order_.person);
        if (!person) co_return nullptr;
        // The address is kept.
        co_return without_redacted(std::move(*person));
    }

    Result<connect::Outgoing> outgoing() {
        connect::Outgoing message;
        // What only a message that is sent has.
        const auto know = [this](Path path, std::string_view value) {
            if (!value.empty()) request_.known[text_of(path)] = value;
        };
        know({{"unsubscribe_url"}}, ready_.unsubscribe_url);
        know({{"preferences_url"}}, ready_.preferences_url);
        know({{"message"}, {"id"}}, to_string(order_.id));
        auto content = render_content(request_, ready_.person, ready_.content);
        if (!content) return content.error();
        message.message_id = to_string(order_.id);
        message.to = ready_.address;
        message.channel = order_.channel;
        message.content = std::move(content->content);
        message.person = without_redacted(ready_.person);
        reveals_ = content->reveals;
        message.hook_url = ready_.hook_url;
        if (order_.category != "transactional") message.unsubscribe_url = ready_.unsubscribe_url;
        message.at = wall_now();
        return message;
    }

    // Whether clicks and opens are to be known: the step says so, else the template; else those of
    // mails and LINE messages that are not transactional. A text message has no room for it.
    bool is_tracked() const {
        // A tracked link, and each click on it, would say what is in the address.
        if (!ready_.track_link || reveals_) return false;
        for (const json::object* one : {request_.templates, ready_.content.if_object()}) {
            const json::value* said = one == nullptr ? nullptr : one->if_contains("track");
            if (said != nullptr && said->is_bool()) return said->get_bool();
        }
        return order_.category != "transactional" &&
               (order_.channel == "email" || order_.channel == "line");
    }

    // With tracked links, if it fits so.
    Result<connect::Call> request_for(const connect::Outgoing& message) {
        if (is_tracked() && message.content.is_object()) {
            connect::Outgoing tracked = message;
            const json::object& content = message.content.get_object();
            const bool pixel = ready_.pixel_url && content.contains("html");
            tracked.content = connect::track_content(
                content, ready_.track_link, pixel ? ready_.pixel_url() : std::string()
            );
            auto call = connect::make_request(*ready_.connector, *ready_.account, tracked);
            if (call) return call;
        }
        return connect::make_request(*ready_.connector, *ready_.account, message);
    }

    asio::awaitable<StepOutcome> hand_over(connect::Outgoing message) {
        const std::string address = message.to;
        auto call = request_for(message);
        if (!call) {
            const auto reason = connect::reason_of(call.error());
            if (reason == "invalid_account") {
                co_return co_await refuse("invalid_account", call.error().message, {});
            }
            co_return skipped(
                reason == "invalid_address" ? "invalid_address" : "invalid_content",
                reveals_ ? hidden_words : std::string_view(call.error().message)
            );
        }
        call->request.timeout = request_.timeout;
        if (!request_.traceparent.empty() && !call->request.mail) {
            call->request.headers.push_back({"traceparent", request_.traceparent});
        }
        address_ = call->to;
        text_ = call->text;
        Delivered done = co_await deliver(std::move(*call));
        if (done.unsent) co_return std::move(*done.unsent);
        begun_ = done.begun;
        co_return co_await conclude(std::move(done.verdict), address);
    }

    asio::awaitable<Delivered> deliver(connect::Call call) {
        const Courier courier{targets_, client_, services_};
        const connect::Connector& connector = *ready_.connector;
        Parcel parcel{of_step(), ready_.connector, ready_.account, std::move(call)};
        if (!services_.gather || !connect::goes_in_batches(connector, *ready_.account)) {
            return deliver_one(courier, std::move(parcel));
        }
        std::string group = fmt::format(
            "{}/{}/{}/{}",
            order_.tenant,
            connector.name,
            ready_.account_name,
            connect::batch_group(connector, parcel.call)
        );
        return services_.gather(
            std::move(group),
            connector.batch->most,
            std::move(parcel),
            [courier](std::vector<Parcel> parcels) {
                return deliver_together(courier, std::move(parcels));
            }
        );
    }

    asio::awaitable<StepOutcome> conclude(connect::Verdict verdict, std::string address) {
        const connect::Connector& connector = *ready_.connector;
        hide_secrets(verdict, *ready_.account, reveals_);
        if (verdict.renew_token) tokens_.forget(order_.tenant, connector.name, ready_.account_name);
        switch (verdict.means) {
            case connect::Means::accepted: co_return sent(verdict.external_id);
            case connect::Means::retry:
                // One that may have reached it stays written down: it is known there for a while.
                if (begun_ && !verdict.maybe) co_await release();
                co_return postpone(
                    connector.name,
                    fmt::format("{}: {}", verdict.code, verdict.message),
                    verdict.after.value_or(usual_pause)
                );
            case connect::Means::refused:
                if (verdict.fallback && !connector.fallback.empty() && !fell_back_) {
                    co_return co_await fall_back(std::move(verdict));
                }
                co_return co_await refuse(std::move(verdict), std::move(address));
            case connect::Means::unknown: break;
        }
        co_await note({true, false, {}}, verdict.message);
        co_return failed(
            ErrorClass::ambiguous,
            verdict.code.empty() ? "unknown" : verdict.code,
            fmt::format("{} may have sent the message: {}", connector.name, verdict.message)
        );
    }

    asio::awaitable<void> release() {
        std::vector<Uuid> ids{order_.id};
        return services_.release(std::move(ids));
    }

    // The address is used up, as that of a reply is: the same message goes to the person by the
    // connector that this one names, if they have an address there.
    asio::awaitable<StepOutcome> fall_back(connect::Verdict verdict) {
        MessageOrder other = order_;
        other.connector = ready_.connector->fallback;
        other.account = ready_.account_name;
        other.to.clear();
        auto ready = co_await services_.prepare(other);
        const bool none = !ready || ready->skipped == "no_address" || ready->skipped == "no_person";
        if (none) co_return co_await refuse(std::move(verdict), {});
        if (begun_) co_await release();
        begun_ = false;
        fell_back_ = true;
        order_ = std::move(other);
        co_return co_await send(std::move(ready));
    }

    asio::awaitable<StepOutcome> refuse(connect::Verdict verdict, std::string address) {
        co_return co_await refuse(
            verdict.code.empty() ? "refused" : verdict.code,
            verdict.message,
            {verdict.suppress, std::move(address)}
        );
    }

    struct Bad {
        bool suppress = false;
        std::string address = {};
    };
    asio::awaitable<StepOutcome> refuse(std::string code, std::string message, Bad bad) {
        co_await note({false, bad.suppress, std::move(bad.address)}, message);
        co_return failed(ErrorClass::permanent, std::move(code), message);
    }

    struct Noted {
        bool unknown = false;
        bool suppress = false;
        std::string address;
    };
    asio::awaitable<void> note(Noted how, std::string error) {
        if (!services_.note_failure) co_return;
        MessageFailure failure;
        failure.message = of_step();
        failure.address = std::move(how.address);
        failure.unknown = how.unknown;
        failure.suppress = how.suppress;
        failure.error = std::move(error);
        // What the step answers counts, whether or not this can be noted: after a send whose
        // outcome is unknown a retry could send twice. But a message that is not noted as unknown
        // is asked about by no one, and its run waits for ever.
        asio::steady_timer timer(co_await asio::this_coro::executor);
        Duration pause = note_pause_least;
        for (int tries = 1;; ++tries) {
            Error broken;
            try {
                co_return co_await services_.note_failure(failure);
            } catch (const Failure& thrown) {
                broken = thrown.error();
            }
            if (tries == note_tries || !info(broken.code).retryable) {
                log::warn(
                    "a failed message was not noted",
                    {log::field("run", request_.run_id), log::field("error", to_string(broken))}
                );
                co_return;
            }
            timer.expires_after(pause);
            co_await timer.async_wait(asio::use_awaitable);
            pause = std::min(2 * pause, note_pause_most);
        }
    }

    StepMessage of_step() const {
        StepMessage message;
        message.order = order_;
        if (const auto run = parse_uuid(request_.run_id)) message.run = RunId{*run};
        message.workflow = request_.workflow_id;
        message.version = request_.version;
        message.node = request_.node;
        message.attempt = request_.attempt;
        message.connector = ready_.connector->name;
        message.account = ready_.account_name;
        message.template_version = ready_.template_version;
        message.window = recognised_for(*ready_.connector);
        if (const auto& inquiry = ready_.connector->inquiry) {
            message.ask_after = inquiry->after;
            message.address = address_;
            message.text = text_;
        }
        return message;
    }

    json::object ended(std::string_view state) const {
        const std::string id = to_string(order_.id);
        events::MessageEnded end;
        end.state = state;
        end.message = id;
        end.channel = order_.channel;
        if (ready_.connector) end.connector = ready_.connector->name;
        end.account = ready_.account_name;
        end.category = order_.category;
        end.message_template = order_.message_template;
        if (ready_.template_version > 0) end.template_version = ready_.template_version;
        return events::write(std::move(end));
    }

    StepOutcome sent(const std::string& external_id) const {
        json::object result = ended("sent");
        if (!external_id.empty()) result["external_id"] = external_id;
        return completed(std::move(result));
    }

    StepOutcome skipped(std::string_view reason, std::string_view detail = "") const {
        json::object result = ended("skipped");
        result["reason"] = reason;
        if (!detail.empty()) result["detail"] = detail;
        return completed(std::move(result));
    }

    CallTargets& targets_;
    http::Client& client_;
    AccessTokens& tokens_;
    const MessageServices& services_;
    StepRequest request_;
    MessageOrder order_;
    MessageReady ready_;
    std::string address_;  // of the call, where the provider can be asked about it
    std::optional<std::string> text_;
    bool begun_ = false;      // written down as being sent
    bool fell_back_ = false;  // to another connector
    bool reveals_ = false;    // the value of a redacted column is in its content
};

}  // namespace

asio::awaitable<StepOutcome> send_message(
    CallTargets& targets,
    http::Client& client,
    AccessTokens& tokens,
    const MessageServices& services,
    StepRequest request
) {
    if (!services.prepare) {
        co_return failed(
            ErrorClass::permanent, "no_connectors", "this worker has no connectors for messages"
        );
    }
    std::optional<std::string> broken;
    try {
        Sending sending(targets, client, tokens, services, std::move(request));
        co_return co_await sending.run();
    } catch (const Failure& failure) {
        broken = failure_text(failure);
    }
    co_return failed(ErrorClass::retryable, "message", *broken);
}

}  // namespace pawl::steps
