#pragma once

#include "model/events/log_codec.hpp"

// What events say about the items of a foreach, and about the rounds of a loop.
namespace pawl::events {

// What a loop leaves while it goes round.
struct LoopRound {
    std::optional<std::int64_t> index;  // from 0

    PAWL_LOGGED(LoopRound, (when_set, index));
};

// Rows that a sql step has left beside the log, in pages. Anything may look like it, also an input.
struct PagedList {
    std::string run;
    std::string key;
    std::optional<std::int64_t> pages;
    std::optional<std::int64_t> count;

    PAWL_LOGGED(PagedList, (always, run, key), (when_set, pages, count));
};

// The items, or that they come in pages, or the next page of them.
struct ItemsListed {
    static constexpr EventType type = EventType::items_listed;

    Payload pages_of;  // PagedList
    Payload items;
    // Where the definition has a template for it.
    std::optional<std::int64_t> concurrency;
    std::optional<std::int64_t> tolerated_failures;
    bool fail_fast = false;        // begins no more items once too many have failed
    std::optional<Instant> until;  // when the time of all items is over
    std::optional<std::int64_t> page;

    PAWL_LOGGED(
        ItemsListed,
        (when_set, pages_of, items, concurrency, tolerated_failures),
        (truth, fail_fast),
        (when_set, until, page)
    );
};

// A retry tries items again that failed, or the scope.
struct ItemsReopened {
    static constexpr EventType type = EventType::items_reopened;

    Numbers items;

    PAWL_LOGGED(ItemsReopened, (always, items));
};

}  // namespace pawl::events
