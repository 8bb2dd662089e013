#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/rng.hpp"
#include "connect/fact.hpp"
#include "http/client_request.hpp"
#include "http/server.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Providers of messages on this machine: they take requests by the rules of the real ones, answer
// in their form and call back as they do, and no message leaves the machine.
namespace pawl::sandbox {

using connect::FactKind;

// What happens to the messages of an account, in percent of them. One that bounces is not
// delivered, one that is not delivered not opened.
struct Behaviour {
    double sent = 100;
    double delivered = 100;
    double opened = 0;
    double clicked = 0;  // of those that are opened
    double bounced = 0;
    double complained = 0;
    double unsubscribed = 0;
    Duration pause = std::chrono::milliseconds(50);  // before each of it
};

// A customer of a provider: what its console knows.
struct Account {
    std::string provider;
    std::string name;
    json::object credentials;  // as an account of the connector has them
    json::object settings;
    std::string proof;     // what its requests have: the token, or user:password
    std::string hook_key;  // signs its hooks: a secret, or a private key in PEM
    std::string hook_url;  // empty: it is told nothing
    Behaviour behaviour;
};

// What was said about a message, and how the receiver answered.
struct Told {
    FactKind kind = FactKind::sent;
    Instant at{};
    int status = 0;  // 0: there was no answer
};

// A message that a provider has accepted.
struct Message {
    std::uint64_t number = 0;
    Instant at{};
    std::string provider;
    std::string account;
    std::string id;         // the provider's
    std::string client_id;  // the sender's, where there is one
    std::string to;
    std::string text;  // for people: its beginning
    json::value request;
    std::string callback;  // where it is reported instead of the account's URL
    std::vector<Told> told;
};
using MessagePtr = std::shared_ptr<Message>;

// Something to be told: about a message, or what a person did.
struct Event {
    FactKind kind = FactKind::sent;
    std::string id;  // the same for every try
    Instant at{};
    MessagePtr message;  // may be null: a person did it by themselves
    std::string person;  // their address, then
    std::string text;
};

// A request to a provider, below the path of the sandbox.
struct Request {
    std::string method;
    std::vector<std::string> path;
    std::string query;  // as it came
    http::Headers headers;
    std::string body;
    Instant now{};

    // Empty when there is none.
    std::string_view header(std::string_view name) const;
    // A field of the query; empty when there is none.
    std::string asked(std::string_view field) const;
    // What stands behind "Bearer ".
    std::string_view bearer() const;
    bool is(std::string_view wanted_method, std::initializer_list<std::string_view> wanted) const;
};

class Desk;

// The answer, with the header that says when to try again.
http::ServerResponse retry_after(int seconds, http::ServerResponse response);

// How one provider speaks. Without a state of its own.
class Provider {
public:
    virtual ~Provider() = default;

    virtual std::string_view name() const = 0;
    // Makes up what a new account has.
    virtual void open(Account& account, Rng& rng) const = 0;
    // Takes messages (Desk::keep), or refuses in the provider's words.
    virtual http::ServerResponse answer(Desk& desk, const Request& request) const = 0;
    // "Not so fast", and "we are down", in its words.
    virtual http::ServerResponse limited(int seconds) const = 0;
    virtual http::ServerResponse broken() const = 0;
    // The signed call that tells the events, which are of one account; nothing when it never tells
    // such things.
    virtual std::optional<http::Request> hook(
        Desk& desk, const Account& account, const std::vector<Event>& events, Instant now
    ) const = 0;
    // How many events go into one call.
    virtual std::size_t batch_max() const { return 1; }
    // How often a call that is not answered 2xx is made.
    virtual int tries() const { return 4; }
};

const std::vector<const Provider*>& providers();
const Provider* find_provider(std::string_view name);

// One of each, for providers().
const Provider& line_provider();
const Provider& sms_8x8_provider();
const Provider& twilio_provider();
const Provider& sendgrid_provider();
const Provider& resend_provider();
const Provider& fcm_provider();
const Provider& webhook_provider();
const Provider& smtp_provider();

}  // namespace pawl::sandbox
