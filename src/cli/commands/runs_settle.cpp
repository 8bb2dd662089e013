#include "cli/commands/commands.hpp"
#include "cli/commands/send_signal.hpp"
#include "cli/parse/json_option.hpp"
#include "cli/terminal/console.hpp"
#include "plan/settle.hpp"

namespace pawl::cli {

int run_runs_settle(const RunsSettleOptions& options) {
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    if (!plan::parse_settled(options.as)) {
        return report(
            options.globals, {Errc::invalid, "--as must be completed, failed or retry", {}}
        );
    }
    json::object body{{"node", options.node}, {"as", options.as}, {"by", options.by}};
    if (!options.reason.empty()) body["reason"] = options.reason;
    if (!options.data.empty()) {
        auto data = read_json(options.data);
        if (!data) return report(options.globals, data.error());
        body["data"] = std::move(*data);
    }
    return send_message(options.globals, options.id, {"settle", "callback", std::move(body)});
}

}  // namespace pawl::cli
