#include "history.hpp"

#include "base/json.hpp"

#include <fmt/core.h>

namespace pawl::rehearse {

namespace {

std::string id_of(const Definition& definition, NodeIndex node) {
    return node < definition.nodes.size() ? definition.nodes[node].id : "";
}

std::int64_t number(const json::value& value, std::string_view key) {
    return whole_number(find(value, key)).value_or(0);
}

json::value member(const json::value& value, std::string_view key) {
    const json::value* found = find(value, key);
    return found == nullptr ? json::value() : *found;
}

}  // namespace

json::object event_to_json(const Event& event) {
    json::object out{
        {"seq", event.seq},
        {"type", static_cast<int>(event.type)},
        {"at", event.at.time_since_epoch().count()}};
    if (!event.node.empty()) out["node"] = event.node;
    if (event.attempt != 0) out["attempt"] = event.attempt;
    if (event.token != 0) out["token"] = event.token;
    if (!event.data.is_null()) out["data"] = event.data;
    if (!event.error.is_null()) out["error"] = event.error;
    return out;
}

Event event_from_json(const json::value& value) {
    Event event;
    event.seq = static_cast<std::int32_t>(number(value, "seq"));
    event.type = static_cast<EventType>(number(value, "type"));
    event.at = Instant(Instant::duration(number(value, "at")));
    event.node = text_in(value, "node");
    event.attempt = static_cast<std::int16_t>(number(value, "attempt"));
    event.token = static_cast<std::uint32_t>(number(value, "token"));
    event.data = member(value, "data");
    event.error = member(value, "error");
    return event;
}

json::object end_of(const Definition& definition, const plan::RunState& state) {
    json::array tokens, records;
    for (const plan::Token& token : state.tokens) {
        tokens.push_back(json::object{
            {"id", token.id},
            {"node", id_of(definition, token.node)},
            {"phase", static_cast<int>(token.phase)},
            {"attempt", token.attempt},
            {"visit", token.visit},
            {"until", token.until.time_since_epoch().count()}});
    }
    for (const plan::StepRecord& record : state.records) {
        json::object one{{"node", id_of(definition, record.node)}, {"result", record.result}};
        if (record.error) one["error"] = pawl::to_json(*record.error);
        records.push_back(std::move(one));
    }
    return {
        {"status", name(state.status)},
        {"next_seq", state.next_seq},
        {"version", state.version},
        {"output", state.output},
        {"error", state.error},
        {"tokens", std::move(tokens)},
        {"records", std::move(records)},
        {"mailbox", state.mailbox.size()},
        {"locks", state.locks.size()}};
}

plan::RunState History::fold() const {
    std::vector<plan::Pin> pins;
    for (const auto& [version, definition] : versions) pins.emplace_back(version, &definition);
    return plan::fold(pins, log);
}

json::object to_json(const History& history) {
    json::object versions;
    for (const auto& [version, definition] : history.versions) {
        versions[std::to_string(version)] = pawl::to_json(definition);
    }
    json::array log;
    for (const Event& event : history.log) log.push_back(event_to_json(event));
    return {
        {"name", history.name},
        {"versions", std::move(versions)},
        {"log", std::move(log)},
        {"end", end_of(history.definition(), history.fold())}};
}

History history_from_json(const json::value& value) {
    History history;
    history.name = text_in(value, "name");
    for (const auto& [version, definition] : value.at("versions").as_object()) {
        history.versions.emplace(
            std::stoi(std::string(version)), definition_from_json(definition).value()
        );
    }
    for (const json::value& event : value.at("log").as_array()) {
        history.log.push_back(event_from_json(event));
    }
    return history;
}

}  // namespace pawl::rehearse
