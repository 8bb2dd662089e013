#include "rehearse/journal.hpp"

#include "model/events/branch_events.hpp"
#include "model/events/step_events.hpp"

#include <map>
#include <utility>

namespace pawl::rehearse {

namespace {

class Reader {
public:
    Reader(const Definition& definition, const Recording& recording)
        : definition_(definition), recording_(recording) {}

    std::vector<Visit> read() {
        auto arrival = recording_.arrivals.begin();
        for (std::size_t i = 0; i < recording_.log.size(); ++i) {
            const Event& event = recording_.log[i];
            note_calls(i);
            if (Visit* visit = find(event)) note(*visit, event);
            if (event.type == EventType::joined) meet(event);
            for (; arrival != recording_.arrivals.end() && arrival->event == i; ++arrival) {
                arrive(*arrival, event.at);
            }
        }
        note_calls(recording_.log.size());
        return std::move(visits_);
    }

private:
    // The visit that an event is about: the last one of its branch at its node.
    Visit* find(const Event& event) {
        if (event.node.empty()) return nullptr;
        const auto known = here_.find({event.token, event.node});
        return known == here_.end() ? nullptr : &visits_[known->second];
    }

    void arrive(const Arrival& arrival, Instant at) {
        if (arrival.edge) leave(definition_.edges[*arrival.edge]);
        here_[{arrival.token, definition_.nodes[arrival.node].id}] = visits_.size();
        Visit visit;
        visit.node = arrival.node;
        visit.edge = arrival.edge;
        visit.at = at;
        visits_.push_back(std::move(visit));
    }

    // The newest visit from which an edge leads was left by it.
    void leave(const Edge& edge) {
        for (auto visit = visits_.rbegin(); visit != visits_.rend(); ++visit) {
            if (visit->node != edge.from) continue;
            if (visit->handle.empty()) visit->handle = edge.handle;
            return;
        }
    }

    // Branches that came together were all there until now.
    void meet(const Event& event) {
        for (Visit& visit : visits_) {
            if (definition_.nodes[visit.node].id == event.node && !visit.ended) end(visit, event);
        }
    }

    static void end(Visit& visit, const Event& event) { visit.ended = event.at; }

    static void note(Visit& visit, const Event& event) {
        switch (event.type) {
            case EventType::wait_started: visit.waits_for = event.data; return;
            case EventType::step_completed:
                visit.result = event.data;
                visit.error = nullptr;
                return end(visit, event);
            case EventType::step_failed:
                visit.error = event.error;
                if (!events::read<events::StepFailed>(event).retry_at) end(visit, event);
                return;
            case EventType::node_passed: {
                auto passed = events::read<events::NodePassed>(event);
                visit.handle = passed.handle;
                visit.result = std::move(passed.value).take();
                return end(visit, event);
            }
            case EventType::step_skipped:
                visit.disabled = events::read<events::StepSkipped>(event).disabled;
                return end(visit, event);
            default: return;
        }
    }

    // Those before this event.
    void note_calls(std::size_t event) {
        const auto& calls = recording_.calls;
        for (; called_ < calls.size() && calls[called_].events <= event; ++called_) {
            note_call(calls[called_]);
        }
    }

    void note_call(const CallRecord& call) {
        const auto known = here_.find({call.token, call.node});
        if (known == here_.end()) return;
        Visit& visit = visits_[known->second];
        visit.config = call.config;
        visit.attempts = call.attempt;
    }

    const Definition& definition_;
    const Recording& recording_;
    std::vector<Visit> visits_;
    std::size_t called_ = 0;                                             // calls that are noted
    std::map<std::pair<plan::TokenId, std::string>, std::size_t> here_;  // the newest visit
};

}  // namespace

std::vector<Visit> journal_of(const Definition& definition, const Recording& recording) {
    return Reader(definition, recording).read();
}

}  // namespace pawl::rehearse
