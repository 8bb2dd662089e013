#include "engine/core/core.hpp"
#include "engine/core/project.hpp"
#include "plan/moves.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

// What goes into the next commit, and what follows from it.
namespace pawl::engine {

namespace {

// Of the events that may wait for a question to be answered: a loop of questions does not hold them
// back for ever.
constexpr std::size_t asked_first_max = 16;

bool is_in(const std::vector<plan::Stimulus>& inbox, std::int64_t signal) {
    return std::any_of(inbox.begin(), inbox.end(), [signal](const plan::Stimulus& one) {
        const auto* received = std::get_if<plan::SignalReceived>(&one);
        return received != nullptr && received->id == signal;
    });
}

}  // namespace

// Whether the commit may wait for steps that ask and change nothing: what they answer goes into the
// same one. They may be asked in vain, as when the worker dies. The outcome of what has an effect
// is committed at once.
bool Core::may_ask_first(const Held& held, Instant now) const {
    const bool begun = held.pending || !held.consumed.empty() || !held.projections.empty();
    if (begun || leaves(held) || held.events.size() > asked_first_max) return false;
    const Definition& definition = held.program->definition;
    const auto repeats = [&](const Event& event) {
        if (event.type == EventType::node_passed) return true;
        if (event.type != EventType::step_completed) return false;
        const auto node = definition.find(event.node);
        return node && plan::only_asks(definition.nodes[*node]);
    };
    if (!std::all_of(held.events.begin(), held.events.end(), repeats)) return false;
    const plan::Wants wants = plan::wants(held.state, now);
    return !wants.steps.empty() &&
           std::all_of(wants.steps.begin(), wants.steps.end(), [&](const plan::ExecuteStep& step) {
               return plan::only_asks(definition.nodes[step.node]);
           });
}

std::optional<Flight> Core::next_flight(Instant now) {
    if (pending_.empty()) return std::nullopt;
    Flight flight;
    flight.batch.bucket = options_.bucket;
    flight.batch.worker = options_.worker;
    flight.batch.events.reserve(std::min(options_.batch_events_max + 8, pending_.size() * 2));
    flight.runs.reserve(std::min(options_.batch_events_max, pending_.size()));
    std::size_t bytes = 0;
    while (!pending_.empty() && flight.runs.size() < options_.batch_events_max &&
           flight.batch.events.size() < options_.batch_events_max &&
           bytes < options_.batch_bytes_max) {
        const RunId run = pending_.front();
        pending_.pop_front();
        const auto place = runs_.find(run);
        // One that was dropped may stand here twice.
        if (place == runs_.end() || !place->second.pending) continue;
        bytes += place->second.uncommitted;
        load(flight, run, place->second, now);
    }
    if (flight.runs.empty()) return std::nullopt;
    return flight;
}

void Core::load(Flight& flight, RunId run, Held& held, Instant now) {
    held.pending = false;
    held.in_flight = true;
    held.uncommitted = 0;
    flight.runs.push_back(run);
    for (Event& event : held.events) flight.batch.events.push_back({run, std::move(event)});
    held.events.clear();
    // Those that have not been looked at yet, because there was enough for a commit, stay.
    std::vector<store::Signal> unseen;
    for (store::Signal& signal : held.consumed) {
        auto& list = is_in(held.inbox, signal.id) ? unseen : flight.batch.consumed;
        list.push_back(std::move(signal));
    }
    held.consumed = std::move(unseen);
    append(flight.batch.projections, std::move(held.projections));
    held.projections = {};
    const plan::RunState& state = held.state;
    if (is_terminal(state.status)) {
        held.exit = Exit::close;
        flight.batch.closes.push_back(close_of(run, *held.program, state));
        return;
    }
    // Parking rides in the commit of the event that leads to it.
    if (held.exit == Exit::none && held.inbox.empty()) {
        const plan::Wants wants = plan::wants(state, now);
        if (!held.lets_go && wants_to_wait(held, wants, now)) {
            held.exit = Exit::park;
            held.park_until = wants.wake_at;
        } else if (leaves(held) && held.under_way.empty()) {
            held.exit = held.work.under_way.empty() ? Exit::park : Exit::abandon;
            held.park_until = now;
        }
    }
    if (held.exit == Exit::park) flight.batch.parks.push_back({run, held.park_until});
}

void Core::prepare_resend(Flight& flight) const {
    flight.batch.resend = true;
    std::erase_if(flight.batch.parks, [this](const store::Park& park) {
        const auto place = runs_.find(park.run);
        return place != runs_.end() && place->second.claimed_again.has_value();
    });
}

void Core::committed(Flight flight, Instant now) {
    for (const auto& weak : message_reads_) {
        const auto message_read = weak.lock();
        if (!message_read) continue;
        for (const store::Signal& one : flight.batch.consumed)
            message_read->consumed.insert(one.id);
    }
    for (const RunId run : flight.runs) {
        const auto place = runs_.find(run);
        if (place == runs_.end()) continue;
        Held& held = place->second;
        held.in_flight = false;
        if (held.exit != Exit::none) {
            if (held.exit == Exit::close) closed_.push_back({run, held.state.status, held.program});
            forget(run, now);
            continue;
        }
        // Those that came meanwhile wait for the next commit.
        std::erase_if(held.seen_signals, [&held](std::int64_t id) {
            return std::none_of(held.consumed.begin(), held.consumed.end(), [id](const auto& one) {
                return one.id == id;
            });
        });
        std::move(held.waiting.begin(), held.waiting.end(), std::back_inserter(orders_));
        held.waiting.clear();
        empty_inbox(run, held, now);
        if (!held.pending) settle(run, held, now);
    }
}

// Looks at what came meanwhile; at what is left when there is enough for a commit, after that one.
void Core::empty_inbox(RunId run, Held& held, Instant now) {
    std::vector<plan::Stimulus> inbox = std::exchange(held.inbox, {});
    for (plan::Stimulus& stimulus : inbox) stimulate(run, held, std::move(stimulus), now);
}

}  // namespace pawl::engine
