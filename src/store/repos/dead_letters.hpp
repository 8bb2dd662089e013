#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// A failed run that waits for an operator.
struct DeadLetter {
    RunId run;
    Instant at{};
    std::string workflow;
    std::int32_t version = 1;
    std::string step;  // where it gave up; empty: the run as a whole
    json::value error;
    std::string fingerprint;  // the same for the same error
    std::optional<RunId> replayed_as;
    std::optional<Instant> replayed_at;
};

// Conditions that are not set hold for every dead letter.
struct DeadLetterFilter {
    std::string workflow;
    std::string fingerprint;  // how it begins, as fingerprint_prefix() gives it
    std::string step;
    std::optional<bool> replayed;
    std::optional<Instant> after;   // later than this
    std::optional<Instant> before;  // earlier than this
};

// What a replay changes about the runs that it makes.
struct ReplayFix {
    json::object data;            // added to their input
    bool active_version = false;  // they move to it, where their state fits
};

// What was written to say which error, as the database has it; an error when it cannot be one.
Result<std::string> fingerprint_prefix(std::string text);

// As a job keeps it. `replayed` is left out: only what was not replayed can be.
json::object to_json(const DeadLetterFilter& filter);
json::object to_json(const DeadLetterFilter& filter, const ReplayFix& fix);

struct DeadLetterCursor {
    Instant at{};
    RunId run;
};

struct DeadLetterPage {
    std::vector<DeadLetter> letters;  // newest first
    // Where the next page begins; none: there is nothing older.
    std::optional<DeadLetterCursor> next;
};

struct DeadLetterGroup {
    std::string fingerprint;
    std::string workflow;
    std::string step;
    std::string message;  // of the newest
    std::int64_t count = 0;
    Instant first_at{};
    Instant last_at{};
    RunId sample_run;
    json::value pulse;  // how many came in each of the last 24 hours, oldest first
    // Set: a person has seen it and wants to hear no more of it.
    std::optional<Instant> muted_at;
    std::string muted_by;
    std::string muted_by_name;  // if that is an API key
    std::string mute_reason;
};

struct DeadLetterGroups {
    std::vector<DeadLetterGroup> groups;  // most frequent first
    bool complete = true;                 // false: an error has more than were counted
};

// pawl.dead_letter, seen. The pool must outlive it.
class DeadLetters {
public:
    explicit DeadLetters(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<DeadLetterPage> list(
        Tenant tenant,
        DeadLetterFilter filter,
        int limit = 50,
        std::optional<DeadLetterCursor> cursor = std::nullopt,
        int scan_max = 1000
    );
    // The fingerprint of the filter is not looked at. Counts `scan_max` letters of one error at
    // most.
    asio::awaitable<DeadLetterGroups> groups(
        Tenant tenant, DeadLetterFilter filter, int limit = 100, int scan_max = 100'000
    );
    asio::awaitable<std::optional<DeadLetter>> find(Tenant tenant, RunId run);
    // Since when; nothing: the tenant has no such error.
    asio::awaitable<std::optional<Instant>> mute(
        Tenant tenant, std::string fingerprint, std::string reason, std::string by
    );
    // False: it was not muted.
    asio::awaitable<bool> unmute(TenantId tenant, std::string fingerprint);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
