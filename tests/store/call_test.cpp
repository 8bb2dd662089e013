#include "store/under_test.hpp"
#include "store/working.hpp"

namespace pawl::test {
namespace {

// A parent whose first try to start its child fails, as if the answer had been lost.
class Calls : public ::testing::Test {
protected:
    Calls() {
        db_.apply(parse_definition("{name: child, steps: [{name: a, code: work}]}").value());
        const auto applied = db_.apply(parse_definition(R"(
            name: parent
            steps:
              - {name: c, type: call, config: {workflow: child, wait: false},
                 retry: {attempts: 3, base: 10ms}}
        )")
                                           .value());
        parent_ = new_run(applied.id);
        parent_.version = applied.version;
        session().script(R"(
            create sequence tries;
            create function lose() returns trigger language plpgsql as $$
            begin
                if nextval('public.tries') = 1 then raise exception 'the answer was lost'; end if;
                return new;
            end $$;
        )");
    }

    Session& session() { return db_.database().session(); }
    std::string started_as(int attempt) {
        // SQL may not take such a key.
        const auto run = session().value("select pawl.start('child', correlation_id => 'k')::text");
        session().script(fmt::format(
            "update pawl.correlation set key = 'call:{}:0:c:1:{}' where key = 'k'",
            to_string(parent_.id),
            attempt
        ));
        return run;
    }
    // The child that the parent says it has started.
    std::string work() {
        session().script(
            "create trigger lose before insert on pawl.correlation for each row "
            "when (new.key like 'call:%') execute function public.lose()"
        );
        db_.start({parent_});
        Working(db_).until([&] {
            return session().value("select count(*)::text from pawl.run") == "2";
        });
        EXPECT_EQ(session().value("select count(*)::text from pawl.event e where e.type = 2"), "1")
            << "one try was lost";
        return session().value(fmt::format(
            "select e.data ->> 'run_id' from pawl.event e where e.run_id = '{}' and e.type = 1",
            to_string(parent_.id)
        ));
    }
    std::string children() {
        return session().value(
            "select count(*)::text from pawl.event e where e.type = 0 and e.data ->> 'workflow' = "
            "(select w.id::text from pawl.workflow w where w.name = 'child')"
        );
    }

    PgUnderTest db_;
    store::NewRun parent_;
};

TEST_F(Calls, AChildWhoseStartWasLostIsNotStartedAgain) {
    const std::string child = started_as(1);
    EXPECT_EQ(work(), child);
    EXPECT_EQ(children(), "1");
}

// Earlier releases had the attempt in the key.
TEST_F(Calls, AChildThatAnEarlierReleaseStartedInALaterAttemptIsFound) {
    const std::string child = started_as(2);
    EXPECT_EQ(work(), child);
    EXPECT_EQ(children(), "1");
}

}  // namespace
}  // namespace pawl::test
