#pragma once

namespace pawl::cli {

// Overwrites in place what `ps` must not show of a command line: all of a --database-url or
// --sql-url, and in every other word the password of a URL or of a libpq connection string. The
// arguments must have been copied before.
void hide_secrets(int argc, char** argv);

}  // namespace pawl::cli
