#include "store/task_fixture.hpp"

// Whose yes or no decides a task.
namespace pawl::test {
namespace {

using Votes = Tasks;

TEST_F(Votes, AfterAnEscalationVotesCountAndWhoItWentToDecidesAlone) {
    for (const bool alone : {true, false}) {
        const auto id = open({{"approvers", {"ann", "bob", "cyd"}}, {"approvals", 3}});
        EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
        EXPECT_EQ(approve(id, "boss"), TaskAnswer::not_allowed);
        escalate("boss");
        EXPECT_EQ(find(id).approved_by, (Lines{"ann"}));
        EXPECT_EQ(find(id).escalated_to, "boss");
        EXPECT_EQ(approve(id, "eve"), TaskAnswer::not_allowed);
        EXPECT_EQ(approve(id, "bob"), TaskAnswer::done);
        EXPECT_EQ(find(id).state, "open");
        EXPECT_EQ(approve(id, alone ? "boss" : "cyd"), TaskAnswer::done);
        EXPECT_EQ(find(id).state, "approved");
    }
}

TEST_F(Votes, AnExcludedPersonDecidesNothing) {
    const auto id = open({{"group", "finance"}, {"exclude", {"ann"}}});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::excluded);
    EXPECT_EQ(approve(id, "Ann"), TaskAnswer::excluded) << "in any spelling";
    EXPECT_EQ(approve(id, "Ann \t"), TaskAnswer::excluded) << "and with blanks around it";
    EXPECT_EQ(act(id, TaskActionKind::reject, "ann"), TaskAnswer::excluded);
    EXPECT_EQ(act(id, TaskActionKind::claim, "ann"), TaskAnswer::excluded);
    TaskAction action;
    action.by = "ann";
    action.force = true;
    EXPECT_EQ(act(id, action), TaskAnswer::excluded) << "whatever rights she has";
    action.kind = TaskActionKind::delegate;
    action.by = "bob";
    for (const auto* const spelling : {"ann", "ann ", " ANN"}) {
        action.to = spelling;
        EXPECT_EQ(act(id, action), TaskAnswer::excluded) << spelling;
    }
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::done);
}

TEST_F(Votes, ANameIsOnePersonInAnySpelling) {
    const auto id = open({{"approvers", {"ann", "bob", "Cyd "}}, {"approvals", 3}});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
    EXPECT_EQ(approve(id, "ann "), TaskAnswer::twice);
    EXPECT_EQ(approve(id, "ANN"), TaskAnswer::twice);
    EXPECT_EQ(act(id, TaskActionKind::reject, "Eve"), TaskAnswer::not_allowed);
    EXPECT_EQ(act(id, TaskActionKind::claim, " Bob "), TaskAnswer::done);
    EXPECT_EQ(find(id).claimed_by, "Bob") << "kept without blanks";
    TaskAction action;
    action.kind = TaskActionKind::delegate;
    action.by = "BOB";
    action.to = "cyd";
    EXPECT_EQ(act(id, action), TaskAnswer::seated);
    action.to = " dan ";
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    EXPECT_EQ(find(id).approvers, (Lines{"ann", "dan", "Cyd "}));
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::not_allowed) << "the seat is handed on";
    EXPECT_EQ(approve(id, "Dan"), TaskAnswer::done);
    EXPECT_EQ(approve(id, "cyd"), TaskAnswer::done);
    EXPECT_EQ(find(id).state, "approved");
    EXPECT_EQ(find(id).approved_by, (Lines{"ann", "Dan", "cyd"}));
}

TEST_F(Votes, APersonAskedAloneIsAskedInAnySpelling) {
    const auto id = open({{"assignee", "Ann"}});
    EXPECT_EQ(act(id, TaskActionKind::claim, "ann "), TaskAnswer::done);
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::claimed);
    EXPECT_EQ(approve(id, "ANN"), TaskAnswer::done);
    EXPECT_EQ(find(id).decided_by, "ANN");
    const auto late = open({{"approvers", {"ann", "bob"}}, {"approvals", 2}});
    escalate("Boss");
    EXPECT_EQ(approve(late, "boss "), TaskAnswer::done);
    EXPECT_EQ(find(late).state, "approved") << "decides alone";
}

TEST_F(Votes, ANoMayNeedSeveralAndAVoteMayChange) {
    const auto id =
        open({{"approvers", {"a", "b", "c", "d"}}, {"approvals", 3}, {"rejections_needed", 2}});
    EXPECT_EQ(act(id, TaskActionKind::reject, "a"), TaskAnswer::done);
    EXPECT_EQ(act(id, TaskActionKind::reject, "a"), TaskAnswer::twice);
    EXPECT_EQ(find(id).state, "open");
    EXPECT_EQ(approve(id, "a"), TaskAnswer::done);
    EXPECT_TRUE(find(id).rejected_by.empty());
    EXPECT_EQ(act(id, TaskActionKind::reject, "b"), TaskAnswer::done);
    EXPECT_TRUE(signals().empty());
    EXPECT_EQ(act(id, TaskActionKind::reject, "c"), TaskAnswer::done);
    EXPECT_EQ(find(id).state, "rejected");
    EXPECT_EQ(find(id).rejected_by, (Lines{"b", "c"}));
    EXPECT_EQ(signals().size(), 1u);
}

}  // namespace
}  // namespace pawl::test
