#pragma once

#include "app/messages/person_uses.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pawl::app {

// Two walks, each newest first: runs about the person, and messages with what became of them. A
// cursor says how far each has come.
struct TimelineCursor {
    std::optional<RunId> run;
    std::optional<store::PersonItemCursor> item;
};
// Opaque to callers.
std::string to_text(const TimelineCursor& cursor);
std::optional<TimelineCursor> parse_timeline_cursor(std::string_view text);

using TimelineEntry = std::variant<store::RunSummary, store::PersonItem>;
Instant at(const TimelineEntry& entry);

struct Timeline {
    std::vector<TimelineEntry> entries;  // newest first
    std::optional<TimelineCursor> next;
};

// The page of two walks that were each asked for more than `limit`; pure. Below the place where the
// walk over runs stopped nothing is certain, so the page ends there.
Timeline merged(
    store::RunPage runs, std::vector<store::PersonItem> items, TimelineCursor before, int limit
);

asio::awaitable<Timeline> person_timeline(
    PersonUses& uses, store::Tenant tenant, std::string key, TimelineCursor before, int limit
);

}  // namespace pawl::app
