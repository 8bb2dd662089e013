#include "store/run_pages.hpp"

#include "model/events/whole_run_events.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::store {

namespace {

// The smallest id of a run made at that instant or later (pawl.uuid7_bound).
Uuid bound(Instant at) {
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(at.time_since_epoch()).count();
    const auto since_1970 = static_cast<std::uint64_t>(std::max<std::int64_t>(ms, 0));
    Uuid id;
    for (std::size_t i = 0; i < 6; ++i) {
        id.bytes[i] = static_cast<std::uint8_t>(since_1970 >> (40 - 8 * i));
    }
    return id;
}

}  // namespace

IdRange range_of(const RunFilter& filter) {
    IdRange range;
    if (filter.created_after) range.from = bound(*filter.created_after);
    if (filter.created_before) range.before = bound(*filter.created_before);
    if (filter.before && (!range.before || filter.before->uuid < *range.before)) {
        range.before = filter.before->uuid;
    }
    return range;
}

RunPage merged(Walk first, Walk second, int limit) {
    const auto most = static_cast<std::size_t>(std::max(limit, 0));
    std::optional<RunId> certain_down_to;
    for (const auto* walk : {&first, &second}) {
        auto stopped = walk->stopped_at;
        if (walk->runs.size() > most) stopped = walk->runs.back().id;
        if (stopped && (!certain_down_to || *stopped > *certain_down_to)) certain_down_to = stopped;
    }
    RunPage page;
    if (first.scanned || second.scanned) {
        page.scanned = first.scanned.value_or(0) + second.scanned.value_or(0);
    }
    page.runs.reserve(first.runs.size() + second.runs.size());
    std::merge(
        std::make_move_iterator(first.runs.begin()),
        std::make_move_iterator(first.runs.end()),
        std::make_move_iterator(second.runs.begin()),
        std::make_move_iterator(second.runs.end()),
        std::back_inserter(page.runs),
        [](const RunSummary& a, const RunSummary& b) { return a.id > b.id; }
    );
    if (certain_down_to) {
        std::erase_if(page.runs, [&](const RunSummary& run) { return run.id < *certain_down_to; });
        page.next = certain_down_to;
    }
    if (page.runs.size() > most) {
        page.runs.resize(most);
        if (most > 0) page.next = page.runs.back().id;
    }
    return page;
}

void add_start_data(const json::value& data, RunDetails& details) {
    const auto started = events::read<events::RunStarted>(data);
    if (started.input) details.input = *started.input;
    details.triggered_by = started.triggered_by;
    details.correlation_id = started.correlation_id;
    if (const auto parent = parse_uuid(started.parent)) details.parent = RunId{*parent};
    if (const auto priority = started.rank.priority) {
        details.priority = static_cast<std::int16_t>(*priority);
    }
}

}  // namespace pawl::store
