#include "engine/core/core.hpp"
#include "model/events/signal_kind.hpp"
#include "plan/repin.hpp"

#include <algorithm>

// From one version of a workflow to another.
namespace pawl::engine {

void Core::repin(
    Held& held, const store::Signal& signal, const std::vector<ProgramPtr>& versions, Instant now
) {
    if (signal_kind(signal.kind) != SignalKind::repin) return;
    held.seen_signals.push_back(signal.id);
    held.consumed.push_back(signal);
    const plan::Moment moment{now, rng_.unit()};
    const plan::RepinOrder order = plan::repin_order(signal.data);
    const auto wanted = std::find_if(versions.begin(), versions.end(), [&](const auto& one) {
        return one->version == order.version;
    });
    if (wanted == versions.end()) {
        held.events.push_back(plan::refuse_repin(
            held.state, signal.data, "the version is not known to the worker", moment
        ));
        return;
    }
    const plan::Crossing& way = crossing(held.program, *wanted, order.map);
    held.events.push_back(plan::repin(way, held.state, signal.data, moment));
    if (plan::was_refused(held.events.back())) return;
    held.program = *wanted;
    held.projections.repinned = {{signal.run, order.version}};  // the last one counts
}

const plan::Crossing& Core::crossing(
    const ProgramPtr& from, const ProgramPtr& to, const plan::NodeMap& map
) {
    const bool same = last_crossing_ && last_crossing_->from == from && last_crossing_->to == to &&
                      last_crossing_->crossing.map() == map;
    if (!same) {
        last_crossing_.reset(new LastCrossing{
            from, to, plan::Crossing(from->definition, to->definition, map)});
    }
    return last_crossing_->crossing;
}

}  // namespace pawl::engine
