#pragma once

#include "pg/params.hpp"
#include "pg/query.hpp"
#include "pg/rows.hpp"
#include "store/store.hpp"

#include <vector>

// The hot batches, to and from the wire.
namespace pawl::store {

// Which statement starts the batch, and its parameters: most batches need no more than start_runs.
const pg::Query& start_query(const StartBatch& batch);
pg::Params start_params(const StartBatch& batch);
// Which rule of entry the run brings to pawl.start_guarded_runs.
void add_entry_rule(pg::Array& rules, const NewRun& run);
// `held`: all runs of the batch, those that close and those that park first.
pg::Params commit_params(
    const CommitBatch& batch, const std::vector<RunId>& held, pg::Array places
);

// Rows of (run_id, seq, type, attempt, node, data, error, at, signal); a row with a signal's id is
// that signal: its kind stands in node.
Claimed claimed_of(const pg::Rows& rows);
// Rows of (id, run_id, kind, data).
std::vector<Signal> signals_of(const pg::Rows& rows);
// Rows of (run_id, seq, type, attempt, node, data, error, at).
std::vector<LogRow> log_rows(const pg::Rows& rows);
// One event whose seq stands in column `first`.
Event event_of(const pg::Rows& rows, int row, int first);

}  // namespace pawl::store
