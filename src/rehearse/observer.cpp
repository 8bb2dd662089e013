#include "rehearse/observer.hpp"

#include "model/events/step_events.hpp"

namespace pawl::rehearse {

Observer::Observer(const Definition& definition, Recording& recording)
    : definition_(definition), recording_(recording) {
    recording_.visits.assign(definition.nodes.size(), 0);
    recording_.taken.assign(definition.edges.size(), 0);
}

void Observer::see(const Event& event) {
    plan::evolve(definition_, state_, event);
    const plan::Token* token = state_.find_token(event.token);
    if (token != nullptr && token->skipped) skipped_.insert(token->id);
    note_moves(event.type == EventType::run_started);
    note_end(event);
    recording_.log.push_back(event);
}

// The edge by which a token came to where it stands; nothing for the first one of a run. The first
// one of an item came from its foreach.
std::optional<std::size_t> Observer::way_of(const plan::Token& token) {
    const auto leads_here = [&](std::size_t edge) {
        return definition_.edges[edge].to == token.node;
    };
    const plan::Frame* frame = state_.find_frame(token.frame);
    if (frame != nullptr && frames_.insert(frame->id).second) {
        const plan::Token* foreach_token = state_.find_token(frame->token);
        for (std::size_t i = 0; foreach_token != nullptr && i < definition_.edges.size(); ++i) {
            const Edge& edge = definition_.edges[i];
            const bool each = edge.from == foreach_token->node && edge.handle == "each";
            if (each && leads_here(i)) return i;
        }
        return std::nullopt;
    }
    if (token.via >= definition_.edges.size() || !leads_here(token.via)) return std::nullopt;
    return token.via;
}

// Wherever a token stands that did not stand there before, it came by an edge.
void Observer::note_moves(bool started) {
    for (const plan::Token& token : state_.tokens) {
        const auto [known, fresh] = places_.try_emplace(token.id);
        Place& place = known->second;
        if (!fresh && place.node == token.node && place.visit == token.visit) continue;
        place = {token.node, token.visit};
        ++recording_.visits.at(token.node);
        const auto way = started ? std::nullopt : way_of(token);
        if (way) ++recording_.taken[*way];
        recording_.arrivals.push_back({recording_.log.size(), token.id, token.node, way});
    }
}

void Observer::note_end(const Event& event) {
    const bool ends =
        event.type == EventType::step_completed || event.type == EventType::step_failed;
    // How the call of a skipped step ended after all: the run has gone on from there before.
    if (ends && skipped_.erase(event.token) > 0) return;
    switch (event.type) {
        case EventType::step_failed:
            if (events::read<events::StepFailed>(event).retry_at) return;
            break;
        case EventType::joined:
            if (events::read<events::Joined>(event).late) return;
            break;
        case EventType::node_passed: note_emitted(events::read<events::NodePassed>(event)); break;
        case EventType::step_completed:
        case EventType::step_skipped: break;
        default: return;
    }
    recording_.path.push_back(event.node);
}

void Observer::note_emitted(const events::NodePassed& passed) {
    if (!passed.emit) return;
    auto emitted = events::read<events::Emitted>(*passed.emit);
    recording_.emitted.push_back(
        {std::string(emitted.event), std::string(emitted.key), std::move(emitted.data).take()}
    );
}

}  // namespace pawl::rehearse
