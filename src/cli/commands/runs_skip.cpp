#include "cli/commands/commands.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

int run_runs_skip(const RunsSkipOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    json::object body{{"node", options.node}, {"by", options.by}, {"reason", options.reason}};
    if (!options.value.empty()) {
        auto value = read_json(options.value, "--value");
        if (!value) return report(options.globals, value.error());
        body["value"] = std::move(*value);
    }
    return send_message(options.globals, options.id, {"skip", "skip", std::move(body)});
}

}  // namespace pawl::cli
