#include "app/numbers/trial.hpp"

#include "app/refusal.hpp"
#include "base/json.hpp"
#include "model/duration.hpp"
#include "rehearse/made_up.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>

namespace pawl::app {

namespace {

// On the thread that answers: enough for every journey, and over in a moment.
constexpr int decisions_max = 5'000;
constexpr std::size_t visits_max = 1'000;

// "tests[0].mocks.pay" is "/test/mocks/pay" of the parameters.
std::string pointer_of(std::string_view path) {
    constexpr std::string_view prefix = "tests[0]";
    if (path.starts_with(prefix)) path.remove_prefix(prefix.size());
    std::string pointer = "/test";
    if (!path.empty() && path.front() != '.') pointer += '/';
    for (const char letter : path) pointer += letter == '.' || letter == '[' ? '/' : letter;
    std::erase(pointer, ']');
    return pointer;
}

Result<rehearse::TestCase> read_case(const Definition& definition, json::object test) {
    test["name"] = "trial";
    const json::object file{{"tests", json::array{std::move(test)}}};
    auto read = rehearse::read_tests(json::serialize(file), definition);
    if (!read.problems.empty()) {
        std::vector<WrongPlace> places;
        for (const Problem& problem : read.problems) {
            places.push_back({pointer_of(problem.path), problem.what});
        }
        return wrong_places(std::move(places));
    }
    return std::move(read.file.tests.front());
}

asio::awaitable<json::value> person_of(
    SimulateUses& uses, store::Tenant tenant, std::string subject
) {
    if (subject.empty()) co_return json::object();
    std::vector<store::PersonKey> keys{{tenant.id, std::move(subject)}};
    auto people = co_await uses.persons.read(std::move(keys));
    co_return people.front() ? json::value(std::move(*people.front())) : json::object();
}

json::object edge_json(const Definition& definition, std::size_t edge) {
    const Edge& one = definition.edges[edge];
    return {
        {"from", definition.nodes[one.from].id},
        {"handle", one.handle},
        {"to", definition.nodes[one.to].id}};
}

json::object visit_json(const Trial& trial, const rehearse::Visit& visit) {
    const Node& node = trial.definition.nodes[visit.node];
    json::object out;
    out["node"] = node.id;
    out["type"] = name(node.type);
    out["at"] = to_rfc3339(visit.at);
    out["ended_at"] = visit.ended ? json::value(to_rfc3339(*visit.ended)) : json::value();
    out["by"] = visit.edge ? json::value(edge_json(trial.definition, *visit.edge)) : json::value();
    out["attempts"] = visit.attempts;
    out["input"] = visit.config ? json::value(*visit.config) : json::value();
    out["waits_for"] = visit.waits_for;
    out["result"] = visit.result;
    out["error"] = visit.error;
    out["handle"] = visit.handle.empty() ? json::value() : json::value(visit.handle);
    out["disabled"] = visit.disabled;
    out["made_up"] = trial.assumed.contains(node.id);
    return out;
}

}  // namespace

asio::awaitable<Result<Trial>> try_out(
    SimulateUses& uses, store::Tenant tenant, TrialParams params
) {
    Trial trial;
    trial.definition = std::move(params.definition);
    trial.checked = params.test.contains("expect");
    auto test = read_case(trial.definition, std::move(params.test));
    if (!test) co_return test.error();
    rehearse::Script& script = test->script;
    if (const auto valid = validate_input(trial.definition, script.input); !valid) {
        co_return wrong_at(valid.error().message, "/test/input", valid.error().message);
    }
    if (script.person.is_null()) {
        script.person = co_await person_of(uses, tenant, script.subject);
    }
    script.decisions_max = decisions_max;
    trial.start = script.start;
    trial.person = script.person;
    rehearse::TrialWorld world(test->mocks, trial.person);
    trial.recording = rehearse::rehearse(trial.definition, script, world);
    trial.visits = rehearse::journal_of(trial.definition, trial.recording);
    trial.assumed = world.assumed();
    if (trial.checked) {
        trial.mismatches = rehearse::check(trial.definition, test->expect, trial.recording);
    }
    co_return trial;
}

json::object to_json(const Trial& trial) {
    const rehearse::Recording& recording = trial.recording;
    json::array steps, edges, waits, remarks, emitted, mismatches;
    for (const rehearse::Visit& visit : trial.visits) {
        if (steps.size() == visits_max) break;
        steps.push_back(visit_json(trial, visit));
    }
    for (std::size_t i = 0; i < trial.definition.edges.size(); ++i) {
        json::object edge = edge_json(trial.definition, i);
        edge["count"] = recording.taken[i];
        edges.push_back(std::move(edge));
    }
    for (const std::string& node : recording.waits_at) waits.push_back(json::value(node));
    for (const std::string& one : recording.remarks) remarks.push_back(json::value(one));
    for (const rehearse::Emitted& one : recording.emitted) {
        emitted.push_back(json::object{{"event", one.event}, {"key", one.key}, {"data", one.data}});
    }
    for (const rehearse::Mismatch& one : trial.mismatches) {
        mismatches.push_back(json::object{{"what", one.what}, {"message", one.message}});
    }
    json::object out;
    out["workflow"] = trial.definition.name;
    out["status"] = rehearse::outcome_name(recording);
    out["started_at"] = to_rfc3339(trial.start);
    out["ended_at"] = to_rfc3339(recording.ended);
    out["took"] = format_duration(recording.ended - trial.start);
    out["person"] = trial.person;
    out["output"] = recording.output;
    out["error"] = recording.error;
    out["stopped"] = recording.stopped;
    out["steps"] = std::move(steps);
    out["truncated"] = trial.visits.size() > visits_max;
    out["edges"] = std::move(edges);
    out["waits_at"] = std::move(waits);
    out["emitted"] = std::move(emitted);
    out["remarks"] = std::move(remarks);
    out["mismatches"] = std::move(mismatches);
    return out;
}

}  // namespace pawl::app
