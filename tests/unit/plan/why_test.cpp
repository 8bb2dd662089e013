#include "plan/why.hpp"

#include "graph_run.hpp"

namespace pawl::plan {
namespace {

std::string told(const GraphRun& run, Surroundings around = {true, 1, "R"}) {
    const Why answer = why(run.definition, run.state, around, at(run.now));
    const std::string sentence = sentence_of(answer);
    return answer.help.sentence.empty() ? sentence : sentence + " | " + answer.help.sentence;
}

TEST(Why, TellsWhoOrWhatIsWaitedFor) {
    GraphRun step("name: x\nsteps: [{name: a, code: f, retry: {attempts: 2, base: 10s, jitter: 0}}]"
    );
    EXPECT_EQ(told(step), "'a' is being carried out (attempt 1).");
    EXPECT_EQ(told(step, {false, 1, "R"}), "'a' is ready and waits for a worker with room.");
    EXPECT_EQ(
        told(step, {false, 0, "R"}),
        "'a' is ready, but no worker is alive. | start one: pawl worker"
    );
    step.fail("a", "busy", ErrorClass::retryable);
    EXPECT_EQ(
        told(step),
        "'a' failed once and is tried again at 2023-11-14T22:13:30.000000Z. | "
        "or skip it: pawl runs skip R --node a --reason WHY"
    );
    GraphRun event("name: x\nsteps: [{name: w, wait: {event: paid, key: '17'}}]");
    EXPECT_EQ(
        told(event),
        "Waits at 'w' for the event paid with key 17. | send it: pawl events send paid --key 17"
    );
    GraphRun filtered(
        "name: x\nsteps: [{name: w, wait: {event: paid, key: k, filter: {path: data.n, operator: "
        "exists}}}]"
    );
    EXPECT_NE(told(filtered).find("that its filter lets pass"), std::string::npos);
    GraphRun person("name: x\nsteps: [{name: ask, human: {title: 'Send it?', group: sales}}]");
    EXPECT_EQ(
        told(person),
        "Waits at 'ask' for a person of sales to decide: Send it?. | decide it: pawl tasks list "
        "--run "
        "R"
    );
    GraphRun paused("name: x\nsteps: [{name: a, code: f}]");
    paused.signal("pause", {});
    EXPECT_EQ(told(paused), "It is paused. | let it go on: pawl runs resume R");
    paused.signal("cancel", {});
    EXPECT_EQ(
        told(paused),
        "It begins nothing new and waits for what is under way: 'a' is being carried out (attempt "
        "1). | or end it at once: pawl runs cancel R --force"
    );
    paused.complete("a", 1);
    EXPECT_EQ(told(paused), "It was cancelled.");
}

TEST(Why, TellsWhatOnlyTheSurroundingsKnow) {
    GraphRun later("name: x\nsteps: [{name: a, code: f}]");
    Surroundings around{false, 0, "R"};
    around.due_at = at(60);
    EXPECT_EQ(told(later, around), "It begins with 'a' at 2023-11-14T22:14:20.000000Z.");
    around.gate = Surroundings::Gate{"x", "api", "acme", 2, 2, 1};
    EXPECT_EQ(
        told(later, around),
        "It waits at the limit api of 'acme': 2 of 2 are inside, 1 wait. | let one of them end, or "
        "more in: pawl limits set api 3 --workflow x --key 'acme'"
    );
    later.signal("pause", {{"reason", "the till is shut"}});
    around.reason = reason_in(later.log);
    EXPECT_EQ(
        told(later, around), "It is paused: the till is shut. | let it go on: pawl runs resume R"
    );
    GraphRun failed("name: x\nsteps: [{name: a, code: f, retry: {attempts: 1}}]");
    failed.fail("a", "broken");
    EXPECT_EQ(
        told(failed), "It failed at 'a': broken: it broke. | put it right, then: pawl runs retry R"
    );
    around.went_on_as = "S";
    EXPECT_EQ(
        told(failed, around),
        "It failed at 'a': broken: it broke. | look at the run that it was retried as: "
        "pawl runs why S"
    );
}

TEST(Why, NamesEveryPlaceWhenThereAreSeveral) {
    GraphRun run(R"(
name: x
nodes:
- {id: split, type: parallel}
- {id: a, code: f}
- {id: b, wait: 1h}
- {id: both, type: join}
edges: [{from: split, to: a}, {from: split, to: b}, {from: a, to: both}, {from: b, to: both}]
)");
    run.complete("a", 1);
    const Why answer = why(run.definition, run.state, {true, 1, "R"}, at(0));
    EXPECT_EQ(sentence_of(answer), "Waits at 'b' until 2023-11-14T23:13:20.000000Z.");
    ASSERT_EQ(answer.places.size(), 2u);
    EXPECT_EQ(answer.places[1].sentence, "'both' waits for other branches, 1 came.");
}

}  // namespace
}  // namespace pawl::plan
