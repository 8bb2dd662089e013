#include "store/pg/event_tail.hpp"

#include "base/log.hpp"
#include "pg/row_reader.hpp"
#include "store/pg/pg_batches.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

namespace pawl::store {

namespace {

// Pages that are not summarised are read again by every call. Once in a while is enough.
constexpr auto summarize_every = std::chrono::seconds(5);

}  // namespace

asio::awaitable<pg::Rows> EventTail::read(Bucket bucket, std::vector<ReadTo> positions, int limit) {
    pg::Array runs(pg::Type::uuid), seqs(pg::Type::int4);
    runs.reserve(positions.size(), 16);
    seqs.reserve(positions.size(), 4);
    for (const ReadTo& position : positions) {
        runs.add(position.run.uuid);
        seqs.add(position.seq);
    }
    co_return co_await call(
        pool_, queries::events_after, params_of(bucket, std::move(runs), std::move(seqs), limit)
    );
}

asio::awaitable<std::vector<LogRow>> EventTail::events_after(
    Bucket bucket, std::vector<ReadTo> positions, int limit
) {
    if (positions.empty()) co_return std::vector<LogRow>();
    co_return log_rows(co_await read(bucket, std::move(positions), limit));
}

asio::awaitable<LogPage> EventTail::page_after(Bucket bucket, ReadTo position, int limit) {
    // One more than asked for tells whether there is a next page.
    const auto rows = co_await read(bucket, {position}, limit + 1);
    LogPage page{log_rows(rows), rows.size() > 0 && rows.boolean(rows.size() - 1, 9)};
    if (page.rows.size() <= static_cast<std::size_t>(limit)) co_return page;
    page.rows.resize(static_cast<std::size_t>(limit));
    page.more = true;
    co_return page;
}

asio::awaitable<std::vector<Event>> EventTail::shape(Bucket bucket, ReadTo position) {
    const auto rows = co_await call(
        pool_, queries::load_shape, params_of(bucket, position.run.uuid, position.seq)
    );
    std::vector<Event> log;
    for (int row = 0; row < rows.size(); ++row) log.push_back(event_of(rows, row, 0));
    co_return log;
}

// Makes later calls cheaper, and no more: a standby cannot do it and is read all the same.
asio::awaitable<void> EventTail::summarize() {
    try {
        co_await call(pool_, queries::summarize_log, pg::Params());
    } catch (const Failure& failure) {
        log::debug("the log could not be summarised", {log::field("error", failure.what())});
    }
}

asio::awaitable<Tail> EventTail::tail(Tenant tenant, Instant after, int limit) {
    if (Steady::now() - summarized_ >= summarize_every) {
        summarized_ = Steady::now();
        co_await summarize();
    }
    const auto rows = co_await call(
        pool_, queries::tail_events, params_of(tenant.bucket, tenant.id, after, limit)
    );
    Tail tail;
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 0)) {
            tail.next_after = rows.instant(row, 6);
            break;
        }
        TailEvent& event = tail.events.emplace_back();
        pg::RowReader(rows, row) >> event.run >> event.workflow >> event.seq >> event.type >>
            event.step >> event.attempt >> event.at;
    }
    co_return tail;
}

}  // namespace pawl::store
