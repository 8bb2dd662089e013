#pragma once

#include "cli/terminal/globals.hpp"
#include "pg/pg_error.hpp"

namespace pawl::cli {

// Says on stderr what a database error means for the person at the keyboard, and returns the exit
// code.
int report_pg_error(const Globals& globals, const pg::PgError& error);

}  // namespace pawl::cli
