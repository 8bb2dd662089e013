#pragma once

#include "base/error.hpp"
#include "base/ids.hpp"

#include <vector>

namespace pawl::engine {

// What the failure of a commit means for the batch. Decided in one place, for every cause.
enum class Refusal {
    none,      // it went through
    unknown,   // the connection was lost around it: it may have gone through
    outage,    // the database can do nothing right now: whatever is sent, it would say the same
    passing,   // not written; the same may go through next time
    not_held,  // not written: the database does not have some of its runs with this worker
    fenced,    // not written: this worker was declared dead
    taken,     // not written: another writer was there first
    row,       // not written, and will not be: something in it cannot be stored
};

Refusal refusal_of(const Error& error);

// Whether an outage may be that of one row after all: a trigger that may not do something, a part
// of a table that cannot be read.
bool may_be_of_one_row(const Error& error);

// Those that the database named; none: it did not say which.
std::vector<RunId> named_runs(const Error& error);

}  // namespace pawl::engine
