#include "model/definition.hpp"
#include "model/events/whole_run_events.hpp"
#include "model/problems.hpp"

#include <gtest/gtest.h>

namespace pawl {
namespace {

namespace json = boost::json;

const std::string steps = "\nsteps: [{id: a, code: x}]\n";

Definition read(const std::string& flow) {
    const auto definition = parse_definition("name: w\nflow: " + flow + steps);
    EXPECT_TRUE(definition) << to_string(definition.error());
    return definition ? *definition : Definition{};
}

std::string problem_of(const std::string& flow) {
    const auto definition = parse_definition("name: w\nflow: " + flow + steps);
    return definition ? "" : to_string(definition.error());
}

json::value ticket(const std::string& flow, const json::value& input) {
    return flow_ticket(read(flow).flow, {3, 12}, input, "anna");
}

TEST(FlowControl, IsReadAndWrittenAgain) {
    const auto definition = read(
        "{concurrency: [{key: '{{ customer }}', limit: 5}, {name: all, limit: 9, scope: tenant}], "
        "while_waiting: free, rate: {limit: 100, per: 1m, burst: 10, over: drop}, "
        "debounce: {key: '{{ customer }}', period: 10s, max_wait: 1m}}"
    );
    EXPECT_EQ(definition.flow.concurrency.size(), 2u);
    EXPECT_TRUE(definition.flow.free_while_waiting);
    EXPECT_TRUE(definition.flow.rate->drop);
    const auto again = definition_from_json(to_json(definition));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, definition);
    const auto batch = read("{batch: {size: 50, max_wait: 5s}, concurrency: {limit: 1}}");
    EXPECT_EQ(batch.flow.gathering->size, 50);
    EXPECT_EQ(*definition_from_json(to_json(batch)), batch);
    EXPECT_FALSE(to_json(read("{}")).contains("flow"));
}

TEST(FlowControl, SaysWhatIsWrong) {
    const std::pair<const char*, const char*> wrong[] = {
        {"{concurrency: {key: a}}", "concurrency.limit"},
        {"{concurrency: {limit: 0}}", "concurrency.limit"},
        {"{concurrency: [{limit: 1}, {limit: x}]}", "concurrency[1].limit"},
        {"{concurrency: {limit: 1, scope: galaxy}}", "galaxy"},
        {"{concurrency: {limit: 1, scope: tenant}}", "concurrency.name"},
        {"{concurrency: {limit: 1, key: '{{ a'}}", "key"},
        {"{concurrency: [{name: a, limit: 1}, {name: a, limit: 2}]}", "there already"},
        {"{concurrency: {limit: 1, speed: 3}}", "speed"},
        {"{while_waiting: perhaps}", "hold or free"},
        {"{rate: {limit: 5}}", "rate.per"},
        {"{rate: {limit: 5, per: 1m, over: shout}}", "wait or drop"},
        {"{debounce: {key: a}}", "debounce.period"},
        {"{debounce: {period: 10s, max_wait: 5s}}", "max_wait"},
        {"{batch: {size: 1, max_wait: 1s}}", "size"},
        {"{batch: {size: 10}}", "max_wait"},
        {"{batch: {size: 10, max_wait: 1s}, debounce: {period: 1s}}", "keep one"},
        {"{fairness: true}", "fairness"},
    };
    for (const auto& [flow, what] : wrong) {
        EXPECT_NE(problem_of(flow).find(what), std::string::npos) << flow << problem_of(flow);
    }
}

TEST(FlowControl, ATicketNamesGatesWithRenderedKeys) {
    EXPECT_TRUE(ticket("{}", json::object()).is_null());
    const json::value input = json::parse(R"({"customer": {"id": 7}, "vip": true})");
    EXPECT_EQ(
        ticket(
            "{concurrency: {key: '{{ customer.id }}-{{ x | default: \"none\" }}', limit: 2}}", input
        ),
        json::parse(R"({"slots": [["3/12/concurrency/7-none", 2]]})")
    );
    EXPECT_EQ(
        ticket(
            "{concurrency: [{name: a, limit: 2, scope: tenant, key: '{{ run.subject }}'}, "
            "{name: b, limit: 3, scope: global}], while_waiting: free, rate: {limit: 6, per: 1m}}",
            input
        ),
        json::parse(R"({"slots": [["3/0/a/anna", 2], ["3/0/b/", 3]], "free": true,
                        "rate": ["3/12/rate/", 6, 60000000, 1, false]})")
    );
    EXPECT_EQ(
        ticket("{debounce: {key: '{{ input.vip }}', period: 10s}}", input),
        json::parse(R"({"gather": ["3/12/debounce/true", 0, 10000000, 0]})")
    );
    const json::value longer = json::object{{"k", std::string(500, 'x') + "\n"}};
    const auto slot = ticket("{concurrency: {key: '{{ k }}', limit: 1}}", longer);
    EXPECT_EQ(slot.at("slots").at(0).at(0).get_string().size(), 5 + 12 + 200u);
}

TEST(FlowControl, GatesThatARunKeepsWhileItWaits) {
    const auto one = ticket("{concurrency: [{name: a, limit: 2}, {name: b, limit: 1}]}", {});
    const json::value caller = json::parse(R"({"token": 1, "gates": ["3/0/up/"]})");
    const auto gates = [](const json::object& started) {
        return gates_of_run(events::read<events::RunStarted>(started));
    };
    EXPECT_EQ(
        gates({{"flow", one}, {"caller", caller}}),
        (std::vector<std::string>{"3/12/a/", "3/12/b/", "3/0/up/"})
    );
    const auto free = ticket("{concurrency: {limit: 2}, while_waiting: free}", {});
    EXPECT_TRUE(gates({{"flow", free}}).empty());
    EXPECT_TRUE(gates({}).empty());
    EXPECT_TRUE(asks_at(one, {"3/12/b/"}));
    EXPECT_FALSE(asks_at(one, {"3/12/c/"}));
    EXPECT_FALSE(asks_at(nullptr, {"3/12/c/"}));
    EXPECT_EQ(without_gates(one, {"3/12/a/"}), json::parse(R"({"slots": [["3/12/b/", 1]]})"));
    EXPECT_TRUE(without_gates(one, {"3/12/a/", "3/12/b/"}).is_null());
    EXPECT_EQ(without_gates(one, {}), one);
}

TEST(FlowControl, AStartMustBringWhatTheKeysNeed) {
    const auto definition = read("{concurrency: {key: '{{ customer.id }}', limit: 2}}");
    EXPECT_TRUE(validate_input(definition, json::parse(R"({"customer": {"id": 7}})")));
    const auto missing = validate_input(definition, json::object());
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("customer.id"), std::string::npos);
}

TEST(FlowControl, TheInputOfABatchIsItsItems) {
    auto definition = parse_definition(
        "name: w\nrequired_fields: [n]\nflow: {batch: {key: '{{ n }}', size: 5, max_wait: 1s}}\n"
        "steps: [{id: a, code: {function: x, input: '{{ items }}'}}]\n"
    );
    ASSERT_TRUE(definition) << to_string(definition.error());
    const json::value item = json::parse(R"({"n": 1})");
    EXPECT_TRUE(validate_input(*definition, item));
    EXPECT_FALSE(validate_input(*definition, json::object()));
    EXPECT_EQ(run_input(*definition, item), json::parse(R"({"items": [{"n": 1}]})"));
}

}  // namespace
}  // namespace pawl
