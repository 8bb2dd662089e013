#include "store/under_test.hpp"

#include <fmt/core.h>

// Which child a step had before the one that it is about to start.
namespace pawl::test {
namespace {

template <class UnderTest>
class EarlierChild : public Conformance<UnderTest> {
protected:
    auto& db() { return this->db_; }

    // A run that goes on from another, by the name that its log has for that.
    RunId run(json::object more = {}) {
        auto started = new_run(db().workflow());
        for (const auto& [key, value] : more) started.data.as_object()[key] = value;
        db().start({started});
        return started.id;
    }
    RunId after(RunId before, std::string_view how = "retry_of") {
        return run({{how, to_string(before)}});
    }
    // A child of the step at `:0:ask:1`, or another place.
    RunId child(RunId parent, json::object more = {}, const std::string& place = ":0:ask:1:1") {
        auto started = new_run(db().workflow());
        started.correlation = fmt::format("call:{}{}", to_string(parent), place);
        for (const auto& [key, value] : more) started.data.as_object()[key] = value;
        db().start({started});
        return started.id;
    }
    store::CallBefore call(RunId parent, RunId until) {
        store::CallBefore before;
        before.workflow = db().workflow();
        before.run = parent;
        before.place = ":0:ask:1";
        before.until = until;
        before.input = json::object{{"greeting", "hello"}};
        return before;
    }
    std::optional<store::EarlierChild> find(const store::CallBefore& before) {
        return db().loop().run(db().store().earlier_child(before));
    }
    std::optional<RunId> found(const store::CallBefore& before) {
        const auto earlier = find(before);
        if (!earlier) return std::nullopt;
        return earlier->run;
    }
};
TYPED_TEST_SUITE(EarlierChild, Stores, StoreNames);

TYPED_TEST(EarlierChild, IsThatOfTheRunBefore) {
    const RunId first = this->run();
    const RunId child = this->child(first);
    const RunId second = this->after(first);
    const RunId third = this->after(second);
    EXPECT_EQ(this->found(this->call(second, first)), child);
    EXPECT_EQ(this->found(this->call(third, first)), child);
    const RunId newer = this->child(second);
    EXPECT_EQ(this->found(this->call(third, first)), newer);
    EXPECT_EQ(this->found(this->call(this->after(third, "takes_over"), first)), newer);
}

TYPED_TEST(EarlierChild, IsNotLookedForBeforeTheRunThatBeganAnew) {
    const RunId first = this->run();
    this->child(first);
    const RunId second = this->after(first);
    const RunId third = this->after(second);
    EXPECT_EQ(this->found(this->call(third, second)), std::nullopt);
    EXPECT_EQ(this->found(this->call(this->run(), first)), std::nullopt) << "it goes on from none";
}

TYPED_TEST(EarlierChild, IsOfTheSamePlaceWorkflowAndTenant) {
    const RunId first = this->run();
    this->child(first);
    auto call = this->call(this->after(first), first);
    call.place = ":0:ask:2";
    EXPECT_EQ(this->found(call), std::nullopt);
    call = this->call(call.run, first);
    call.workflow = this->db().workflow("other");
    EXPECT_EQ(this->found(call), std::nullopt);
    call = this->call(call.run, first);
    call.tenant = this->db().other_tenant();
    EXPECT_EQ(this->found(call), std::nullopt);
}

TYPED_TEST(EarlierChild, IsTheOneOfTheLastTry) {
    const RunId run = this->run();
    this->child(run);
    const RunId second = this->child(run, {}, ":0:ask:1:3");
    const RunId third = this->child(run, {}, ":0:ask:1:10");
    auto call = this->call(run, run);
    EXPECT_EQ(this->found(call), std::nullopt) << "the first try has none before it";
    call.since = 10;
    EXPECT_EQ(this->found(call), second);
    EXPECT_EQ(this->found(this->call(this->after(run), run)), third);
}

TYPED_TEST(EarlierChild, TellsWhoseNamesItsKeysHave) {
    const RunId first = this->run();
    const RunId child = this->child(first, {{"first_run", "f"}, {"anew_run", "a"}});
    const auto call = this->call(this->after(first), first);
    auto earlier = this->find(call).value();
    EXPECT_EQ(earlier.run, child);
    EXPECT_EQ(earlier.first_run, "f");
    EXPECT_EQ(earlier.anew_run, "a");
    EXPECT_TRUE(earlier.undone) << "it is open, and may undo what it did";
    const WorkerId worker = this->db().worker();
    this->db().claim(worker);
    this->db().commit(closing(worker, child, RunStatus::failed));
    EXPECT_FALSE(this->find(call).value().undone);
}

TYPED_TEST(EarlierChild, HasUndoneSomething) {
    const RunId first = this->run();
    const RunId child = this->child(first);
    const WorkerId worker = this->db().worker();
    this->db().claim(worker);
    Event undoing;
    undoing.seq = 1;
    undoing.type = EventType::compensation_started;
    undoing.data = json::object{{"status", "failed"}};
    this->db().commit(appending(worker, child, {undoing}));
    this->db().commit(closing(worker, child, RunStatus::failed, 2));
    const auto earlier = this->find(this->call(this->after(first), first)).value();
    EXPECT_TRUE(earlier.undone);
    EXPECT_EQ(earlier.first_run, "");
}

TYPED_TEST(EarlierChild, WasGivenTheSameInTheSameVersion) {
    const RunId first = this->run();
    const RunId child = this->child(first, {{"input", {{"n", 1}}}, {"subject", "ann"}});
    const RunId second = this->after(first, "takes_over");
    auto call = this->call(second, first);
    EXPECT_EQ(this->found(call), std::nullopt);
    call.input = json::object{{"n", 1}};
    EXPECT_EQ(this->found(call), std::nullopt) << "another subject";
    call.subject = "ann";
    EXPECT_EQ(this->found(call), child);
    call.input = json::object{{"n", 2}};
    EXPECT_EQ(this->found(call), std::nullopt);
    call.input = json::object{{"n", 1}};
    call.version = 2;
    EXPECT_EQ(this->found(call), std::nullopt) << "its steps may be other ones";
}

}  // namespace
}  // namespace pawl::test
