#pragma once

#include "pg/pool.hpp"
#include "store/projection.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A message that is about to be sent. Empty: not given.
struct MessageAsked {
    TenantId tenant = 1;
    Uuid id;
    std::string person;
    std::string channel;
    std::string to;
    std::string message_template;
    std::string category;
    std::string connector;
    std::string account;
};

// What pawl.prepare_messages says about it.
struct MessagePrepared {
    json::value person;  // null: there is none
    std::string address;
    json::value content;  // of the template
    std::int32_t template_version = 0;
    std::string category;
    std::string connector;
    std::string account;
    std::string verdict;  // why it is not sent; empty: it is
    std::optional<Instant> wait_until;
    std::string problem;  // why none of its kind can be sent
    std::string hidden;   // to be asked for by HiddenAddresses; empty: it need not
};

// What pawl.begin_messages says about a message that is about to go out.
struct MessageStarted {
    std::string outcome;  // begun, sent, interrupted
    std::string external_id;
};

// A message of an account that goes out at a rate (pawl.pace_messages).
struct PaceAsked {
    std::string gate;
    Duration step{};  // from one message to the next
};
struct PaceTurn {
    Duration wait{};
    bool later = false;
};

// What a provider said (pawl.take_facts). Empty: not given.
struct MessageFact {
    TenantId tenant = 1;
    std::string connector;
    std::string account;
    std::string event_id;
    std::string kind;
    std::string external_id;
    std::optional<Uuid> message;
    std::string person;  // of a fact about no message
    std::string channel;
    std::string address;
    Instant at{};
    bool machine = false;
    json::object detail;
};

struct FactsTaken {
    std::int32_t fresh = 0;
    std::int32_t matched = 0;
    std::int32_t waiting = 0;  // for their message
    bool told = false;         // events were published, or steps are to be settled
};

// pawl.message and what belongs to it. The pool must outlive it.
class Messages {
public:
    explicit Messages(pg::Pool& pool) : pool_(pool) {}

    // In the order of what was asked, with one query for all.
    asio::awaitable<std::vector<MessagePrepared>> prepare(
        Bucket bucket, std::vector<MessageAsked> asked
    );
    // All in the order of what was given, with one query.
    asio::awaitable<std::vector<MessageStarted>> begin(Bucket bucket, std::vector<MessageRow> rows);
    asio::awaitable<std::vector<PaceTurn>> pace(Bucket bucket, std::vector<PaceAsked> asked);
    asio::awaitable<void> release(Bucket bucket, std::vector<Uuid> ids);
    // Writes messages whose steps end without a result.
    asio::awaitable<void> note(Bucket bucket, std::vector<MessageRow> rows);
    // The provider will never take a message to it; the person may have been erased since.
    asio::awaitable<void> suppress_refused(
        TenantId tenant, std::string person, std::string channel, std::string address
    );
    asio::awaitable<FactsTaken> take(Bucket bucket, std::vector<MessageFact> facts);
    // A person has proved that an address is theirs.
    asio::awaitable<void> link(
        TenantId tenant, std::string person, std::string channel, std::string address
    );
    // A tenant's own connector; nothing: there is none.
    asio::awaitable<std::optional<json::value>> find_connector(TenantId tenant, std::string name);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
