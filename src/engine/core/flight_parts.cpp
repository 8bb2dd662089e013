#include "engine/core/flight_parts.hpp"

#include "model/events/signal_data.hpp"

#include <algorithm>
#include <iterator>

namespace pawl::engine {

namespace {

template <class Row, class Moves>
std::vector<Row> move_out(std::vector<Row>& rows, Moves moves) {
    const auto first = std::stable_partition(rows.begin(), rows.end(), [&](const Row& row) {
        return !moves(row);
    });
    std::vector<Row> moved(std::make_move_iterator(first), std::make_move_iterator(rows.end()));
    rows.erase(first, rows.end());
    return moved;
}

// The run that tells its parent how it ended.
RunId child_of(const store::ChildClosed& row) {
    const auto id = parse_uuid(events::read<events::ChildSignal>(row.data).run);
    return id ? RunId{*id} : RunId{};
}

store::Projections take_out(store::Projections& rows, const std::unordered_set<RunId>& runs) {
    const auto of_these = [&](const auto& row) { return runs.contains(row.run); };
    store::Projections taken;
    taken.subscribes = move_out(rows.subscribes, of_these);
    taken.unsubscribes = move_out(rows.unsubscribes, of_these);
    taken.left = move_out(rows.left, of_these);
    taken.opened = move_out(rows.opened, of_these);
    taken.noted = move_out(rows.noted, of_these);
    taken.closed = move_out(rows.closed, of_these);
    taken.published = move_out(rows.published, of_these);
    taken.children = move_out(rows.children, [&](const store::ChildClosed& row) {
        return runs.contains(child_of(row));
    });
    taken.ends = move_out(rows.ends, of_these);
    taken.repinned = move_out(rows.repinned, of_these);
    taken.ended = move_out(rows.ended, [&](RunId run) { return runs.contains(run); });
    return taken;
}

}  // namespace

Flight take_out(Flight& flight, const std::unordered_set<RunId>& runs) {
    const auto of_these = [&](const auto& row) { return runs.contains(row.run); };
    store::CommitBatch& batch = flight.batch;
    Flight taken;
    taken.runs = move_out(flight.runs, [&](RunId run) { return runs.contains(run); });
    taken.batch.bucket = batch.bucket;
    taken.batch.worker = batch.worker;
    taken.batch.resend = batch.resend;
    taken.batch.put_off = batch.put_off;
    taken.batch.events = move_out(batch.events, of_these);
    taken.batch.parks = move_out(batch.parks, of_these);
    taken.batch.closes = move_out(batch.closes, of_these);
    taken.batch.consumed = move_out(batch.consumed, of_these);
    taken.batch.projections = take_out(batch.projections, runs);
    return taken;
}

Flight take_half(Flight& flight) {
    const auto middle = static_cast<std::ptrdiff_t>(flight.runs.size() / 2);
    return take_out(flight, {flight.runs.begin() + middle, flight.runs.end()});
}

}  // namespace pawl::engine
