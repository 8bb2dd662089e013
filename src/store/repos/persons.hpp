#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pawl::store {

struct PersonKey {
    TenantId tenant = 1;
    std::string key;
};

// A person of a tenant that keeps them here (pawl.person).
struct Person {
    std::string key;
    json::object attributes;
    json::object addresses;  // by channel
    std::string locale;      // empty: none
    std::string timezone;
    Instant created_at{};
    Instant updated_at{};
};

struct Erased {
    bool known = false;  // the person was kept here
    std::int32_t runs = 0;
};

// The people that runs are about, wherever their tenants keep them (pawl.person_source). The pool
// must outlive it.
class Persons {
public:
    struct Found {
        std::vector<Person> people;  // by key
        // Where the next search goes on; nothing: all were looked at.
        std::optional<std::string> next;
    };

    // As read() gives them.
    struct FoundElsewhere {
        std::vector<json::object> people;
        std::optional<std::string> next;
    };

    explicit Persons(pg::Pool& pool) : pool_(pool) {}

    // In the order of the keys; nothing where there is no such person. One query for all. What is
    // redacted is hidden.
    using People = std::vector<std::optional<json::object>>;
    asio::awaitable<People> read(std::vector<PersonKey> keys);
    // With the values of redacted columns, and their names (steps::redacted_member), for a caller
    // that neither keeps nor shows them.
    asio::awaitable<People> read_whole(std::vector<PersonKey> keys);

    // As search(), for a tenant with a table of its own; an empty text finds all.
    asio::awaitable<FoundElsewhere> search_source(
        TenantId tenant, std::string after, std::string text, int limit, int looked_max = 20'000
    );

    // The rest is about those that are kept here.

    // Of several with one key the last counts; in the order of the keys.
    asio::awaitable<std::vector<Person>> put(TenantId tenant, std::vector<Person> people);
    asio::awaitable<std::optional<Person>> find(TenantId tenant, std::string key);
    // By key, after this one.
    asio::awaitable<std::vector<Person>> list(TenantId tenant, std::string after, int limit);
    // Up to `limit` of the next `looked_max` after this key, which have the text somewhere.
    asio::awaitable<Found> search(
        TenantId tenant, std::string after, std::string text, int limit, int looked_max = 20'000
    );
    // Also what is kept of messages to the person, and with `runs` the closed runs about them.
    asio::awaitable<Erased> erase(TenantId tenant, std::string key, bool runs);
    // The table of its own that the tenant has its people in; empty: they are kept here.
    asio::awaitable<std::string> source(TenantId tenant);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
