#include "app/numbers/simulate.hpp"

#include "base/json.hpp"
#include "engine/start/trigger.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <set>

namespace pawl::app {

namespace {

constexpr int events_max = 200'000;
constexpr std::size_t batch = 50;  // runs between two breaths of the thread

// Names of events that runs may wait for, or end by; "*": one that is not known before.
void note_events(const json::value& value, std::set<std::string>& names) {
    if (const json::array* items = value.if_array()) {
        for (const json::value& item : *items) note_events(item, names);
    }
    const json::object* members = value.if_object();
    if (members == nullptr) return;
    for (const auto& [key, member] : *members) {
        if (key == "event" && member.is_string()) names.insert(std::string(member.get_string()));
        note_events(member, names);
    }
}

std::set<std::string> awaited_events(const Definition& definition) {
    std::set<std::string> names;
    for (const ExitEvent& exit : definition.exit_on) names.insert(exit.event);
    for (const Node& node : definition.nodes) note_events(node.config, names);
    return names;
}

struct Found {
    engine::StartRequest start;
    Instant at{};
};

// The runs that events would have started, in the order of the events.
std::vector<Found> starts_of(
    const std::shared_ptr<const Definition>& definition,
    const std::vector<store::InboxEvent>& events,
    std::size_t& looked_at
) {
    auto program = std::make_shared<engine::Program>();
    program->definition = *definition;
    std::set<std::string> names;
    for (const Trigger& trigger : definition->triggers) names.insert(trigger.event);
    std::vector<Found> starts;
    for (const store::InboxEvent& event : events) {
        if (!names.contains(event.name)) continue;
        ++looked_at;
        engine::Triggered triggered = engine::apply_triggers(program, event);
        if (triggered.start) starts.push_back({std::move(*triggered.start), event.at});
    }
    return starts;
}

asio::awaitable<std::vector<json::value>> read_people(
    store::Persons& persons,
    store::TenantId tenant,
    const std::vector<Found>& starts,
    std::size_t from,
    std::size_t to
) {
    std::vector<store::PersonKey> keys;
    for (std::size_t i = from; i < to; ++i) keys.push_back({tenant, starts[i].start.subject});
    std::vector<json::value> people;
    // Only counts come of it, which need all that conditions ask for.
    for (auto& person : co_await persons.read_whole(std::move(keys))) {
        people.push_back(person ? json::value(std::move(*person)) : json::value());
    }
    co_return people;
}

json::object counts_of(const std::map<std::string, std::size_t>& counts) {
    json::object out;
    for (const auto& [name, count] : counts) out[name] = count;
    return out;
}

}  // namespace

asio::awaitable<Result<Simulated>> simulate_history(
    SimulateUses& uses, store::Tenant tenant, SimulateParams params
) {
    Simulated out;
    if (params.definition) {
        out.definition = std::make_shared<const Definition>(std::move(*params.definition));
    } else {
        const auto head = co_await find_workflow(uses.versions, tenant.id, params.workflow);
        if (!head) co_return head.error();
        auto definition = definition_from_json(head->definition);
        if (!definition) co_return definition.error();
        out.definition = std::make_shared<const Definition>(std::move(*definition));
    }
    const Definition& definition = *out.definition;
    std::set<std::string> names = awaited_events(definition);
    for (const Trigger& trigger : definition.triggers) {
        if (trigger.event.empty())
            out.by_clock = true;
        else
            names.insert(trigger.event);
    }
    auto past = co_await uses.funnels.past_events(
        tenant, {names.begin(), names.end()}, params.since, events_max
    );
    out.from = past.from;
    out.until = past.until;
    out.truncated = past.events.size() >= static_cast<std::size_t>(events_max);
    out.history = std::make_unique<rehearse::Past>(definition, out.until);
    auto starts = starts_of(out.definition, past.events, out.events);
    if (starts.size() > static_cast<std::size_t>(params.limit)) {
        out.truncated = true;
        starts.resize(static_cast<std::size_t>(params.limit));
    }
    for (store::InboxEvent& event : past.events) {
        out.history->add({event.name, event.key, event.at, std::move(event.data)});
    }
    for (std::size_t i = 0; i < starts.size(); i += batch) {
        const std::size_t end = std::min(starts.size(), i + batch);
        const auto people = co_await read_people(uses.persons, tenant.id, starts, i, end);
        for (std::size_t at = i; at < end; ++at) {
            engine::StartRequest& start = starts[at].start;
            out.history->start(
                {starts[at].at, start.subject, std::move(start.input)}, people[at - i]
            );
        }
        co_await asio::post(uses.executor, asio::use_awaitable);
    }
    co_return out;
}

json::object to_json(const Simulated& simulated) {
    const rehearse::Past& history = *simulated.history;
    const Definition& definition = *simulated.definition;
    json::array nodes, edges, messages, assumed;
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        nodes.push_back(json::object{
            {"node", definition.nodes[i].id}, {"entered", history.coverage().nodes()[i]}});
    }
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        edges.push_back(json::object{
            {"from", definition.nodes[edge.from].id},
            {"handle", edge.handle},
            {"to", definition.nodes[edge.to].id},
            {"count", history.coverage().edges()[i]}});
    }
    for (const auto& [node, one] : history.messages()) {
        messages.push_back(json::object{
            {"node", node},
            {"channel", one.channel},
            {"sent", one.sent},
            {"at_night", one.at_night},
            {"skipped_by", counts_of(one.skipped)}});
    }
    for (const std::string& node : history.assumed()) assumed.push_back(json::value(node));
    json::object out;
    out["workflow"] = definition.name;
    out["from"] = to_rfc3339(simulated.from);
    out["to"] = to_rfc3339(simulated.until);
    out["events"] = simulated.events;
    out["entered"] = history.entered();
    out["people"] = history.people();
    out["inside_before"] = history.inside();
    out["refused"] = history.refused();
    out["truncated"] = simulated.truncated;
    out["by_clock"] = simulated.by_clock;
    out["statuses"] = counts_of(history.statuses());
    out["errors"] = counts_of(history.errors());
    out["waiting_at"] = counts_of(history.waits_at());
    out["messages"] = std::move(messages);
    out["nodes"] = std::move(nodes);
    out["edges"] = std::move(edges);
    out["assumed_false"] = std::move(assumed);
    return out;
}

}  // namespace pawl::app
