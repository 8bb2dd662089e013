#include "model/events/goal_events.hpp"
#include "model/events/wait.hpp"
#include "model/name_limits.hpp"
#include "plan/decision.hpp"
#include "plan/stop.hpp"

#include <algorithm>

// Events that a run hears of wherever it stands: those that end it, and its goals.
namespace pawl::plan {

namespace {

// Before the name of a goal, where an event that ends the run says what it is.
const std::string goal_handle = "goal:";

// It hangs on more than the event and the run's subject.
bool is_particular(const Goal& goal) {
    return !goal.key.empty() || !goal.filter.is_null();
}

}  // namespace

// What would end the run wherever it stands; nothing: it cannot tell, and goes on without.
std::optional<json::value> Decision::awaited_exit(const ExitEvent& exit, std::string handle) const {
    Scope scope(definition_, state_);
    const PathLookup lookup = [&scope](const Path& path) { return scope.find(path); };
    json::value key(state_.subject);
    if (!exit.key.empty()) {
        auto rendered = render(json::value(exit.key), lookup);
        key = rendered ? as_name(std::move(*rendered)) : json::value("");
    }
    if (key.is_string() && key.get_string().size() > name_bytes_max) key = "";
    events::AwaitedEvent one;
    if (!handle.empty()) one.handle = json::value(std::move(handle));
    one.event = json::value(exit.event);
    one.key = std::move(key);
    if (!exit.filter.is_null()) {
        auto filter = render(exit.filter, lookup);
        if (!filter) return std::nullopt;
        one.filter = std::move(*filter);
    }
    return events::write(std::move(one));
}

// What the projector counts for this run, open or not: only here are their keys and filters known.
json::array Decision::counted_goals() const {
    json::array counted;
    for (const Goal& goal : definition_.goals) {
        if (!is_particular(goal)) continue;
        auto one = awaited_exit({goal.event, goal.key, goal.filter}, goal.name);
        if (one) counted.push_back(std::move(*one));
    }
    return counted;
}

// Events that end the run wherever it stands.
bool Decision::watch_exits() {
    const auto& goals = definition_.goals;
    const bool reached = std::any_of(goals.begin(), goals.end(), [](const Goal& goal) {
        return goal.exit || is_particular(goal);
    });
    const bool watches = reached || !definition_.exit_on.empty();
    if (!watches || state_.unwinding || state_.stopping || state_.ended) return false;
    if (!state_.exit_watch) {
        events::EventWait wait;
        const auto add = [&](std::optional<json::value> one) {
            if (one) wait.events.push_back(std::move(*one));
        };
        for (const ExitEvent& exit : definition_.exit_on) add(awaited_exit(exit, ""));
        for (const Goal& goal : goals) {
            if (!goal.exit) continue;
            add(awaited_exit({goal.event, goal.key, goal.filter}, goal_handle + goal.name));
        }
        Event event;
        event.type = EventType::wait_started;
        event.token = token_of_run;
        json::object data = events::write(std::move(wait));
        if (json::array counted = counted_goals(); !counted.empty()) {
            data = events::write(events::CountedGoals{std::move(counted)}, std::move(data));
        }
        event.data = std::move(data);
        append(std::move(event));
        return true;
    }
    const auto match = find_exit(state_);
    if (!match) return false;
    const auto event = events::read<events::EventSignal>(match->mails[0]->data);
    json::object output{{"exited_by", event.name}};
    if (match->handle.starts_with(goal_handle)) {
        output["reason"] = "goal";
        output["goal"] = match->handle.substr(goal_handle.size());
    }
    stop({RunStatus::completed, {}, std::move(output)});
    return true;
}

}  // namespace pawl::plan
