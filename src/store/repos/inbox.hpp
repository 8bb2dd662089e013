#pragma once

#include "pg/pool.hpp"
#include "store/outside_event.hpp"
#include "store/store.hpp"

#include <cstddef>
#include <map>

namespace pawl::store {

// An event in the inbox.
struct InboxEvent : OutsideEvent {
    std::int64_t number = 0;  // in the order of arrival
    Instant at{};             // when it arrived
    bool pending = false;     // not yet matched against waiting runs
    std::string problem;      // why a workflow was not or cannot be started by it; empty: none
};

struct InboxFilter {
    std::string name;  // empty: any
    std::string key;   // empty: any
    std::optional<std::int64_t> before;
    int limit = 50;
    int scan_max = 1000;
};

struct InboxPage {
    std::vector<InboxEvent> events;  // newest first
    std::optional<std::int64_t> next;
};

// Of triggers, by their place, whether their conditions hold, where these ask for values that the
// database has seen and the event does not have.
using ToldConditions = std::map<std::size_t, bool>;

struct TriggeredVersion : StartVersion {
    ToldConditions told;
};

// An event that may start runs of these workflow versions; none when they were taken away
// meanwhile.
struct TriggeringEvent {
    InboxEvent event;
    std::vector<TriggeredVersion> workflows;
};

// What came of it: empty, or why a run was not started.
struct TriggerOutcome {
    std::int64_t number = 0;
    std::string problem;
    bool held = false;  // it is tried again when its tenant has room
};

// A tenant that has events which are held, and the first of them.
struct HeldTriggers {
    TenantId tenant = 0;
    std::int64_t first = 0;
};

// A table whose changes become events (pawl.watch_table).
struct Watch {
    std::string source;      // schema.table
    std::string event;       // the name of the events
    json::value operations;  // [INSERT, ...]
    std::string tenant_column;
    std::string subject_column;
    json::value workflows;  // the names of those that want its changes
    std::string problem;    // what is wrong with the table; empty: nothing
};

// pawl.inbox, beyond what every Store does. The pool must outlive it.
class Inbox {
public:
    explicit Inbox(pg::Pool& pool) : pool_(pool) {}

    asio::awaitable<InboxPage> list(Tenant tenant, InboxFilter filter);
    // Those whose changes may be of the tenant, by name.
    asio::awaitable<std::vector<Watch>> watches(TenantId tenant);
    // Takes events to start workflows by them; a caller that does not finish them in time loses
    // them to the next one. A correlation key prevents a second start, not this lease.
    asio::awaitable<std::vector<TriggeringEvent>> claim_triggers(
        Bucket bucket, int limit, Duration lease
    );
    asio::awaitable<void> finish_triggers(Bucket bucket, std::vector<TriggerOutcome> outcomes);
    // Lets events that were held be claimed again, as far as there is room, except those of
    // `busy`; what is left.
    asio::awaitable<std::vector<HeldTriggers>> release_triggers(
        Bucket bucket, const std::vector<TenantId>& busy
    );
    // Removes up to about `limit` events that are older and that no run can want any more.
    asio::awaitable<std::int64_t> purge(Bucket bucket, Duration keep, int limit);

private:
    pg::Pool& pool_;
};

}  // namespace pawl::store
