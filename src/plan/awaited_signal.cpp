#include "plan/awaited_signal.hpp"

#include "base/json.hpp"
#include "plan/waits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::plan {

namespace {

using Names = std::vector<std::string>;

void add(Names& names, std::string_view name) {
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
    names.emplace_back(name);
}

}  // namespace

AwaitedSignal check_signal(
    const Definition& definition, const RunState& state, std::string_view name
) {
    AwaitedSignal check;
    if (is_terminal(state.status)) return check;
    for (const Token& token : state.tokens) {
        const auto* wait = token.waits_for.as<events::SignalWait>();
        if (wait != nullptr) add(check.names, events::text(&wait->name));
    }
    const auto has = [&] {
        return std::find(check.names.begin(), check.names.end(), name) != check.names.end();
    };
    if (has()) return check;
    if (!check.names.empty()) {
        check.sentence = fmt::format("the run waits for {}", fmt::join(check.names, ", "));
        return check;
    }
    // What a plan in code will wait for it says only when it is asked.
    if (!definition.code.empty()) return check;
    for (const Node& node : definition.nodes) {
        if (node.type == NodeType::wait) add(check.names, text_in(node.config, "signal"));
    }
    if (has()) return check;
    check.sentence =
        check.names.empty()
            ? fmt::format("workflow '{}' waits for no signal", definition.name)
            : fmt::format(
                  "workflow '{}' waits for {}", definition.name, fmt::join(check.names, ", ")
              );
    return check;
}

}  // namespace pawl::plan
