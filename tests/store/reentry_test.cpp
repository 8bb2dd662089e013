#include "store/under_test.hpp"

// Whether a subject may have another run of a workflow.
namespace pawl::test {
namespace {

template <class T>
class Reentries : public Conformance<T> {
protected:
    store::NewRun about(std::string subject, Reentry reentry, std::string correlation = "") {
        auto run = new_run(this->db_.workflow());
        run.subject = std::move(subject);
        run.reentry = reentry;
        run.correlation = std::move(correlation);
        return run;
    }
    // Nothing: it was started. Else the run that is in its way.
    std::optional<RunId> start(const store::NewRun& run, bool resend = false) {
        store::StartBatch batch;
        batch.resend = resend;
        batch.runs.push_back(run);
        const auto existing = this->db_.start(batch);
        if (existing.empty()) return std::nullopt;
        EXPECT_EQ(existing[0].requested, run.id);
        EXPECT_EQ(existing.size(), 1u);
        return existing[0].existing;
    }
    void close(RunId run) {
        const auto worker = this->db_.worker();
        this->db_.claim(worker);
        this->db_.commit(closing(worker, run));
    }
};
TYPED_TEST_SUITE(Reentries, Stores, StoreNames);

TYPED_TEST(Reentries, OnceIsOnceForEver) {
    const auto first = this->about("ann", Reentry::once);
    EXPECT_EQ(this->start(first), std::nullopt);
    EXPECT_EQ(this->start(this->about("ann", Reentry::once)), first.id);
    EXPECT_EQ(this->start(this->about("bob", Reentry::once)), std::nullopt);
    this->close(first.id);
    EXPECT_EQ(this->start(this->about("ann", Reentry::once)), first.id);
    EXPECT_EQ(this->start(this->about("ann", Reentry::always)), std::nullopt);
    // Without a subject there is nothing to tell runs apart by.
    EXPECT_EQ(this->start(this->about("", Reentry::once)), std::nullopt);
    EXPECT_EQ(this->start(this->about("", Reentry::once)), std::nullopt);
}

TYPED_TEST(Reentries, WhileNoneIsOpen) {
    const auto first = this->about("ann", Reentry::while_none_open);
    EXPECT_EQ(this->start(first), std::nullopt);
    EXPECT_EQ(this->start(this->about("ann", Reentry::while_none_open)), first.id);
    this->close(first.id);
    const auto second = this->about("ann", Reentry::while_none_open);
    EXPECT_EQ(this->start(second), std::nullopt);
    EXPECT_EQ(this->start(this->about("ann", Reentry::while_none_open)), second.id);
}

TYPED_TEST(Reentries, SomeTimeAfterTheLastEntry) {
    const auto entering = [this] {
        auto run = this->about("ann", Reentry::after);
        run.reentry_after = std::chrono::hours(1);
        return run;
    };
    const auto first = entering();
    EXPECT_EQ(this->start(first), std::nullopt);
    this->close(first.id);
    EXPECT_EQ(this->start(entering()), first.id);
    this->db_.elapse(std::chrono::minutes(59));
    EXPECT_EQ(this->start(entering()), first.id);
    this->db_.elapse(std::chrono::minutes(2));
    const auto second = entering();
    EXPECT_EQ(this->start(second), std::nullopt);
    EXPECT_EQ(this->start(entering()), second.id);
}

TYPED_TEST(Reentries, AChildOfAnotherRunIsNotHeldBack) {
    EXPECT_EQ(this->start(this->about("ann", Reentry::once)), std::nullopt);
    auto child = this->about("ann", Reentry::once);
    child.is_child = true;
    EXPECT_EQ(this->start(child), std::nullopt);
}

TYPED_TEST(Reentries, InOneBatchTheFirstOneWins) {
    auto first = this->about("ann", Reentry::while_none_open);
    auto second = this->about("ann", Reentry::while_none_open);
    auto other = this->about("bob", Reentry::always);
    if (second.id < first.id) std::swap(first, second);
    const auto existing = this->db_.start({first, second, other});
    ASSERT_EQ(existing.size(), 1u);
    EXPECT_EQ(existing[0].requested, second.id);
    EXPECT_EQ(existing[0].existing, first.id);
    EXPECT_EQ(this->db_.status(other.id), "queued");
}

TYPED_TEST(Reentries, AnEventStartsOnceAlsoAfterItsRunHasClosed) {
    const auto first = this->about("ann", Reentry::while_none_open, "event:1");
    EXPECT_EQ(this->start(first), std::nullopt);
    this->close(first.id);
    EXPECT_EQ(this->start(this->about("ann", Reentry::while_none_open, "event:1")), first.id);
    EXPECT_EQ(this->start(this->about("ann", Reentry::while_none_open, "event:2")), std::nullopt);
}

TYPED_TEST(Reentries, AResentStartIsNotInItsOwnWay) {
    const auto first = this->about("ann", Reentry::once, "event:1");
    EXPECT_EQ(this->start(first), std::nullopt);
    EXPECT_EQ(this->start(first, true), std::nullopt);
    EXPECT_EQ(this->db_.log(first.id).size(), 1u);
}

}  // namespace
}  // namespace pawl::test
