#include "app/events/start_reasons.hpp"

#include "app/views/event_json.hpp"
#include "base/exact_json.hpp"
#include "engine/start/trigger.hpp"
#include "model/duration.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace pawl::app {

namespace {

// More names than this are not looked for: each is a list of its own.
constexpr std::size_t names_max = 20;
constexpr std::size_t rule_bytes_max = 300;

std::string key_of(const store::InboxEvent& event) {
    return "event:" + event.id;
}

std::set<std::string> event_names(const Definition& definition) {
    std::set<std::string> names;
    for (const Trigger& trigger : definition.triggers) {
        if (!trigger.event.empty() && names.size() < names_max) names.insert(trigger.event);
    }
    return names;
}

// What the triggers for an event of this name ask for.
std::string rules_for(const Definition& definition, const std::string& event) {
    std::string rules;
    for (const Trigger& trigger : definition.triggers) {
        if (trigger.event != event) continue;
        std::string rule;
        for (const std::string& operation : trigger.operations) {
            rule += (rule.empty() ? "" : " or ") + operation;
        }
        for (const json::value* asked : {&trigger.conditions, &trigger.filter}) {
            if (!asked->is_null()) rule += (rule.empty() ? "" : ", ") + plain_json(*asked);
        }
        if (!rule.empty()) rules += (rules.empty() ? "" : "; ") + rule;
    }
    if (rules.size() > rule_bytes_max) rules = rules.substr(0, rule_bytes_max) + "...";
    return rules;
}

std::string rule_of_entry(const Definition& definition) {
    switch (definition.reentry) {
        case Reentry::once: return "once";
        case Reentry::while_none_open: return "while no run is open";
        case Reentry::after: return "after " + format_duration(definition.reentry_after);
        case Reentry::always: break;
    }
    return "always";
}

// Everything that is known of the events, to judge each.
struct Known {
    const store::WorkflowVersion& head;
    engine::ProgramPtr program;
    std::map<std::string, RunId> runs;
    std::map<std::string, store::LastEntry> entries;  // by subject
};

// What kept out a start that a trigger wanted.
void judge_start(const Known& known, const std::string& subject, EventStart& out) {
    const Definition& definition = known.program->definition;
    const auto entry = known.entries.find(subject);
    if (definition.reentry != Reentry::always && entry != known.entries.end()) {
        out.reason = "entered";
        out.run = entry->second.run;
        out.detail = fmt::format("the subject had entered; reentry: {}", rule_of_entry(definition));
    } else if (!definition.enter_if.is_null()) {
        out.reason = "not_allowed";
        out.detail = "the person is not as enter_if asks: " + plain_json(definition.enter_if);
    } else {
        out.reason = "refused";
        out.detail = "its run is not kept any more, or was not started for a reason unknown here";
    }
}

void judge(const Known& known, const engine::Triggered& triggered, EventStart& out) {
    const store::InboxEvent& event = out.event;
    if (const auto run = known.runs.find(key_of(event)); run != known.runs.end()) {
        out.run = run->second;
        out.reason = "started";
        out.detail = "it started a run";
    } else if (event.pending) {
        out.reason = event.problem.empty() ? "pending" : "held";
        out.detail = event.problem.empty() ? "it has not been looked at yet" : event.problem;
    } else if (!triggered.problem.empty() || !event.problem.empty()) {
        out.reason = "refused";
        out.detail = triggered.problem.empty() ? event.problem : triggered.problem;
    } else if (event.at < known.head.created_at) {
        out.reason = "earlier";
        out.detail = "it came before this version was published";
    } else if (!triggered.start) {
        out.reason = "filter";
        out.detail = "it is not what a trigger asks for: " +
                     rules_for(known.program->definition, event.name);
    } else if (known.head.off_reason || !known.head.active) {
        out.reason = "off";
        out.detail = known.head.off_reason
                         ? "the workflow is switched off: " + *known.head.off_reason
                         : "the workflow is not active";
    } else {
        judge_start(known, triggered.start->subject, out);
    }
}

asio::awaitable<std::vector<EventStart>> newest_events(
    StartReasonUses& uses, store::Tenant tenant, const Definition& definition, int limit
) {
    std::vector<EventStart> all;
    for (const std::string& name : event_names(definition)) {
        store::InboxFilter filter;
        filter.name = name;
        filter.limit = limit;
        auto page = co_await uses.inbox.list(tenant, std::move(filter));
        for (store::InboxEvent& event : page.events) all.emplace_back().event = std::move(event);
    }
    std::sort(all.begin(), all.end(), [](const EventStart& a, const EventStart& b) {
        return a.event.number > b.event.number;
    });
    if (all.size() > static_cast<std::size_t>(limit)) all.resize(static_cast<std::size_t>(limit));
    co_return all;
}

}  // namespace

asio::awaitable<Result<std::vector<EventStart>>> event_starts(
    StartReasonUses& uses, store::Tenant tenant, std::string workflow, int limit
) {
    const auto head = co_await find_workflow(uses.versions, tenant.id, workflow);
    if (!head) co_return head.error();
    const auto program = co_await uses.versions.programs.version(head->id, head->version);
    if (!program) co_return program.error();
    auto starts = co_await newest_events(uses, tenant, (*program)->definition, limit);
    std::vector<engine::Triggered> triggered;
    std::vector<std::string> keys, subjects;
    for (const EventStart& start : starts) {
        triggered.push_back(engine::apply_triggers(*program, start.event));
        keys.push_back(key_of(start.event));
        if (triggered.back().start) subjects.push_back(triggered.back().start->subject);
    }
    Known known{*head, *program, {}, {}};
    known.runs = co_await uses.funnels.runs_of_keys(tenant, head->id, std::move(keys));
    known.entries = co_await uses.funnels.last_entries(tenant, head->id, std::move(subjects));
    for (std::size_t i = 0; i < starts.size(); ++i) judge(known, triggered[i], starts[i]);
    co_return starts;
}

json::object to_json(const EventStart& start) {
    return {
        {"event", to_json(start.event)},
        {"started", start.reason == "started"},
        {"run_id", start.run ? json::value(to_string(*start.run)) : json::value()},
        {"reason", start.reason},
        {"detail", start.detail}};
}

}  // namespace pawl::app
