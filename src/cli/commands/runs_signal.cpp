#include "cli/commands/commands.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

int run_runs_signal(const RunsSignalOptions& options) {
    for (const auto& [option, text] :
         {std::pair{"NAME", options.name}, {"--reason", options.reason}}) {
        if (auto fine = check_text(option, text, 1000); !fine) {
            return report(options.globals, fine.error());
        }
    }
    Message message{options.kind, options.kind, {}};
    if (options.kind == "signal") {
        auto given = read_json(options.data);
        if (!given) return report(options.globals, given.error());
        message.path = "signals";
        message.body["name"] = options.name;
        message.body["data"] = std::move(*given);
        if (options.early) message.body["early"] = true;
    }
    if (options.kind == "pause") {
        message.body["reason"] =
            options.reason.empty() ? "paused on the command line" : options.reason;
    }
    return send_message(options.globals, options.id, std::move(message));
}

}  // namespace pawl::cli
