#include "store/repos/heads.hpp"

#include "store/under_test.hpp"

// Starts that say by which row of the definition they know their version.
namespace pawl::test {
namespace {

class HeadsPg : public ::testing::Test {
protected:
    HeadsPg() { define("f"); }
    void define(const std::string& code) {
        db_.apply(parse_definition("name: w\nsteps: [{name: a, code: " + code + "}]").value());
    }
    store::Head head() { return db_.loop().run(heads_.find(1, {"w"})).at(0); }
    static store::NewRun by(const store::Head& head) {
        auto run = new_run(head.workflow);
        run.version = head.version;
        run.head = head.stamp;
        return run;
    }

    PgUnderTest db_;
    Session& session_ = db_.database().session();
    store::Heads heads_{db_.pool()};
};

TEST_F(HeadsPg, AStampStaysUntilSomethingChanges) {
    const auto first = head();
    EXPECT_NE(first.stamp, 0);
    EXPECT_EQ(head().stamp, first.stamp);
    const auto run = by(first);
    EXPECT_TRUE(db_.start({run}).empty());
    EXPECT_EQ(db_.status(run.id), "queued");
    EXPECT_EQ(head().stamp, first.stamp);
    session_.script("update pawl.definition set off_reason = 'enough' where name = 'w'");
    EXPECT_NE(head().stamp, first.stamp);
}

TEST_F(HeadsPg, AnOutdatedOneIsNotStartedAndTheOthersAre) {
    const auto old = head();
    define("g");
    const auto outdated = by(old);
    const auto careless = new_run(old.workflow);
    const auto existing = db_.start({outdated, careless});
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_EQ(existing[0].requested, outdated.id);
    EXPECT_TRUE(existing[0].outdated());
    EXPECT_EQ(db_.status(outdated.id), "none");
    EXPECT_EQ(db_.status(careless.id), "queued");
    const auto fresh = by(head());
    EXPECT_TRUE(db_.start({fresh}).empty());
    EXPECT_EQ(db_.find(fresh.id)->version, 2);
}

TEST_F(HeadsPg, AWorkflowThatIsGoneIsOutdated) {
    const auto old = head();
    session_.script("delete from pawl.definition where name = 'w'");
    const auto existing = db_.start({by(old)});
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_TRUE(existing[0].outdated());
}

// The first try may have started it: to say that it was not would have it started twice.
TEST_F(HeadsPg, AResendDoesNotMind) {
    const auto run = by(head());
    store::StartBatch batch;
    batch.runs = {run};
    EXPECT_TRUE(db_.start(batch).empty());
    define("g");
    batch.resend = true;
    EXPECT_TRUE(db_.start(batch).empty());
    EXPECT_EQ(db_.log(run.id).size(), 1u);
}

}  // namespace
}  // namespace pawl::test
