#pragma once

#include "base/rng.hpp"
#include "store/under_test.hpp"

#include <fmt/core.h>

#include <chrono>
#include <string>
#include <vector>

namespace pawl::test {

// Runs that began weeks ago, and partitions for them.
class OldWeeks : public ::testing::Test {
protected:
    static constexpr Duration week = std::chrono::hours(7 * 24);

    static RunId run_id_at(Instant at) {
        const auto ms =
            std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
        Rng rng;
        return RunId{make_uuid7(static_cast<std::uint64_t>(ms.count()), 1, rng.next())};
    }
    // The suffix of the partition of the week `weeks` before this one.
    std::string old_week(int weeks) {
        return session_.value(fmt::format(
            "with week as (select date_trunc('week', now() at time zone 'UTC') "
            "- interval '{} weeks' as at) select to_char(at, 'YYYYMMDD') from week",
            weeks
        ));
    }
    void make_old_week(int weeks) {
        const auto suffix = old_week(weeks);
        for (const char* table : {"event", "run"}) {
            session_.script(fmt::format(
                "do $do$ declare w timestamptz := to_timestamp('{1}+00', 'YYYYMMDDTZH'); begin "
                "execute format('create table pawl.{0}_{1} partition of pawl.{0} for values from "
                "(%L) to (%L)', pawl.uuid7_bound(w), pawl.uuid7_bound(w + interval '1 week')); "
                "end $do$",
                table,
                suffix
            ));
        }
    }
    // Starts a run whose id says it began that long ago.
    RunId start_at(Duration ago, std::optional<WorkerId> holder = std::nullopt) {
        store::StartBatch batch;
        batch.worker = holder;
        batch.runs = {new_run(db_.workflow())};
        batch.runs[0].id = run_id_at(db_.now() - ago);
        batch.runs[0].lease = holder.has_value();
        batch.runs[0].correlation = to_string(batch.runs[0].id);
        db_.start(batch);
        return batch.runs[0].id;
    }
    // As if the closed runs had ended soon after they began.
    void age_closed_runs() {
        session_.script("update pawl.run set closed_at = pawl.uuid7_time(run_id) + interval '1 s'");
    }
    std::string partition_of(RunId run) {
        return session_.value(
            "select distinct tableoid::regclass::text from pawl.event where run_id = '" +
            to_string(run) + "'"
        );
    }
    std::string count(const std::string& table) {
        return session_.value("select count(*)::text from pawl." + table);
    }
    std::vector<std::string> drop(Duration keep) {
        return db_.loop().run(db_.pg().drop_old_partitions(keep));
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
};

}  // namespace pawl::test
