#include "app/messages/timeline.hpp"

#include "app/views/run_json.hpp"
#include "base/json.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::app {

namespace {

// Of the id, which carries it: what runs are sorted by.
Instant at_of(const store::RunSummary& run) {
    return created_at(run.id);
}

}  // namespace

std::string to_text(const TimelineCursor& cursor) {
    json::object out;
    if (cursor.run) out["run"] = to_string(*cursor.run);
    if (cursor.item) {
        out["at"] = to_rfc3339(cursor.item->at);
        out["kind"] = cursor.item->kind;
        out["id"] = cursor.item->id;
    }
    return json::serialize(out);
}

std::optional<TimelineCursor> parse_timeline_cursor(std::string_view text) {
    const auto read = parse_json(text);
    if (!read || !read->is_object()) return std::nullopt;
    TimelineCursor cursor;
    if (const auto run = text_in(*read, "run"); !run.empty()) {
        const auto id = parse_uuid(run);
        if (!id) return std::nullopt;
        cursor.run = RunId{*id};
    }
    if (const auto at = text_in(*read, "at"); !at.empty()) {
        const auto instant = parse_rfc3339(at);
        if (!instant) return std::nullopt;
        cursor.item = {
            *instant, std::string(text_in(*read, "kind")), std::string(text_in(*read, "id"))};
    }
    return cursor;
}

Instant at(const TimelineEntry& entry) {
    if (const auto* run = std::get_if<store::RunSummary>(&entry)) return at_of(*run);
    return std::get<store::PersonItem>(entry).place.at;
}

Timeline merged(
    store::RunPage runs, std::vector<store::PersonItem> items, TimelineCursor before, int limit
) {
    Timeline timeline;
    TimelineCursor reached = std::move(before);
    std::size_t run = 0;
    std::size_t item = 0;
    const auto most = static_cast<std::size_t>(limit);
    while (timeline.entries.size() < most) {
        const bool more_runs = run < runs.runs.size();
        const bool more_items = item < items.size();
        // Runs that were not looked at yet may be newer than the next item.
        const bool blind = !more_runs && runs.next &&
                           (!more_items || items[item].place.at <= created_at(*runs.next));
        if (blind || (!more_runs && !more_items)) break;
        if (more_runs && (!more_items || at_of(runs.runs[run]) > items[item].place.at)) {
            reached.run = runs.runs[run].id;
            timeline.entries.emplace_back(std::move(runs.runs[run++]));
        } else {
            reached.item = items[item].place;
            timeline.entries.emplace_back(std::move(items[item++]));
        }
    }
    const bool all_runs = run == runs.runs.size();
    if (all_runs && runs.next) reached.run = runs.next;
    if (!all_runs || runs.next || item < items.size()) timeline.next = std::move(reached);
    return timeline;
}

asio::awaitable<Timeline> person_timeline(
    PersonUses& uses, store::Tenant tenant, std::string key, TimelineCursor before, int limit
) {
    store::RunFilter filter;
    filter.subject = key;
    filter.before = before.run;
    filter.limit = limit + 1;
    auto runs = co_await uses.store.list_runs(tenant, filter);
    auto items = co_await uses.messages.of_person(tenant, std::move(key), before.item, limit + 1);
    co_return merged(std::move(runs), std::move(items), std::move(before), limit);
}

}  // namespace pawl::app
