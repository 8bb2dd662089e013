#pragma once

#include "model/events/branch_events.hpp"
#include "rehearse/rehearsal.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace pawl::rehearse {

// Reads a log event by event and notes in a recording where the run came by. Folds the log once
// more for itself, because decide() only tells the state at its end.
class Observer {
public:
    // Keeps both.
    Observer(const Definition& definition, Recording& recording);

    void see(const Event& event);

private:
    struct Place {
        NodeIndex node = 0;
        std::uint32_t visit = 0;
    };

    void note_end(const Event& event);
    void note_emitted(const events::NodePassed& passed);
    void note_moves(bool started);
    std::optional<std::size_t> way_of(const plan::Token& token);

    const Definition& definition_;
    Recording& recording_;
    plan::RunState state_;
    std::unordered_map<plan::TokenId, Place> places_;
    std::unordered_set<plan::FrameId> frames_;   // seen before
    std::unordered_set<plan::TokenId> skipped_;  // whose call was under way
};

}  // namespace pawl::rehearse
