// Who is asked, and who decides.
#include "plan/people.hpp"

#include "graph_run.hpp"

#include <fmt/core.h>

namespace pawl::plan {
namespace {

// A run that asks; `people` are members of its config.
std::string asking(std::string_view people) {
    return fmt::format("name: x\nsteps: [{{name: ask, human: {{title: t, {}}}}}]", people);
}

const events::TaskWait& task_of(const GraphRun& run) {
    return *run.state.tokens.at(0).waits_for.as<events::TaskWait>();
}

std::string shown(const GraphRun& run, std::string_view key) {
    const json::object wait = events::write(task_of(run));
    const json::value* value = wait.if_contains(key);
    return value == nullptr ? "" : json::serialize(*value);
}

TEST(People, EqualApproversCountOnce) {
    GraphRun run(asking("approvers: '{{ who }}', approvals: 2"), {{"who", {"ann", "bob", "ann"}}});
    EXPECT_EQ(shown(run, "approvers"), R"(["ann","bob"])");
    GraphRun few(asking("approvers: '{{ who }}', approvals: 2"), {{"who", {"ann", "ann"}}});
    EXPECT_EQ(few.status(), "failed nobody_asked");
    EXPECT_FALSE(parse_definition(asking("approvers: [ann, ann], approvals: 2")));
}

TEST(People, ANameIsOnePersonInAnySpelling) {
    GraphRun run(asking("approvers: '{{ who }}'"), {{"who", {" ann", "ann ", "Ann", "bob\t"}}});
    EXPECT_EQ(shown(run, "approvers"), R"(["ann","bob"])");
    const events::TaskWait wait = task_of(run);
    EXPECT_EQ(refusal_of(wait, "ANN "), "");
    EXPECT_FALSE(parse_definition(asking("approvers: [ann, 'ann ', Ann], approvals: 2")));
    GraphRun blank(asking("approvers: '{{ who }}'"), {{"who", {"ann", " "}}});
    EXPECT_EQ(blank.status(), "failed nobody_asked");
    GraphRun to(asking("assignee: '{{ who }}'"), {{"who", " ann "}});
    EXPECT_EQ(shown(to, "assignee"), R"("ann")");
    EXPECT_EQ(refusal_of(task_of(to), "Ann"), "");
    GraphRun unnamed(asking("assignee: '{{ who }}'"), {{"who", "  "}});
    EXPECT_EQ(unnamed.status(), "failed nobody_asked");
    GraphRun own(asking("exclude: '{{ who }}'"), {{"who", "Ann@X.com"}});
    EXPECT_NE(refusal_of(task_of(own), "ann@x.com "), "");
    GraphRun two(asking("approvers: [ann, bob], approvals: 2"));
    Votes votes;
    EXPECT_EQ(vote(task_of(two), votes, true, "ann"), "");
    EXPECT_EQ(vote(task_of(two), votes, true, "Ann "), "") << "the same vote";
    EXPECT_EQ(vote(task_of(two), votes, true, "BOB"), "approved");
}

TEST(People, ListsComeFromTemplates) {
    GraphRun run(asking("approvers: ['{{ team }}', boss]"), {{"team", {"ann", "bob"}}});
    EXPECT_EQ(shown(run, "approvers"), R"(["ann","bob","boss"])");
    for (const json::value& odd :
         {json::value(nullptr),
          json::value(json::array{""}),
          json::value(json::object()),
          json::value(json::array())}) {
        GraphRun wrong(asking("approvers: '{{ team }}'"), {{"team", odd}});
        EXPECT_EQ(wrong.status(), "failed nobody_asked") << json::serialize(odd);
    }
    EXPECT_FALSE(parse_definition(asking("approvers: ann")));
}

TEST(People, TheRequesterDoesNotDecide) {
    const std::string text =
        asking("approvers: [ann, bob, cyd], approvals: 2, exclude: '{{ input.requested_by }}'");
    GraphRun run(text, {{"requested_by", "bob"}});
    EXPECT_EQ(shown(run, "approvers"), R"(["ann","cyd"])");
    EXPECT_EQ(shown(run, "exclude"), R"(["bob"])");
    const events::TaskWait wait = task_of(run);
    EXPECT_EQ(refusal_of(wait, "ann"), "");
    EXPECT_NE(refusal_of(wait, "bob").find("may not decide"), std::string::npos);
    EXPECT_NE(refusal_of(wait, "eve").find("is not asked"), std::string::npos);
    GraphRun unknown(text, {{"requested_by", ""}});
    EXPECT_EQ(unknown.status(), "failed nobody_asked") << "an empty name would exclude no person";
    GraphRun alone(asking("assignee: bob, exclude: [bob]"));
    EXPECT_EQ(alone.status(), "failed nobody_asked");
}

TEST(People, ANoThatCouldNeverBeReachedIsRefused) {
    EXPECT_TRUE(parse_definition(asking("approvers: [a, b, c], approvals: 2, rejections_needed: 2"))
    );
    EXPECT_FALSE(parse_definition(asking("approvers: [a, b, c], approvals: 2, rejections_needed: 3")
    ));
    GraphRun run(
        asking("approvers: '{{ who }}', approvals: 2, rejections_needed: 2"), {{"who", {"a", "b"}}}
    );
    EXPECT_EQ(run.status(), "failed nobody_asked");
}

TEST(People, AChainOfEscalations) {
    GraphRun run(
        asking("assignee: ann, due: 9h, exclude: bob, escalate: [{after: 1h, to: boss}, "
               "{after: 2h, to: bob}, {after: 3h, to: '{{ top }}'}]"),
        {{"top", "chief"}}
    );
    EXPECT_EQ(run.pass_time(3600), "wait_noted");
    EXPECT_EQ(shown(run, "assignee"), "\"boss\"");
    EXPECT_EQ(run.pass_time(3600), "") << "bob may not decide it";
    EXPECT_EQ(run.pass_time(3600), "wait_noted");
    EXPECT_EQ(shown(run, "assignee"), "\"chief\"");
    EXPECT_EQ(run.pass_time(3600), "");
    run.pass_time(6 * 3600);
    EXPECT_EQ(run.status(), "failed timeout");
    EXPECT_FALSE(parse_definition(asking("escalate: [{after: 1h}]")));
    EXPECT_FALSE(parse_definition(asking("escalate: [{to: a}]")));
    EXPECT_FALSE(parse_definition(
        asking("escalate: [{after: 1h, to: a}], escalate_after: 1h, escalate_to: b")
    ));
}

TEST(People, VotesBeforeAnEscalationCountAndWhoItWentToDecides) {
    GraphRun run(asking("approvers: [ann, bob], approvals: 2, escalate_after: 1h, escalate_to: boss"
    ));
    Votes votes;
    EXPECT_EQ(vote(task_of(run), votes, true, "ann"), "");
    EXPECT_NE(refusal_of(task_of(run), "boss"), "");
    run.pass_time(3600);
    const events::TaskWait wait = task_of(run);
    EXPECT_EQ(refusal_of(wait, "boss"), "");
    Votes others = votes;
    EXPECT_EQ(vote(wait, others, true, "bob"), "approved");
    EXPECT_EQ(vote(wait, votes, true, "boss"), "approved");
}

TEST(People, ANoMayNeedSeveral) {
    GraphRun run(asking("approvers: [a, b, c, d], approvals: 3, rejections_needed: 2"));
    const events::TaskWait wait = task_of(run);
    Votes votes;
    EXPECT_EQ(vote(wait, votes, false, "a"), "");
    EXPECT_EQ(vote(wait, votes, true, "a"), "") << "one vote each, and it may change";
    EXPECT_TRUE(votes.rejected.empty());
    EXPECT_EQ(vote(wait, votes, false, "b"), "");
    EXPECT_EQ(vote(wait, votes, false, "c"), "rejected");
}

}  // namespace
}  // namespace pawl::plan
