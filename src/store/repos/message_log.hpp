#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A message as lists show it. Empty: not given.
struct Message {
    Uuid id;
    bool test = false;  // tries out a template, of no run
    RunId run;
    std::string workflow;
    std::int32_t version = 1;
    std::string node;
    std::string person;
    std::string channel;
    std::string connector;
    std::string account;
    std::string message_template;
    std::optional<std::int32_t> template_version;
    std::string variant;
    std::string category;
    std::string address;
    std::string external_id;
    std::string state;
    std::string reason;
    std::string error;
    Instant created_at{};
    std::optional<Instant> sent_at, delivered_at, opened_at, machine_opened_at, clicked_at,
        bounced_at, complained_at, failed_at, unsubscribed_at, replied_at;
};

struct MessageCursor {
    Instant at{};
    Uuid id;
};

// Conditions that are not set hold for every message.
struct MessageFilter {
    std::string external_id;
    std::string person;
    std::string state;
    std::optional<RunId> run;
    std::string workflow;
    std::optional<MessageCursor> before;
    int limit = 50;
    int scan_max = 10'000;
};

struct MessagePage {
    std::vector<Message> messages;  // newest first
    std::optional<MessageCursor> next;
};

// What a provider said about a message.
struct FactShown {
    std::string kind;
    Instant at{};
    Instant received_at{};
    bool machine = false;
    std::string connector;
    std::string account;
    std::string provider_event_id;
    json::value detail;
};

// Where a walk over what a person got goes on.
struct PersonItemCursor {
    Instant at{};
    std::string kind;
    std::string id;
};
// A message to a person, or what became of one.
struct PersonItem {
    PersonItemCursor place;
    json::object entry;
};

// A message whose send had an unknown outcome until facts proved it.
struct ProvedMessage {
    Uuid id;
    RunId run;
    TenantId tenant = 1;
    std::string node;  // empty: there is nothing to settle any more
    std::string state;
    std::string channel;
    std::string connector;
    std::string account;
    std::string category;
    std::string message_template;
    std::optional<std::int32_t> template_version;
    std::string external_id;
};

// Messages that were sent or skipped, as people look at them. The pool must outlive it.
class MessageLog {
public:
    explicit MessageLog(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<MessagePage> list(Tenant tenant, MessageFilter filter);
    asio::awaitable<std::optional<Message>> find(Tenant tenant, Uuid id);
    // Oldest first.
    asio::awaitable<std::vector<FactShown>> facts(Tenant tenant, Uuid id);
    // Newest first.
    asio::awaitable<std::vector<PersonItem>> of_person(
        Tenant tenant, std::string person, std::optional<PersonItemCursor> before, int limit
    );

    // What a person says of a message whose outcome is unknown: that it was sent, or was not.
    // False: it is known.
    asio::awaitable<bool> settle(Tenant tenant, Uuid id, bool sent, std::string reason);

    // They stay until they are dropped, so that none is lost with the process that settles them.
    asio::awaitable<std::vector<ProvedMessage>> proved(Bucket bucket, int limit);
    asio::awaitable<void> drop_proved(Bucket bucket, std::vector<Uuid> ids);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
