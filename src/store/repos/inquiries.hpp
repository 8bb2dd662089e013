#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

// A message whose outcome is unknown, that its provider is to be asked about.
struct MessageInquiry {
    Uuid id;
    TenantId tenant = 1;
    RunId run;
    std::string node;
    std::string connector;
    std::string account;
    std::string address;  // empty: not known any more
    std::optional<std::int64_t> text_hash;
    Instant begun{};  // before the first attempt
    int tries = 1;    // with this one
    Instant since{};  // when it became unknown
};

// pawl.message_inquiry. The pool must outlive it, and an inquiry the call that is given it.
class Inquiries {
public:
    explicit Inquiries(pg::Pool& pool) : pool_(pool) {}

    // What is due, for the time of the lease: no other process takes it, and if this one dies
    // another does afterwards.
    asio::awaitable<std::vector<MessageInquiry>> take(Bucket bucket, int limit, Duration lease);
    // Both do nothing when another attempt has become unknown since it was taken.
    asio::awaitable<void> put_off(Bucket bucket, const MessageInquiry& inquiry, Duration wait);
    asio::awaitable<void> drop(Bucket bucket, const MessageInquiry& inquiry);
    // Which of a provider's ids are those of other messages.
    asio::awaitable<std::vector<std::string>> others(
        TenantId tenant, Uuid message, std::vector<std::string> external_ids
    );

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
