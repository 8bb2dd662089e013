#include "plan/released.hpp"

#include "plan/planner.hpp"

#include <algorithm>

namespace pawl::plan {

Released released_before(
    const Definition& definition, const std::vector<Event>& log, std::int32_t before
) {
    const auto end = std::find_if(log.begin(), log.end(), [before](const Event& event) {
        return event.seq >= before;
    });
    const std::size_t count = fold(definition, {log.begin(), end}).records.size();
    const RunState last = fold(definition, log);
    Released released;
    for (std::size_t i = 0; i < std::min(count, last.records.size()); ++i) {
        const StepRecord& record = last.records[i];
        const bool kept =
            std::any_of(last.not_undone.begin(), last.not_undone.end(), [i](const NotUndone& one) {
                return one.record == i;
            });
        if (!record.undone || kept || record.node >= definition.nodes.size()) continue;
        released.records.emplace_back(i);
        released.steps.push_back(definition.nodes[record.node].id);
    }
    return released;
}

}  // namespace pawl::plan
