#include "plan/repin.hpp"

#include "model/events/whole_run_events.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

std::int32_t version_in(const json::value& data) {
    return events::read_one(data, &events::RepinSignal::version);
}

bool is_repin(const Event& event) {
    return event.type == EventType::run_repinned && !was_refused(event);
}

const Definition* find_pin(const std::vector<Pin>& pins, std::int32_t version) {
    for (const Pin& pin : pins) {
        if (pin.first == version) return pin.second;
    }
    return nullptr;
}

Event event_of(
    const RunState& state,
    const json::value& order,
    const Moment& moment,
    std::string_view refused = {}
) {
    Event event;
    event.type = EventType::run_repinned;
    event.seq = state.next_seq;
    event.at = moment.now;
    events::RunRepinned repinned;
    repinned.from = state.version;
    if (!refused.empty()) repinned.refused = refused;
    json::object said = order.is_object() ? order.get_object() : json::object();
    event.data = events::write(std::move(repinned), std::move(said));
    return event;
}

}  // namespace

bool was_refused(const Event& repinned) {
    return events::read<events::RunRepinned>(repinned).refused.has_value();
}

std::vector<std::int32_t> pinned_versions(const std::vector<Event>& log) {
    std::vector<std::int32_t> versions;
    for (const Event& event : log) {
        if (event.seq != 0 && !is_repin(event)) continue;
        const std::int32_t version = version_in(event.data);
        if (version == 0) continue;
        std::erase(versions, version);
        versions.push_back(version);
    }
    return versions;
}

std::int32_t pinned_version(const std::vector<Event>& log) {
    for (auto event = log.rbegin(); event != log.rend(); ++event) {
        if (is_repin(*event)) return version_in(event->data);
    }
    return log.empty() ? 0 : version_in(log.front().data);
}

RunState fold(const Definition& definition, const std::vector<Event>& log, RunState state) {
    for (const Event& event : log) evolve(definition, state, event);
    return state;
}

RunState fold(
    const std::vector<Pin>& pins, const std::vector<Event>& log, const Look& look, RunState state
) {
    if (log.empty()) return state;
    const Definition* definition = find_pin(pins, version_in(log.front().data));
    if (definition == nullptr) return state;
    for (const Event& event : log) {
        if (is_repin(event)) {
            const RepinOrder order = repin_order(event.data);
            if (const Definition* next = find_pin(pins, order.version)) {
                Crossing(*definition, *next, order.map).carry(state);
                definition = next;
                state.version = order.version;
            }
        }
        if (look) look(state, event);
        evolve(*definition, state, event);
    }
    return state;
}

std::vector<Event> renamed(std::vector<Event> log) {
    NodeMap names;  // from those of the part that is being read to those of now
    for (auto event = log.rbegin(); event != log.rend(); ++event) {
        if (is_repin(*event)) {
            NodeMap before = names;
            for (const auto& [from, to] : repin_order(event->data).map) {
                const auto later = names.find(to);
                before[from] = later == names.end() ? to : later->second;
            }
            names = std::move(before);
        } else if (const auto later = names.find(event->node); later != names.end()) {
            event->node = later->second;
        }
    }
    return log;
}

RepinOrder repin_order(const json::value& data) {
    const auto said = events::read<events::RepinSignal>(data);
    RepinOrder order;
    order.version = said.version;
    if (!said.map || !said.map->is_object()) return order;
    for (const auto& [from, to] : said.map->get_object()) {
        if (to.is_string()) order.map[from] = to.get_string();
    }
    return order;
}

Event repin(
    const Crossing& crossing, RunState& state, const json::value& order, const Moment& moment
) {
    const Verdict verdict = crossing.judge(state);
    if (verdict.impact == Impact::would_break) {
        return refuse_repin(state, order, verdict.reason, moment);
    }
    Event event = event_of(state, order, moment);
    crossing.carry(state);
    state.version = version_in(order);
    state.next_seq = event.seq + 1;
    return event;
}

Event refuse_repin(
    RunState& state, const json::value& order, const std::string& reason, const Moment& moment
) {
    Event event = event_of(state, order, moment, reason);
    state.next_seq = event.seq + 1;
    return event;
}

}  // namespace pawl::plan
