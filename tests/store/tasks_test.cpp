#include "store/task_fixture.hpp"

// Tasks that people decide.
namespace pawl::test {
namespace {

TEST_F(Tasks, AreOpenedWithWhatTheStepSays) {
    const auto due = db_.now() + 1h;
    const auto id = open(
        {{"title", "Refund 99?"},
         {"description", "Order 7"},
         {"data", {{"amount", 99}}},
         {"form", {{"type", "object"}}},
         {"assignee", "ann"},
         {"group", "finance"},
         {"visit", 3},
         {"until", due.time_since_epoch().count()}}
    );
    const auto task = find(id);
    EXPECT_FALSE(db_.loop().run(db_.store().find_run({}, run_))->due_at) << "it waits for a person";
    EXPECT_EQ(task.run, run_);
    EXPECT_EQ(task.token, 4);
    EXPECT_EQ(task.workflow, "hello");
    EXPECT_EQ(task.node, "ask");
    EXPECT_EQ(task.subject, "order 7");
    EXPECT_EQ(task.title, "Refund 99?");
    EXPECT_EQ(task.description, "Order 7");
    EXPECT_EQ(task.data, json::value({{"amount", 99}}));
    EXPECT_EQ(task.form, json::value({{"type", "object"}}));
    EXPECT_EQ(task.assignee, "ann");
    EXPECT_EQ(task.group, "finance");
    EXPECT_EQ(task.due_at, due);
    EXPECT_EQ(task.state, "open");
    EXPECT_EQ(task.approvals_needed, 1);
    EXPECT_EQ(audit(id), Lines{"open pawl"});
}

// Whatever a template made of it: the commit of a run must not fail by it.
TEST_F(Tasks, OddDataIsNoReasonToFail) {
    const json::value odd[] = {"x", 1.5, nullptr, json::array{1}, json::object{{"a", 1}}, 1e9, -3};
    for (const json::value& value : odd) {
        for (const char* key :
             {"title", "description", "assignee", "group", "approvers", "approvals", "form"}) {
            const auto id = open({{key, value}});
            EXPECT_EQ(find(id).state, "open");
        }
    }
}

TEST_F(Tasks, AnApprovalIsSentToTheRun) {
    const auto id = open({{"data", {{"amount", 99}}}, {"visit", 2}});
    TaskAction action;
    action.by = "ann";
    action.reason = "fine";
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    const auto task = find(id);
    EXPECT_EQ(task.state, "approved");
    EXPECT_EQ(task.decided_by, "ann");
    EXPECT_EQ(task.reason, "fine");
    const auto sent = signals();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].run, run_);
    EXPECT_EQ(sent[0].kind, "task");
    const json::value expected{
        {"token", 4},
        {"visit", 2},
        {"task", to_string(id)},
        {"decision", "approved"},
        {"by", "ann"},
        {"reason", "fine"},
        {"data", {{"amount", 99}}}};
    EXPECT_EQ(sent[0].data, expected);
    EXPECT_EQ(audit(id), (Lines{"open pawl", "approve ann"}));
}

TEST_F(Tasks, EditAndApprove) {
    const auto id = open({{"data", {{"amount", 99}}}});
    TaskAction action;
    action.by = "ann";
    action.data = json::object{{"amount", 80}};
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    const json::value edited{{"amount", 80}};
    EXPECT_EQ(signals().at(0).data.at("data"), edited);
    EXPECT_EQ(find(id).data, edited);
    EXPECT_EQ(audit(id), (Lines{"open pawl", "edit ann", "approve ann"}));
}

TEST_F(Tasks, ASecondDecisionIsTooLate) {
    const auto id = open({});
    EXPECT_EQ(act(id, TaskActionKind::reject, "ann"), TaskAnswer::done);
    for (const auto kind :
         {TaskActionKind::approve,
          TaskActionKind::reject,
          TaskActionKind::claim,
          TaskActionKind::unclaim,
          TaskActionKind::delegate}) {
        EXPECT_EQ(act(id, kind, "bob"), TaskAnswer::closed) << name(kind);
    }
    EXPECT_EQ(find(id).state, "rejected");
    EXPECT_EQ(signals().size(), 1u);
}

TEST_F(Tasks, TwoOfThree) {
    const auto id = open({{"approvers", {"ann", "bob", "cyd"}}, {"approvals", 2}});
    EXPECT_EQ(approve(id, "eve"), TaskAnswer::not_allowed);
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::twice);
    EXPECT_EQ(find(id).state, "open");
    EXPECT_TRUE(signals().empty());
    // A claim does not keep the others away: they are asked too.
    EXPECT_EQ(act(id, TaskActionKind::claim, "bob"), TaskAnswer::done);
    EXPECT_EQ(approve(id, "cyd"), TaskAnswer::done);
    EXPECT_EQ(find(id).state, "approved");
    EXPECT_EQ(find(id).approved_by, (Lines{"ann", "cyd"}));
    EXPECT_EQ(signals().size(), 1u);
}

TEST_F(Tasks, OneNoIsEnough) {
    const auto id = open({{"approvers", {"ann", "bob", "cyd"}}, {"approvals", 2}});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
    EXPECT_EQ(act(id, TaskActionKind::reject, "bob"), TaskAnswer::done);
    EXPECT_EQ(find(id).state, "rejected");
}

TEST_F(Tasks, AClaimKeepsOthersAway) {
    const auto id = open({{"group", "finance"}});
    EXPECT_EQ(act(id, TaskActionKind::claim, "ann"), TaskAnswer::done);
    EXPECT_EQ(act(id, TaskActionKind::claim, "ann"), TaskAnswer::done);
    EXPECT_EQ(act(id, TaskActionKind::claim, "bob"), TaskAnswer::claimed);
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::claimed);
    EXPECT_EQ(act(id, TaskActionKind::unclaim, "bob"), TaskAnswer::claimed);
    EXPECT_EQ(act(id, TaskActionKind::unclaim, "ann"), TaskAnswer::done);
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::done);
}

TEST_F(Tasks, OnlyTheAssigneeMayDecideOrDelegate) {
    const auto id = open({{"assignee", "ann"}});
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::not_allowed);
    TaskAction action;
    action.kind = TaskActionKind::delegate;
    action.by = "bob";
    action.to = "bob";
    EXPECT_EQ(act(id, action), TaskAnswer::not_allowed);
    action.by = "ann";
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    EXPECT_EQ(find(id).assignee, "bob");
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::not_allowed);
    EXPECT_EQ(approve(id, "bob"), TaskAnswer::done);
    EXPECT_EQ(audit(id), (Lines{"open pawl", "delegate ann", "approve bob"}));
}

TEST_F(Tasks, AnApproverHandsTheirVoteOn) {
    const auto id = open({{"approvers", {"ann", "bob"}}, {"approvals", 2}});
    TaskAction action;
    action.kind = TaskActionKind::delegate;
    action.by = "ann";
    action.to = "cyd";
    EXPECT_EQ(act(id, action), TaskAnswer::done);
    EXPECT_EQ(find(id).approvers, (Lines{"cyd", "bob"}));
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::not_allowed);
    EXPECT_EQ(approve(id, "cyd"), TaskAnswer::done);
}

// Otherwise one person would decide twice, by another name.
TEST_F(Tasks, AVoteThatWasGivenIsNotHandedOn) {
    const auto id = open({{"approvers", {"ann", "bob"}}, {"approvals", 2}});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
    TaskAction action;
    action.kind = TaskActionKind::delegate;
    action.by = "ann";
    action.to = "ann2";
    for (const bool force : {false, true}) {
        action.force = force;
        EXPECT_EQ(act(id, action), TaskAnswer::voted);
    }
    EXPECT_EQ(find(id).approvers, (Lines{"ann", "bob"}));
    EXPECT_EQ(approve(id, "ann2"), TaskAnswer::not_allowed);
    EXPECT_EQ(audit(id), (Lines{"open pawl", "approve ann"}));
}

// Otherwise there would be fewer seats than votes that are needed.
TEST_F(Tasks, AVoteIsNotHandedOnToAPersonWhoHasOne) {
    const auto id = open({{"approvers", {"ann", "bob"}}, {"approvals", 2}});
    TaskAction action;
    action.kind = TaskActionKind::delegate;
    action.by = "ann";
    for (const char* to : {"bob", "ann"}) {
        action.to = to;
        EXPECT_EQ(act(id, action), TaskAnswer::seated);
    }
    // Who has no seat has none to hand on, whatever they may do.
    action.by = "root";
    action.to = "cyd";
    action.force = true;
    EXPECT_EQ(act(id, action), TaskAnswer::not_allowed);
    EXPECT_EQ(find(id).approvers, (Lines{"ann", "bob"}));
}

TEST_F(Tasks, AnAdministratorDecidesForOthers) {
    const auto id = open({{"assignee", "ann"}});
    TaskAction action;
    action.by = "root";
    action.force = true;
    EXPECT_EQ(act(id, action), TaskAnswer::done);
}

TEST_F(Tasks, AreOverWhenTheirTimeIs) {
    const auto id = open({{"until", (db_.now() - 1s).time_since_epoch().count()}});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::late);
}

TEST_F(Tasks, RemindersAndEscalationsAreKept) {
    const auto id = open({{"assignee", "ann"}});
    db_.cancel(run_);
    db_.claim(worker_);
    auto batch = appending(worker_, run_, {step_completed(2), step_completed(3)});
    batch.projections.noted.push_back({run_, 4, json::object{{"note", "reminded"}}});
    db_.commit(batch);
    batch = appending(worker_, run_, {step_completed(4)});
    batch.projections.noted.push_back(
        {run_, 4, json::object{{"note", "escalated"}, {"assignee", "boss"}}}
    );
    db_.commit(batch);
    EXPECT_EQ(find(id).assignee, "boss");
    EXPECT_EQ(audit(id), (Lines{"open pawl", "remind pawl", "escalate pawl"}));
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::not_allowed);
    EXPECT_EQ(approve(id, "boss"), TaskAnswer::done);
}

// All were due before the worker came to look.
TEST_F(Tasks, SeveralNotesAtOnceAreAllKept) {
    const auto id = open({{"assignee", "ann"}});
    db_.cancel(run_);
    db_.claim(worker_);
    auto batch = appending(worker_, run_, {step_completed(2)});
    auto& noted = batch.projections.noted;
    noted.push_back({run_, 4, json::object{{"note", "escalated"}, {"assignee", "lead"}}});
    noted.push_back({run_, 4, json::object{{"note", "escalated"}, {"assignee", "boss"}}});
    noted.push_back({run_, 4, json::object{{"note", "reminded"}}});
    db_.commit(batch);
    EXPECT_EQ(find(id).assignee, "boss");
    EXPECT_EQ(audit(id), (Lines{"open pawl", "escalate pawl", "escalate pawl", "remind pawl"}));
    EXPECT_EQ(approve(id, "lead"), TaskAnswer::not_allowed);
    EXPECT_EQ(approve(id, "boss"), TaskAnswer::done);
}

TEST_F(Tasks, TimeOutAndTheEndOfTheRunCloseThem) {
    const auto late = open({});
    db_.cancel(run_);
    db_.claim(worker_);
    auto batch = appending(worker_, run_, {step_completed(2)});
    batch.projections.closed.push_back({run_, 4, "timed_out"});
    db_.commit(batch);
    EXPECT_EQ(find(late).state, "timed_out");
    EXPECT_EQ(approve(late, "ann"), TaskAnswer::closed);

    const auto left = open({});
    db_.cancel(run_);
    db_.claim(worker_);
    auto end = closing(worker_, run_, RunStatus::cancelled, 2);
    end.projections.ended.push_back(run_);
    db_.commit(end);
    EXPECT_EQ(find(left).state, "withdrawn");
    EXPECT_EQ(audit(left), (Lines{"open pawl", "close pawl"}));
}

TEST_F(Tasks, ADecisionStays) {
    const auto id = open({});
    EXPECT_EQ(approve(id, "ann"), TaskAnswer::done);
    db_.claim(worker_);
    auto batch = appending(worker_, run_, {step_completed(2)});
    batch.projections.closed.push_back({run_, 4, "timed_out"});
    db_.commit(batch);
    EXPECT_EQ(find(id).state, "approved");
}

TEST_F(Tasks, AResentCommitOpensOneTask) {
    run_ = db_.run(worker_);
    auto batch = appending(worker_, run_, {waits(1)});
    batch.projections.opened.push_back({run_, 4, 1, 1, "ask", "", json::object{{"title", "once"}}});
    db_.commit(batch);
    store::TaskFilter filter;
    filter.run = run_;
    EXPECT_EQ(approve(page(filter).tasks.at(0).id, "ann"), TaskAnswer::done);
    batch.resend = true;
    db_.commit(batch);
    EXPECT_EQ(page(filter).tasks.size(), 1u);
}

TEST_F(Tasks, ListsByEveryFilterAndInPages) {
    std::vector<Uuid> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(
            open({{"assignee", i % 2 == 0 ? "ann" : "bob"}, {"group", i < 3 ? "finance" : "legal"}})
        );
    }
    EXPECT_EQ(approve(all[4], "ann"), TaskAnswer::done);
    const auto count = [&](const store::TaskFilter& filter) { return page(filter).tasks.size(); };
    store::TaskFilter filter;
    EXPECT_EQ(count(filter), 5u);
    filter.state = "open";
    EXPECT_EQ(count(filter), 4u);
    filter.assignee = "ann";
    EXPECT_EQ(count(filter), 2u);
    filter.assignee.clear();
    filter.group = "legal";
    EXPECT_EQ(count(filter), 1u);
    filter.workflow = "hello";
    EXPECT_EQ(count(filter), 1u);
    filter.workflow = "other";
    EXPECT_EQ(count(filter), 0u);

    store::TaskFilter pages;
    pages.limit = 2;
    std::vector<Uuid> seen;
    for (int i = 0; i < 10; ++i) {
        const auto one = page(pages);
        for (const auto& task : one.tasks) seen.push_back(task.id);
        if (!one.next) break;
        pages.before = one.next;
    }
    std::reverse(all.begin(), all.end());
    EXPECT_EQ(seen, all);
    // However few match, there is a page after this one only if it has a task.
    store::TaskFilter rare;
    rare.group = "finance";
    const auto only = page(rare);
    EXPECT_FALSE(only.tasks.empty());
    EXPECT_FALSE(only.next);
    EXPECT_TRUE(page({}, {2, 0}).tasks.empty());
    EXPECT_EQ(act(all[0], TaskAction{}, store::Tenant{2, 0}), TaskAnswer::not_found);
}

}  // namespace
}  // namespace pawl::test
