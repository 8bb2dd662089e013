#include "api/folded_run.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/send_signal.hpp"
#include "plan/awaited_signal.hpp"

#include <boost/json/object.hpp>

namespace pawl::cli {

namespace {

asio::awaitable<int> signal(
    store::PgStore& store,
    store::Tenant tenant,
    const RunsSignalOptions& options,
    RunId id,
    json::object data
) {
    if (options.kind == "signal" && !options.early) {
        const auto folded = co_await api::fold_run(store, tenant, id);
        if (!folded) co_return report(options.globals, folded.error());
        const auto check = plan::check_signal(folded->definition, folded->state, options.name);
        if (!check.sentence.empty()) {
            const Error error{
                Errc::conflict,
                check.sentence + ", not for " + options.name,
                {{"next", "say --early to keep it until the run does"}}};
            co_return report(options.globals, error);
        }
    }
    co_return co_await send_signal(
        store, tenant, options.globals, id, options.kind, std::move(data)
    );
}

}  // namespace

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
        return signal(store, tenant, options, *id, data);
    });
}

}  // namespace pawl::cli
