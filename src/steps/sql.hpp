#pragma once

#include "steps/step_request.hpp"
#include "store/repos/sql_steps.hpp"

#include <boost/asio/awaitable.hpp>

#include <string_view>

namespace pawl::steps {

namespace asio = boost::asio;

// A `sql` step: config.statement with config.params, exactly once. Result: {rows, count}, where
// count is the number of rows that came or that were touched. Errors have the code sql.<SQLSTATE>,
// "timeout", or "too_large". With config.read_only it can change nothing, and is not noted: it may
// run more than once. `steps` outlives the call.
asio::awaitable<StepOutcome> run_sql(
    store::SqlSteps& steps, store::Bucket bucket, StepRequest request
);

// A page of the rows that such a step kept with `stream: true`, for a foreach. config.page_of is
// {run, key, page}; the result is {page, items}. `steps` outlives the call.
asio::awaitable<StepOutcome> read_page(
    store::SqlSteps& steps, store::Bucket bucket, StepRequest request
);

// What an error of the database means for a retry. Whatever it was, the transaction was undone, or
// the next attempt finds what it did: nothing is ever ambiguous.
StepError classify_sql(const Failure& failure);

// The first word of a statement in lower case, behind comments and brackets.
std::string first_word(std::string_view statement);

}  // namespace pawl::steps
