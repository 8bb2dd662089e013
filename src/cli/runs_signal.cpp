#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/send_signal.hpp"

#include <boost/json/object.hpp>

namespace pawl::cli {

int run_runs_signal(const RunsSignalOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    for (const auto& [option, text] :
         {std::pair{"NAME", options.name}, {"--reason", options.reason}}) {
        if (auto fine = check_text(option, text, 1000); !fine) {
            return report(options.globals, fine.error());
        }
    }
    json::object data;
    if (options.kind == "signal") {
        auto given = read_json(options.data);
        if (!given) return report(options.globals, given.error());
        data["name"] = options.name;
        data["data"] = std::move(*given);
    }
    if (options.kind == "pause") {
        data["reason"] = options.reason.empty() ? "paused on the command line" : options.reason;
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return send_signal(store, tenant, options.globals, *id, options.kind, data);
    });
}

}  // namespace pawl::cli
