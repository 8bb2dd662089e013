#include "base/rng.hpp"
#include "store/plans.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

// Counts behind the log: exactly what was committed, once each, whatever is open, undone or killed
// meanwhile; and questions that cost the same among millions.
namespace pawl::test {
namespace {

std::string journeys_sql() {
    std::ifstream file(PAWL_SOURCE_DIR "/sql/tests/journeys.sql");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

class Funnels : public ::testing::Test {
protected:
    Funnels() {
        session_.script("set client_min_messages = error");
        session_.script(journeys_sql());
    }

    std::string look(int transactions = 1000, int runs = 1000) {
        return session_.value(fmt::format(
            "select counted || ' ' || more from pawl.project_funnels(0::smallint, {}, {})",
            transactions,
            runs
        ));
    }
    void catch_up() {
        for (int i = 0; i < 100'000; ++i) {
            if (look() == "0 false") return;
        }
        FAIL() << "the projector does not come to an end";
    }
    void expect_right() {
        const auto wrong = session_.column("select text from play.wrong limit 20");
        EXPECT_TRUE(wrong.empty()) << fmt::format("{}", fmt::join(wrong, "\n"));
    }
    std::string digest() {
        return session_.value(
            "select md5(string_agg(t, ' ' order by t)) from (select f::text as t from "
            "pawl.funnel_count f where f.count <> 0 union all select p::text from "
            "pawl.funnel_people p where p.count <> 0 union all select r::text from pawl.run_place "
            "r) as x"
        );
    }
    void rebuild() { session_.script("select pawl.rebuild_funnels(0::smallint)"); }

    TestDatabase database_;
    Session& session_ = database_.session();
};

// Sessions that write at the same time, commit late or not at all, also from subtransactions.
class Writers {
public:
    Writers(const std::string& url, int count, Rng& rng) : rng_(rng) {
        for (int i = 0; i < count; ++i) sessions_.push_back(std::make_unique<Session>(url));
        open_.resize(sessions_.size());
    }
    int count() const { return static_cast<int>(sessions_.size()); }

    void act(int batch) {
        const std::size_t i = rng_.below(sessions_.size());
        Session& session = *sessions_[i];
        if (!open_[i]) session.script("begin");
        open_[i] = true;
        const std::string advance = fmt::format("select play.advance({}, {})", i, batch);
        const double choice = rng_.unit();
        if (choice < 0.5) {
            session.script(advance);
        } else if (choice < 0.6) {
            session.script("savepoint s; " + advance + "; release s");
        } else if (choice < 0.65) {
            session.script("savepoint s; " + advance + "; rollback to s");
        } else if (choice < 0.75) {
            session.script(fmt::format("select play.say({}, {})", i, batch / 2 + 1));
        } else {
            session.script(choice < 0.92 ? "commit" : "rollback");
            open_[i] = false;
        }
    }
    void commit_all() {
        for (std::size_t i = 0; i < sessions_.size(); ++i) {
            if (open_[i]) sessions_[i]->script("commit");
            open_[i] = false;
        }
    }

private:
    Rng& rng_;
    std::vector<std::unique_ptr<Session>> sessions_;
    std::vector<bool> open_;
};

// PAWL_FUNNEL_JOURNEYS=100000 plays as many.
int journeys() {
    const char* given = std::getenv("PAWL_FUNNEL_JOURNEYS");
    return given == nullptr ? 2000 : std::max(100, std::atoi(given));
}

TEST_F(Funnels, CountEveryCommittedEventOnce) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        Rng rng(seed);
        Writers writers(database_.url(), 4, rng);
        session_.script(fmt::format("select setseed({})", 1.0 / static_cast<double>(seed + 1)));
        const int many = journeys() / 3;
        session_.script(
            "truncate play.run; truncate pawl.event; delete from pawl.message; "
            "delete from pawl.message_fact"
        );
        session_.script(fmt::format("select play.cast({}, {})", many, writers.count()));
        rebuild();
        for (int i = 0; i < 150; ++i) {
            writers.act(many / 8);
            if (rng.unit() < 0.3) look(rng.unit() < 0.5 ? 3 : 1000, 50);
            // A process that dies in the middle of a look.
            if (rng.unit() < 0.1) {
                Session dying(database_.url());
                dying.script("begin; select * from pawl.project_funnels(0::smallint, 1000, 50)");
                session_.value(fmt::format(
                    "select pg_terminate_backend({}, 5000)::text",
                    dying.value("select pg_backend_pid()::text")
                ));
            }
            if (i == 70) rebuild();
        }
        writers.commit_all();
        catch_up();
        expect_right();
        EXPECT_GT(std::stoi(session_.value("select count(*)::text from pawl.event")), many * 2);
        const std::string before = digest();
        rebuild();
        catch_up();
        EXPECT_EQ(digest(), before);
    }
}

TEST_F(Funnels, ATransactionThatStaysOpenHoldsNothingUp) {
    session_.script("select play.cast(20, 2)");
    Session late(database_.url());
    late.script("begin; select play.advance(0, 5)");
    catch_up();
    session_.script("select play.advance(1, 10)");
    catch_up();
    const std::string started =
        "select coalesce(sum(count), 0)::text from pawl.funnel_count "
        "where what = 'started' and span = 'h'";
    EXPECT_EQ(session_.value(started), "10");
    late.script("commit");
    catch_up();
    EXPECT_EQ(session_.value(started), "15");
    expect_right();
}

TEST_F(Funnels, OneProcessCountsAtATime) {
    look();
    Session other(database_.url());
    other.script("begin; select * from pawl.project_funnels(0::smallint, 10, 10)");
    EXPECT_EQ(
        session_.value(
            "select (p.counted is null)::text from pawl.project_funnels(0::smallint, 10, 10) p"
        ),
        "true"
    );
}

TEST_F(Funnels, WhatIsOlderThanTheCountsIsCounted) {
    session_.script(
        "select play.cast(50, 1); select play.advance(0, 50); select play.advance(0, 50);"
        "update pawl.event set xid = null"
    );
    catch_up();
    expect_right();
}

// Runs of other workflows cost the projector nothing, until it is asked to count them.
TEST_F(Funnels, WorkflowsThatAreNoJourneysCountWhenItIsAskedFor) {
    const auto since = [&](const char* change) {
        session_.script(change);
        return session_.value("select coalesce(counted_since::text, 'never') from pawl.workflow");
    };
    EXPECT_EQ(since("select 1"), "-infinity");
    EXPECT_EQ(since("update pawl.workflow set counted_since = null"), "never");
    session_.script("select play.cast(20, 1); select play.advance(0, 20)");
    EXPECT_EQ(look(), "0 false");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.funnel_count"), "0");
    EXPECT_EQ(session_.value("select pawl.count_workflow('none')"), "");
    const std::string asked = since("select pawl.count_workflow('played')");
    EXPECT_EQ(session_.value("select (counted_since > now())::text from pawl.workflow"), "true");
    EXPECT_EQ(since("select pawl.count_workflow('played')"), asked) << "it is asked for again";
    // Those that began before count neither in nor out.
    session_.script("select play.advance(0, 20); select play.advance(0, 20)");
    EXPECT_EQ(look(), "0 false");
    EXPECT_EQ(session_.value("select count(*)::text from pawl.run_place"), "0");
}

TEST_F(Funnels, ALogThatIsNotCountedSaysNoTransactions) {
    session_.script("select pawl.activate_workflow(1, 'played', 1)");
    const auto marked = [&](const char* since) {
        session_.script(fmt::format("update pawl.workflow set counted_since = {}", since));
        const std::string run = session_.value("select pawl.start('played')::text");
        return session_.value(fmt::format(
            "select coalesce((e.xid::text = e.xmin::text)::text, 'none') from pawl.event e "
            "where e.run_id = '{}'",
            run
        ));
    };
    EXPECT_EQ(marked("null"), "none");
    EXPECT_EQ(marked("now() + interval '1 minute'"), "true");
    EXPECT_EQ(marked("'-infinity'"), "true");
}

TEST_F(Funnels, AWorkflowThatBecomesAJourneyCountsFromThenOn) {
    session_.script(
        "update pawl.workflow set counted_since = null;"
        "insert into pawl.workflow_version (workflow, version, definition) select w.id, 2, "
        "'{\"name\": \"played\", \"steps\": [{\"name\": \"a\", \"sleep\": \"1s\"}]}' "
        "from pawl.workflow w"
    );
    const char* since =
        "select coalesce((counted_since > now())::text, 'never') from pawl.workflow";
    EXPECT_EQ(session_.value(since), "never");
    session_.script(
        "insert into pawl.workflow_version (workflow, version, definition) "
        "select w.id, 3, '{\"name\": \"played\", \"goal\": {\"event\": \"paid\"}}' "
        "from pawl.workflow w"
    );
    EXPECT_EQ(session_.value(since), "true");
}

// A dump of a server that has done more transactions than the one it is restored to.
TEST_F(Funnels, ARestoredDatabaseIsCountedAnew) {
    session_.script("select play.cast(50, 1); select play.advance(0, 50)");
    catch_up();
    session_.script(
        "update pawl.event set xid = xid + 1000000000;"
        "update pawl.projector set seen = '2000000000:2000000000:'"
    );
    session_.script("select play.advance(0, 50)");
    catch_up();
    expect_right();
}

TEST_F(Funnels, HoursWithoutTheirLogKeepTheirCounts) {
    session_.script("select play.cast(50, 1); select play.advance(0, 50)");
    catch_up();
    const std::string all =
        "select sum(count)::text from pawl.funnel_count where what = 'started' and span = 'd'";
    EXPECT_EQ(session_.value(all), "50");
    session_.script(
        "update pawl.projector set complete_since = date_trunc('day', now(), 'UTC');"
        "delete from pawl.event where at < date_trunc('day', now(), 'UTC')"
    );
    rebuild();
    catch_up();
    EXPECT_EQ(session_.value(all), "50");
}

TEST_F(Funnels, AGoalCountsWithinItsTimeWhetherTheRunIsOpenOrNot) {
    session_.script(
        "insert into pawl.workflow (tenant, name) values (1, 'goal');"
        "insert into pawl.workflow_version (workflow, version, definition) select w.id, 1, "
        "'{\"nodes\": [], \"goal\": [{\"name\": \"bought\", \"event\": \"paid\", \"within\": "
        "\"7d\"}, {\"name\": \"much\", \"event\": \"paid\", \"filter\": {\"x\": 1}}]}' from "
        "pawl.workflow w where w.name = 'goal';"
        "insert into pawl.event (run_id, at, seq, bucket, type, data) select pawl.uuid7(), now() - "
        "case n when 3 then 8 else 1 end * interval '1 day', 0, 0, 0, "
        "jsonb_build_object('workflow', w.id, 'version', 1, 'subject', 'p' || n) from "
        "pawl.workflow w, generate_series(1, 4) n where w.name = 'goal';"
        "insert into pawl.event (run_id, at, seq, bucket, type, data) select run_id, now(), 1, 0, "
        "4, '{\"exited_by\": \"paid\", \"reason\": \"goal\", \"goal\": \"much\"}' from pawl.event "
        "where data ->> 'subject' = 'p4'"
    );
    const auto publish = [&](const std::string& id, const std::string& key) {
        session_.script(fmt::format(
            "select * from pawl.publish_events(0::smallint, array[1], array['{}'], array['paid'], "
            "array['{}'], array[null::text], array[null::text], array[now()], "
            "array['{{}}'::jsonb])",
            id,
            key
        ));
    };
    publish("before", "p1");  // the projector has not seen the run
    catch_up();
    publish("after", "p2");
    publish("again", "p2");
    publish("late", "p3");
    publish("other", "p9");
    catch_up();
    EXPECT_EQ(
        session_.value("select string_agg(subject || ' ' || goal, ', ' order by subject) "
                       "from pawl.conversion"),
        "p1 bought, p2 bought, p4 much"
    );
    EXPECT_EQ(
        session_.value("select sum(count)::text from pawl.funnel_count where what = 'converted' "
                       "and span = 'h'"),
        "3"
    );
    EXPECT_EQ(session_.value("select count(*)::text from pawl.goal_pending"), "0");
}

class FunnelPlans : public PlanTest {
protected:
    // Sorting what was found is fine, and so is a bitmap of a summary; reading all is not.
    static void expect_found_by(
        const std::vector<Plan>& plans, const std::string& marker, const std::string& index
    ) {
        static const std::regex scan("Seq Scan on (funnel|run_place|event|message|conversion)");
        int seen = 0;
        for (const Plan& plan : plans) {
            if (plan.query.find(marker) == std::string::npos) continue;
            ++seen;
            EXPECT_TRUE(std::regex_search(plan.text, std::regex(index))) << plan.query << plan.text;
            EXPECT_FALSE(std::regex_search(plan.text, scan)) << plan.query << plan.text;
        }
        EXPECT_GT(seen, 0) << "no statement with: " << marker;
    }
};

TEST_F(FunnelPlans, QuestionsAreAnsweredFromIndexes) {
    session_.script(
        "insert into pawl.workflow (tenant, name) values (1, 'flow');"
        "insert into pawl.funnel_count (tenant, workflow, span, at, version, node, what, count)"
        " select 1, w, s::\"char\", date_trunc('hour', now()) - n * interval '1 hour', 1, 'n', "
        "'passed', 1 from generate_series(1, 20) w, unnest(array['h', 'd']) s, "
        "generate_series(1, 500) n;"
        "insert into pawl.funnel_people (tenant, workflow, variant, at, before, count)"
        " select 1, w, '', now() - n * interval '1 hour', '-infinity', 1"
        " from generate_series(1, 20) w, generate_series(1, 500) n;"
        "insert into pawl.run_place (bucket, run_id, token, tenant, workflow, version, node, state,"
        " since) select 0, gen_random_uuid(), 0, 1, n % 20, 1, 'n' || n % 7, 'time', now()"
        " from generate_series(1, 10000) n;"
        "insert into pawl.run_place (bucket, run_id, token, tenant, workflow, version, node, state,"
        " since) select 0, gen_random_uuid(), 0, 1, n % 20, 1, 'n' || n % 7, 'retry', now()"
        " from generate_series(1, 100) n;"
        "insert into pawl.funnel_count (tenant, workflow, span, at, version, node, what, detail, "
        "count) select tenant, workflow, 'n', '-infinity', version, node, 'waiting', state, "
        "count(*) from pawl.run_place group by 1, 2, 5, 6, 8"
    );
    for (const bool analysed : {false, true}) {
        if (analysed)
            session_.script("analyze pawl.funnel_count, pawl.funnel_people, pawl.run_place");
        const auto plans = explain(
            "select * from pawl.funnel_rows(1, 3, now() - interval '3 days', now(), null, null);"
            "select * from pawl.funnel_people_of(1, 3, now() - interval '3 days', now(), null);"
            "select * from pawl.people_at(1, 3, 'n1', null, null, null, null, null, 50);"
            "select * from pawl.people_at(1, 3, null, null, null, null, null, null, 50);"
            "select * from pawl.people_at(1, 3, 'n1', 'time', 1, null, null, null, 50);"
            "select * from pawl.people_at(1, 3, null, 'retry', null, null, null, null, 50)"
        );
        expect_found_by(plans, "from pawl.funnel_count x", "funnel_count_pk");
        expect_found_by(plans, "from pawl.funnel_people f", "funnel_people_pk");
        expect_found_by(plans, "r.node = pawl.event_key", "run_place_node");
        expect_found_by(plans, "order by r.node, r.run_id", "run_place_node");
        expect_found_by(plans, "from pawl.funnel_count c", "funnel_count_pk");
        expect_found_by(plans, "or r.state = p_state", "run_place_node");
        expect_found_by(plans, "and r.state = p_state", "run_place_state");
    }
}

TEST_F(FunnelPlans, ALookReadsNoMoreThanWhatIsNew) {
    session_.script(journeys_sql());
    session_.script(
        "select play.cast(2000, 1); select play.advance(0, 2000);"
        "select pawl.project_funnels(0::smallint, 1000, 5000)"
    );
    session_.script("select pawl.project_funnels(0::smallint, 1000, 5000)");
    const auto plans = explain("select pawl.project_funnels(0::smallint, 1000, 1000)");
    expect_found_by(plans, "e.xid >= v_from", "event_.*xid");
    expect_found_by(plans, "f.xid >= txid_snapshot_xmax", "message_fact_xid");
}

}  // namespace
}  // namespace pawl::test
