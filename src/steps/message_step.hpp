#pragma once

#include "connect/answer.hpp"
#include "connect/links.hpp"
#include "connect/request.hpp"
#include "http/client.hpp"
#include "steps/access_tokens.hpp"
#include "steps/call_targets.hpp"
#include "steps/fill_person.hpp"
#include "steps/step_request.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pawl::steps {

namespace asio = boost::asio;

// A message as a step asks for it.
struct MessageOrder {
    std::int32_t tenant = 1;
    Uuid id;
    std::string person;
    std::string channel;
    std::string connector;  // empty: the tenant's for the channel
    std::string account;    // empty: its default
    std::string message_template;
    std::string category;      // empty: the template's, or marketing
    std::string to;            // empty: the person's address
    bool names_links = false;  // its own content may name unsubscribe_url or preferences_url
};

// Whether content may name them.
bool names_links(const json::value& content);

// Without the address, which may need the person.
MessageOrder order_of(const StepRequest& request);

// What the database knows for it.
struct MessageReady {
    std::string skipped;  // why it is not sent; empty: it is
    std::string category;
    std::optional<Instant> wait_until;
    json::value person;
    std::string address;
    json::value content;  // of the template
    std::int32_t template_version = 0;
    std::shared_ptr<const connect::Connector> connector;
    std::string account_name;
    std::shared_ptr<const connect::Account> account;
    std::string hook_url;
    std::string unsubscribe_url;
    std::string preferences_url;
    connect::LinkFor track_link;             // none: links cannot be signed here
    std::function<std::string()> pixel_url;  // of an HTML mail; signed when it is asked for
};

// A message with the step that sends it, and by what.
struct StepMessage {
    MessageOrder order;
    RunId run;
    std::int32_t workflow = 0;
    std::int32_t version = 1;
    std::string node;
    int attempt = 1;
    std::string connector;
    std::string account;
    std::int32_t template_version = 0;
    std::optional<Duration> window;  // how long the provider recognises a repeat; nothing: not
    bool together = false;           // goes with others: the provider recognises the call instead
    // Where the provider can be asked about it: how long after its outcome became unknown, where it
    // goes, and what it says (connect/inquiry.hpp).
    std::optional<Duration> ask_after;
    std::string address;
    std::optional<std::string> text;
};

// What is known of a message before it goes out (pawl.begin_messages).
struct MessageBegun {
    // again: an earlier try may have reached the provider, which recognises it.
    enum class How { begun, again, sent, interrupted };
    How how = How::begun;
    std::string external_id;  // of one that was sent
};

// When a message of an account may go out.
struct MessagePace {
    std::int32_t tenant = 1;
    std::string connector;
    std::string account;
    double rate = 0;  // messages a second
};
struct MessageTurn {
    Duration wait{};
    bool later = false;  // to ask again then
};

// A message whose step ends without a result.
struct MessageFailure {
    StepMessage message;
    std::string address;
    bool unknown = false;   // it may have been sent
    bool suppress = false;  // the address will never work
    std::string error;
};

// A message that is ready to go to its provider.
struct Parcel {
    StepMessage message;
    std::shared_ptr<const connect::Connector> connector;
    std::shared_ptr<const connect::Account> account;
    connect::Call call;
};

// What became of it.
struct Delivered {
    std::optional<StepOutcome> unsent;  // how the step ends whose call did not go out
    connect::Verdict verdict;           // else: what the provider says
    bool begun = false;                 // it was written down for this call, not before
};
using DeliverAll = std::function<asio::awaitable<std::vector<Delivered>>(std::vector<Parcel>)>;

struct MessageServices {
    ReadPerson read_person;
    // An error: no account, or one that cannot be used; no message of it goes out.
    std::function<asio::awaitable<Result<MessageReady>>(MessageOrder)> prepare;
    // The rate of an account, over all workers.
    std::function<asio::awaitable<MessageTurn>(MessagePace)> pace;
    // Before each call of a provider that does not recognise a repeat for ever, so that a worker
    // that dies in the middle does not send twice. In the order of the messages.
    std::function<asio::awaitable<std::vector<MessageBegun>>(std::vector<StepMessage>)> begin;
    // The provider certainly did not take them.
    std::function<asio::awaitable<void>(std::vector<Uuid>)> release;
    // Messages of the same group that are ready while another call of it is under way go together,
    // so many at most. Nothing: each goes by itself.
    std::function<asio::awaitable<Delivered>(
        std::string group, std::size_t most, Parcel parcel, DeliverAll deliver
    )>
        gather;
    // Before the step fails, so that it can be found.
    std::function<asio::awaitable<void>(MessageFailure)> note_failure;
};

// A `message` step: looks at what keeps the message from being sent, renders its content for the
// person, and hands it to the provider. Result: events::MessageEnded. A provider that is down or
// wants to be left alone postpones the step, which uses up no attempt.
asio::awaitable<StepOutcome> send_message(
    CallTargets& targets,
    http::Client& client,
    AccessTokens& tokens,
    const MessageServices& services,
    StepRequest request
);

}  // namespace pawl::steps
