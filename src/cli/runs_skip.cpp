#include "api/folded_run.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/send_signal.hpp"
#include "plan/skip.hpp"

#include <boost/json/object.hpp>

namespace pawl::cli {

namespace {

asio::awaitable<int> skip(
    store::PgStore& store,
    store::Tenant tenant,
    const RunsSkipOptions& options,
    RunId id,
    json::object data
) {
    using Verdict = plan::SkipCheck::Verdict;
    const auto folded = co_await api::fold_run(store, tenant, id);
    if (!folded) co_return report(options.globals, folded.error());
    if (!is_terminal(folded->state.status)) {
        const auto check = plan::check_skip(folded->definition, folded->state, options.node);
        if (check.verdict != Verdict::fine) {
            const bool unknown = check.verdict == Verdict::unknown_node;
            const Error error{unknown ? Errc::invalid : Errc::conflict, check.sentence, {}};
            co_return report(options.globals, error);
        }
    }
    co_return co_await send_signal(store, tenant, options.globals, id, "skip", std::move(data));
}

}  // namespace

int run_runs_skip(const RunsSkipOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    json::object data{{"node", options.node}, {"by", options.by}, {"reason", options.reason}};
    if (!options.value.empty()) {
        auto value = read_json(options.value, "--value");
        if (!value) return report(options.globals, value.error());
        data["value"] = std::move(*value);
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return skip(store, tenant, options, *id, data);
    });
}

}  // namespace pawl::cli
