#pragma once

#include "base/clock.hpp"
#include "pg/connection.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

// Two kinds of files make the schema. Numbered ones (tables, types, rows) are applied once, in
// order, each in one transaction with the row that records it. Texts (functions and views, as they
// are today) are applied again when their hash changes: all that changed in one transaction, after
// the numbered files. Forward only.
namespace pawl::store {

namespace asio = boost::asio;

struct MigrationStatus {
    int number = 0;
    std::string name;
    std::optional<Instant> applied_at;  // none: pending
};

struct TextStatus {
    std::string path;                   // in sql/, without .sql
    std::optional<Instant> applied_at;  // none: never
    bool differs = false;               // from the text of this program
    bool edited = false;                // in the database, since it was applied
};

struct SchemaStatus {
    std::vector<MigrationStatus> files;
    std::vector<TextStatus> texts;
    std::string newer;  // a newer program with this version has applied texts: they stay
    std::string old;    // the last migration of a database that is still to be taken over

    // What `migrate_up` would apply. Edited texts count only after `find_edits`.
    int pending() const { return pending_files() + pending_texts(); }
    int pending_files() const;
    int pending_texts() const;
};

struct MigrateResult {
    int files = 0;
    int texts = 0;
    bool taken_over = false;  // from the migrations before the baseline

    bool nothing() const { return files == 0 && texts == 0 && !taken_over; }
};

// Applies what is missing. Any number of processes may call it at once: one does the work, the
// others wait and find nothing left. Throws when the database is newer than this program, or older
// than the baseline. `on_applied` gets the sum of files and texts so far.
asio::awaitable<MigrateResult> migrate_up(
    pg::Connection& connection, std::function<void(int applied)> on_applied = {}
);

// All files of this program, in order. Changes nothing.
asio::awaitable<SchemaStatus> schema_status(pg::Connection& connection);

// Notes in `status` which functions and views were changed in the database since their text was
// applied: `migrate_up` applies that text again. Apart from `schema_status`, because a process may
// start beside such a change.
asio::awaitable<void> find_edits(pg::Connection& connection, SchemaStatus& status);

// One script for psql that does what `migrate_up` does. It may be run again.
std::string migration_sql();

}  // namespace pawl::store
