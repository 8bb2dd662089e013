#include "plan/places.hpp"

#include <algorithm>
#include <utility>

namespace pawl::plan {

PlacedLog fold_places(const std::vector<Pin>& pins, const std::vector<Event>& log) {
    std::vector<EventPlace> places;
    places.reserve(log.size());
    RunState state = fold(pins, log, [&](const RunState& state, const Event& event) {
        EventPlace place;
        const Token* token = event.node.empty() ? nullptr : state.find_token(event.token);
        if (token != nullptr) {
            place.visit = token->visit;
            for (FrameId id = token->frame; id != 0;) {
                const Frame* item = state.find_frame(id);
                if (item == nullptr) break;
                if (!item->scope) place.items.push_back(item->index);
                id = item->parent;
            }
            std::reverse(place.items.begin(), place.items.end());
        }
        places.push_back(std::move(place));
    });
    places.resize(log.size());
    return {std::move(state), std::move(places)};
}

std::vector<EventPlace> places_of(const std::vector<Pin>& pins, const std::vector<Event>& log) {
    return fold_places(pins, log).places;
}

}  // namespace pawl::plan
