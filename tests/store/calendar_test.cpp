#include "support/database.hpp"

#include <gtest/gtest.h>

// The calendar of the workers.
namespace pawl::test {
namespace {

TEST(Calendar, WhatIsPastCostsNothing) {
    TestDatabase database;
    Session& session = database.session();
    session.script(
        "insert into pawl.calendar_event (tenant, uid, title, starts_at, ends_at) "
        "select 1, 'u' || i, 't', now() - i * interval '1 hour', now() - (i - 0.5) * interval '1 "
        "hour'"
        "  from generate_series(1, 5000) as i;"
        "analyze pawl.calendar_event"
    );
    session.script(
        "begin; select pawl.free_slots(1, 30, 3);"
        "select pawl.book_meeting(1, 'x', 't', '', null, now() + interval '3 days', 30)"
    );
    const std::string read = session.value(
        "select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::text"
        "  from pg_stat_xact_user_tables where relname = 'calendar_event'"
    );
    session.script("commit");
    EXPECT_LT(std::stoi(read), 20);
}

TEST(Calendar, FreeIsWhatNothingTouches) {
    TestDatabase database;
    Session& session = database.session();
    // A Monday; what is free begins on the day after.
    const std::string slots =
        "select string_agg(to_char(s at time zone 'UTC', 'DD HH24'), ', ')"
        "  from pawl.free_slots(1, 90, 4, '2026-11-16 12:00Z') as s";
    EXPECT_EQ(session.value(slots), "17 09, 17 10, 17 11, 17 12");
    session.script(
        "insert into pawl.calendar_event (tenant, uid, title, starts_at, ends_at) values"
        "  (1, 'long', 't', '2026-11-15 00:00Z', '2026-11-17 09:30Z'),"
        "  (1, 'short', 't', '2026-11-17 13:00Z', '2026-11-17 13:10Z')"
    );
    EXPECT_EQ(session.value(slots), "17 10, 17 11, 17 14, 17 15");
}

}  // namespace
}  // namespace pawl::test
