#pragma once

#include "base/ids.hpp"
#include "plan/run_state.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pawl::plan {

// How a person or the peer says that a step with an unknown outcome ended.
enum class Settled { completed, failed, retry };
std::optional<Settled> parse_settled(std::string_view text);

// The message that settles it, for the signal `callback`; or why there is nothing to settle.
struct Settlement {
    boost::json::object signal;  // empty when there is a sentence
    std::string sentence;        // for a person
    bool unknown_node = false;
    std::optional<Uuid> message = {};  // that the step sent, or may have
};
struct SettleRequest {
    std::string node;
    Settled as = Settled::completed;
    boost::json::value data;  // the result of a step that completed
    std::string reason;
    std::string by;
    // Instead of the node: the step that sent this message. Several steps of a node may wait at
    // once.
    std::optional<Uuid> message = {};
    std::string run = {};  // the name of the run, from which ids of messages are made
};
Settlement settle(const Definition& definition, const RunState& state, const SettleRequest& given);

// The branch that is at the step that sends this message; null: none is. It points into the state.
const Token* sender_of(
    const Definition& definition, const RunState& state, const Uuid& message, std::string_view run
);

// Whether a run has ended with this message: its step was settled, by a person's word perhaps, or
// has ended otherwise. One that is under way, or tries again, may have to be settled yet.
bool is_done_with(
    const Definition& definition, const RunState& state, const Uuid& message, std::string_view run
);

}  // namespace pawl::plan
