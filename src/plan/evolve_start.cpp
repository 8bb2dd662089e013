#include "base/json.hpp"
#include "model/duration.hpp"
#include "plan/moves.hpp"
#include "plan/waits.hpp"

#include <algorithm>
#include <limits>

// What the first event of a log says of its run.
namespace pawl::plan {

namespace {

// The runs that this one goes on from.
void remember_chain(RunState& state, const json::value& data) {
    state.first_run = text_in(data, "first_run");
    state.anew_run = text_in(data, "anew_run");
    state.branch_run = text_in(data, "branch_run");
    if (find(data, "retry_of") != nullptr) state.copied = small(find(data, "copied"));
    const json::value* owners = find(data, "owners");
    if (owners == nullptr || !owners->is_array()) return;
    for (const json::value& one : owners->get_array()) {
        state.owners.push_back({std::string(text_in(one, "run")), small(find(one, "until"))});
    }
}

}  // namespace

std::int32_t small(const json::value* value) {
    const std::int64_t number = whole_number(value).value_or(0);
    const bool fits = number >= 0 && number <= std::numeric_limits<std::int32_t>::max();
    return fits ? static_cast<std::int32_t>(number) : 0;
}

std::vector<std::uint32_t> numbers(const json::value* value) {
    std::vector<std::uint32_t> found;
    const json::array* list = value == nullptr ? nullptr : value->if_array();
    if (list == nullptr) return found;
    for (const json::value& item : *list) {
        found.push_back(static_cast<std::uint32_t>(small(&item)));
    }
    return found;
}

void start_run(const Definition& definition, RunState& state, const Event& event) {
    if (state.started) return;
    state.started = true;
    if (state.started_at == Instant{}) state.started_at = event.at;
    state.begun_at = parse_rfc3339(text_in(event.data, "started_at")).value_or(event.at);
    state.workflow = small(find(event.data, "workflow"));
    state.version = small(find(event.data, "version"));
    if (const auto* input = find(event.data, "input")) state.input = *input;
    state.subject = text_in(event.data, "subject");
    remember_chain(state, event.data);
    for (const std::uint32_t one : numbers(find(event.data, "released"))) {
        state.released.push_back(one);
    }
    state.gates = gates_of_run(event.data);
    if (const auto* caller = find(event.data, "caller")) {
        state.caller = *caller;
        const json::value* gates = find(*caller, "gates");
        if (gates != nullptr && gates->is_array()) {
            for (const json::value& gate : gates->get_array()) {
                const json::string* name = gate.if_string();
                state.gates.emplace_back(name == nullptr ? std::string_view() : *name);
            }
        }
        state.parent = text_in(event.data, "parent");
    }
    if (const auto timeout = whole_number(find(event.data, "timeout_ms"));
        timeout && *timeout > 0) {
        const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(duration_max);
        const std::chrono::milliseconds bounded(std::min(*timeout, std::int64_t{most.count()}));
        // The time that it was told to wait does not count.
        const auto start_at = whole_number(find(event.data, "start_at"));
        const Instant begin = start_at ? std::max(event.at, instant_of(*start_at)) : event.at;
        state.deadline = saturating_add(begin, bounded);
    }
    if (!definition.code.empty()) {
        state.plan_due = true;
    } else if (!definition.nodes.empty()) {
        enter(definition, state, 0, 0);
    }
}

}  // namespace pawl::plan
