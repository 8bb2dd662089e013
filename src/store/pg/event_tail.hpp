#pragma once

#include "pg/pool.hpp"
#include "store/store.hpp"

namespace pawl::store {

// How far a reader has read the log of a run; -1: nothing of it.
struct ReadTo {
    RunId run;
    std::int32_t seq = -1;
};

// An event as the stream over all runs shows it: what happened, without its data.
struct TailEvent {
    RunId run;
    std::string workflow;
    std::int32_t seq = 0;
    std::string type;
    std::string step;
    std::int16_t attempt = 0;
    Instant at{};
};

// A piece of the log of one run.
struct LogPage {
    std::vector<LogRow> rows;
    bool more = false;
};

struct Tail {
    std::vector<TailEvent> events;  // oldest first
    Instant next_after{};           // for the next call
};

// What was added to the log, for watchers. The pool must outlive it.
class EventTail {
public:
    explicit EventTail(pg::Pool& pool) : pool_(pool) {}

    // What came after, of many runs in one round trip: by run in the given order, by seq, up to
    // `limit` events and a few MiB in all; the rest comes with the next call. Whose runs they are
    // was looked at before.
    asio::awaitable<std::vector<LogRow>> events_after(
        Bucket bucket, std::vector<ReadTo> positions, int limit = 1000
    );
    asio::awaitable<LogPage> page_after(Bucket bucket, ReadTo position, int limit);
    // The log up to `position`, for plan::places_of and nothing else: what is large is left out.
    asio::awaitable<std::vector<Event>> shape(Bucket bucket, ReadTo position);
    // What happened in all runs of a tenant since an instant. Each event is given once when every
    // call goes on from the last one's next_after. Looks back an hour at most, and at about
    // `limit` events a call: an empty answer may still have moved on.
    asio::awaitable<Tail> tail(Tenant tenant, Instant after, int limit = 1000);

private:
    asio::awaitable<pg::Rows> read(Bucket bucket, std::vector<ReadTo> positions, int limit);
    asio::awaitable<void> summarize();
    pg::Pool& pool_;
    Steady::time_point summarized_{};
};

}  // namespace pawl::store
