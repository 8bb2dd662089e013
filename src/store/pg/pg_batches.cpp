#include "store/pg/pg_batches.hpp"

#include "base/log.hpp"
#include "store/pg/tenant_call.hpp"
#include "store/queries.gen.hpp"

#include <algorithm>

namespace pawl::store {

using pg::Array;
using pg::Params;
using pg::Type;

namespace {

// NULL instead of an array when no run has branched: the server then stores none.
void add_tokens(Params& params, const std::vector<LogRow>& events) {
    const bool any = std::any_of(events.begin(), events.end(), [](const LogRow& row) {
        return row.event.token != 0;
    });
    if (!any) {
        params.add_null();
        return;
    }
    Array token(Type::int4);
    for (const LogRow& row : events) {
        if (row.event.token != 0) {
            token.add(static_cast<std::int32_t>(row.event.token));
        } else {
            token.add_null();
        }
    }
    params.add(std::move(token));
}

void add_events(Params& params, const std::vector<LogRow>& events) {
    Array run(Type::uuid), seq(Type::int4), type(Type::int2), attempt(Type::int2), node(Type::text),
        data(Type::jsonb), error(Type::jsonb);
    run.reserve(events.size(), 16);
    seq.reserve(events.size(), 4);
    type.reserve(events.size(), 2);
    attempt.reserve(events.size(), 2);
    node.reserve(events.size(), 12);
    data.reserve(events.size(), 8);
    error.reserve(events.size(), 0);
    for (const LogRow& row : events) {
        run.add(row.run.uuid);
        seq.add(row.event.seq);
        type.add(static_cast<std::int16_t>(row.event.type));
        if (row.event.attempt > 0) {
            attempt.add(row.event.attempt);
        } else {
            attempt.add_null();
        }
        node.add_or_null(row.event.node);
        data.add_json(row.event.data);
        error.add_json(row.event.error);
    }
    params.add(std::move(run)).add(std::move(seq)).add(std::move(type)).add(std::move(attempt));
    params.add(std::move(node)).add(std::move(data)).add(std::move(error));
    add_tokens(params, events);
}

void add_parks(Params& params, const std::vector<Park>& parks) {
    Array run(Type::uuid), due(Type::timestamptz);
    for (const Park& park : parks) {
        run.add(park.run.uuid);
        add_some(due, park.due_at);
    }
    params.add(std::move(run)).add(std::move(due));
}

void add_closes(Params& params, const std::vector<Close>& closes) {
    Array run(Type::uuid), started(Type::timestamptz), tenant(Type::int4), workflow(Type::int4),
        version(Type::int4), status(Type::int2), subject(Type::text), output(Type::jsonb),
        error(Type::jsonb), node(Type::text);
    for (const Close& close : closes) {
        run.add(close.run.uuid);
        started.add(close.started_at);
        tenant.add(close.tenant);
        workflow.add(close.workflow);
        version.add(close.version);
        status.add(static_cast<std::int16_t>(close.status));
        subject.add_or_null(close.subject);
        output.add_json(close.output);
        error.add_json(close.error);
        node.add_or_null(close.node);
    }
    params.add(std::move(run))
        .add(std::move(started))
        .add(std::move(tenant))
        .add(std::move(workflow));
    params.add(std::move(version)).add(std::move(status)).add(std::move(subject));
    params.add(std::move(output)).add(std::move(error)).add(std::move(node));
}

void add_consumed(Params& params, const std::vector<Signal>& consumed) {
    Array id(Type::int8), run(Type::uuid);
    for (const Signal& signal : consumed) {
        id.add(signal.id);
        run.add(signal.run.uuid);
    }
    params.add(std::move(id)).add(std::move(run));
}

// NULL instead of an array when no run has a key: the server then skips that part.
void add_correlations(Params& params, const std::vector<NewRun>& runs) {
    const bool any = std::any_of(runs.begin(), runs.end(), [](const NewRun& run) {
        return !run.correlation.empty();
    });
    if (!any) {
        params.add_null();
        return;
    }
    Array keys(Type::text);
    for (const NewRun& run : runs) keys.add_or_null(run.correlation);
    params.add(std::move(keys));
}

// Empty when nothing holds any run back; NULL would have the server look into the definitions.
void add_tickets(Params& params, const std::vector<NewRun>& runs) {
    Array tickets(Type::jsonb);
    const bool any = std::any_of(runs.begin(), runs.end(), [](const NewRun& run) {
        return !run.flow.is_null();
    });
    if (any) {
        for (const NewRun& run : runs) tickets.add_json(run.flow);
    }
    params.add(std::move(tickets));
}

bool is_guarded(const NewRun& run) {
    if (run.is_child) return false;
    return run.has_enter_if || (run.reentry != Reentry::always && !run.subject.empty());
}

bool is_guarded(const StartBatch& batch) {
    return std::any_of(batch.runs.begin(), batch.runs.end(), [](const NewRun& run) {
        return is_guarded(run);
    });
}

}  // namespace

// Smaller numbers are the rules that have no time.
static constexpr std::int64_t entry_after_min = 1000;

void add_entry_rule(Array& rules, const NewRun& run) {
    if (run.is_child) return rules.add_null();
    if (run.reentry != Reentry::after) {
        return rules.add(static_cast<std::int64_t>(run.reentry));
    }
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(run.reentry_after).count();
    rules.add(std::max(std::int64_t{ms}, entry_after_min));
}

const pg::Query& start_query(const StartBatch& batch) {
    return is_guarded(batch) ? queries::start_guarded_runs : queries::start_runs;
}

Params start_params(const StartBatch& batch) {
    Array run(Type::uuid), tenant(Type::int4), workflow(Type::int4), version(Type::int4),
        subject(Type::text), priority(Type::int2), due(Type::timestamptz), data(Type::jsonb),
        lease(Type::boolean);
    run.reserve(batch.runs.size(), 16);
    data.reserve(batch.runs.size(), 48);
    for (const NewRun& next : batch.runs) {
        run.add(next.id.uuid);
        tenant.add(next.tenant);
        workflow.add(next.workflow);
        version.add(next.version);
        subject.add_or_null(next.subject);
        priority.add(next.priority);
        add_some(due, next.due_at);
        data.add_json(next.data);
        lease.add(next.lease && batch.worker.has_value());
    }
    Params params;
    params.add(batch.bucket);
    params.add(batch.worker ? std::optional<Uuid>(batch.worker->uuid) : std::nullopt);
    params.add(batch.resend);
    params.add(std::move(run))
        .add(std::move(tenant))
        .add(std::move(workflow))
        .add(std::move(version));
    params.add(std::move(subject))
        .add(std::move(priority))
        .add(std::move(due))
        .add(std::move(data));
    add_correlations(params, batch.runs);
    params.add(std::move(lease));
    if (is_guarded(batch)) {
        Array rules(Type::int8);
        for (const NewRun& one : batch.runs) add_entry_rule(rules, one);
        params.add(std::move(rules));
    }
    add_tickets(params, batch.runs);
    return params;
}

Params commit_params(const CommitBatch& batch, const std::vector<RunId>& held, Array places) {
    Params params;
    params.add(batch.bucket).add(batch.worker.uuid).add(batch.resend);
    add_events(params, batch.events);
    add_parks(params, batch.parks);
    add_closes(params, batch.closes);
    add_consumed(params, batch.consumed);
    Array ids(Type::uuid);
    ids.reserve(held.size(), 16);
    for (const RunId& run : held) ids.add(run.uuid);
    params.add(std::move(ids)).add(std::move(places));
    return params;
}

namespace {

// One value that cannot be read must not stand in the way of all others: it is left out.
std::optional<json::value> read(const pg::Rows& rows, int row, int column, RunId run) {
    auto value = rows.readable_jsonb(row, column);
    if (value) return value;
    log::error(
        "a value cannot be read: it is too deep, or a number in it is out of range",
        {log::field("run", to_string(run))}
    );
    return std::nullopt;
}

Event plain_event(const pg::Rows& rows, int row, int first) {
    Event event;
    event.seq = rows.int4(row, first);
    event.type = static_cast<EventType>(rows.int2(row, first + 1));
    event.attempt = rows.is_null(row, first + 2) ? std::int16_t{0} : rows.int2(row, first + 2);
    event.node = rows.text(row, first + 3);
    event.at = rows.instant(row, first + 6);
    if (!rows.is_null(row, first + 7)) {
        event.token = static_cast<std::uint32_t>(rows.int4(row, first + 7));
    }
    return event;
}

LogRow log_row(const pg::Rows& rows, int row) {
    LogRow made{RunId{rows.uuid(row, 0)}, plain_event(rows, row, 1)};
    auto data = read(rows, row, 5, made.run);
    auto error = read(rows, row, 6, made.run);
    made.readable = data && error;
    if (data) made.event.data = std::move(*data);
    if (error) made.event.error = std::move(*error);
    return made;
}

}  // namespace

Event event_of(const pg::Rows& rows, int row, int first) {
    Event event = plain_event(rows, row, first);
    event.data = rows.jsonb(row, first + 4);
    event.error = rows.jsonb(row, first + 5);
    return event;
}

Claimed claimed_of(const pg::Rows& rows) {
    Claimed claimed;
    claimed.log.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 9)) {
            claimed.log.push_back(log_row(rows, row));
            continue;
        }
        const RunId run{rows.uuid(row, 0)};
        auto data = read(rows, row, 5, run).value_or(nullptr);
        claimed.signals.push_back({rows.int8(row, 9), run, rows.text(row, 4), std::move(data)});
    }
    return claimed;
}

std::vector<Signal> signals_of(const pg::Rows& rows) {
    std::vector<Signal> signals;
    signals.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) {
        const RunId run{rows.uuid(row, 1)};
        auto data = read(rows, row, 3, run).value_or(nullptr);
        signals.push_back({rows.int8(row, 0), run, rows.text(row, 2), std::move(data)});
    }
    return signals;
}

std::vector<LogRow> log_rows(const pg::Rows& rows) {
    std::vector<LogRow> log;
    log.reserve(static_cast<std::size_t>(rows.size()));
    for (int row = 0; row < rows.size(); ++row) log.push_back(log_row(rows, row));
    return log;
}

}  // namespace pawl::store
