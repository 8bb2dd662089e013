#pragma once

#include "base/clock.hpp"
#include "connect/fact.hpp"
#include "connect/source.hpp"
#include "model/problems.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::connect {

// A connector is data: how one provider is asked to send a message, what its answers mean, and what
// its webhooks say. Only the ways to sign (connect/signature.hpp) and the rules of content
// (connect/content.hpp) are code; a connector names them.

// What a second try means when the first one was not answered.
enum class Replay {
    safe,        // the provider recognises our id: a repeat sends nothing twice
    reconcile,   // it may send twice: look for a fact, or ask, before trying again
    repeatable,  // a repeat has no effect that matters
};
std::string_view name(Replay replay);

enum class AddressKind { any, email, phone, line_user, reply_token, push_token, url };
enum class ContentKind { any, email, sms, line, push };
enum class Signing { line_hmac, svix, sendgrid_ecdsa, twilio_hmac_sha1, bearer, standard_webhook };

// A credential or a setting of an account.
struct AccountField {
    std::string name;
    bool required = false;
    bool is_json = false;              // an object, or its JSON as text
    std::vector<std::string> aliases;  // other names; one that is there wins over `name`
    std::string help;
};

// What content is checked against. 0: no limit of that sort.
struct ContentRules {
    ContentKind kind = ContentKind::any;
    std::size_t chars_max = 0;  // of a text, in UTF-16 units
    std::size_t parts_max = 0;  // of an SMS
    std::size_t messages_max = 0;
    std::size_t alt_chars_max = 0;   // of LINE's altText
    std::size_t bytes_max = 0;       // of the whole content as JSON
    std::size_t data_bytes_max = 0;  // of the keys and values of `data`
    bool tags = false;               // `data` goes as tags: A-Z a-z 0-9 _ -, at most 256
};

struct RequestShape {
    enum class Body { none, json, form };

    std::string method = "POST";
    std::string url;  // a template
    std::vector<std::pair<std::string, std::string>> headers;
    Body body_kind = Body::none;
    json::value body;  // see connect/shape.hpp
    std::string bearer;
    std::string username, password;  // of basic authentication
    std::string sign_with;           // the credential that signs as Standard Webhooks says
};

// Sends by SMTP instead.
struct MailShape {
    std::string url, username, password;  // templates
};

// Where the access token of a request comes from: a grant that is asked for beforehand.
struct TokenShape {
    std::string service_account;  // the credential that holds it
    std::string scope;
};

enum class Means { accepted, retry, refused, unknown };

// The first rule that fits an answer decides.
struct AnswerRule {
    std::vector<std::pair<int, int>> status;  // ranges
    Match when;
    Means means = Means::refused;
    Sources id;
    std::optional<Duration> after;  // how long to wait where the answer does not say
    std::string code;               // our word for it, instead of the provider's
    bool suppress = false;          // this address will never work
    bool renew_token = false;       // the access token is no longer good
    bool fallback = false;          // this address is used up: Connector::fallback sends it
};

// What a word of the provider means.
struct WordRule {
    std::optional<FactKind> kind;  // nothing: known, and no fact
    Match when;
    bool permanent = false;  // of a bounce: the address does not work
    Sources address;         // instead of the usual place
};

struct HookShape {
    enum class Time { rfc3339, seconds, milliseconds };

    Signing signing = Signing::bearer;
    std::string secret;  // the name of the credential
    Duration window{};   // how old a signed hook may be; 0: as old as it likes
    bool form = false;   // the body is a form instead of JSON
    Sources events;      // where the list is; none: the body is the event, or their list
    Sources id, word, external_id, message_id, address, at, machine;
    std::string external_id_until;  // the id ends before this text
    Time time = Time::rfc3339;
    std::map<std::string, std::vector<WordRule>, std::less<>> words;
    std::vector<std::pair<std::string, Sources>> detail;
};

// How a provider is asked whether it has a message whose answer never came. Its answers mean:
// accepted, the message is there; refused, it is not; retry, ask later; unknown, it cannot be told.
struct InquiryShape {
    enum class Time { rfc3339, rfc2822, seconds };

    RequestShape request;
    Duration after{};         // asked so long after the outcome became unknown, for the first time
    Duration absent_after{};  // one that is not there so long after its attempt was not sent
    int per_minute = 60;      // of one account
    std::vector<AnswerRule> answers;
    Sources list;          // what an accepted answer lists, where it is no proof by itself
    Sources id, text, at;  // of an item of the list
    std::string id_until;  // the id ends before this text
    Time time = Time::rfc3339;
};

// How several messages of an account go to the provider in one call, which is that of the first one
// but for what stands here.
struct BatchShape {
    std::string url;       // empty: that of the request
    std::size_t most = 0;  // messages in a call
    std::string merge;     // the member that lists what differs; the rest is the same for all.
                           // Empty: the body is the list of the bodies of all
    std::string key;       // the header by which the provider recognises the call
    Sources needs;         // only accounts that have this go in batches
    Sources list, id;      // of what was accepted, where the answer has an id for each
};

struct Connector {
    std::string name;
    std::string title;
    std::vector<std::string> channels;
    std::string account_of;  // the connector whose accounts it uses: itself unless it says so
    std::vector<AccountField> credentials;
    std::vector<AccountField> settings;
    AddressKind address = AddressKind::any;
    ContentRules content;
    Replay replay = Replay::reconcile;
    Duration replay_window{};  // how long the provider recognises an id; 0: for ever
    int per_second = 0;        // messages of one account; 0: no limit
    RequestShape request;
    std::optional<MailShape> mail;
    std::optional<TokenShape> token;
    std::vector<AnswerRule> answers;
    bool json_answers = false;  // what is no JSON is not the provider's answer
    Sources error_code, error_message;
    std::optional<HookShape> hooks;
    std::optional<InquiryShape> inquiry;  // `reconcile`
    std::optional<BatchShape> batch;
    // The connector by which a message goes to the person whose address here is used up; empty:
    // none.
    std::string fallback;
};

// Reads YAML or JSON. The error names the first place and what to write there.
Result<Connector> parse_connector(std::string_view text);
Result<Connector> connector_from_json(const json::value& value);
// Everything that is wrong; empty when parse_connector takes it.
std::vector<Problem> connector_problems(std::string_view text);

// Those that come with Pawl, by name.
const std::vector<Connector>& shipped_connectors();
const Connector* find_shipped(std::string_view name);

// What a person has to know to make an account: {name, title, channels, credentials, settings,
// replay, per_second, hooks}.
json::object describe(const Connector& connector);

}  // namespace pawl::connect
