#include "api/folded_run.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/json_option.hpp"
#include "cli/send_signal.hpp"
#include "plan/settle.hpp"

#include <boost/json/object.hpp>

namespace pawl::cli {

namespace {

asio::awaitable<int> settle(
    store::PgStore& store,
    store::Tenant tenant,
    const Globals& globals,
    RunId id,
    plan::SettleRequest request
) {
    const auto folded = co_await api::fold_run(store, tenant, id);
    if (!folded) co_return report(globals, folded.error());
    auto settlement = plan::settle(folded->definition, folded->state, request);
    if (!settlement.sentence.empty() && !is_terminal(folded->state.status)) {
        const auto code = settlement.unknown_node ? Errc::invalid : Errc::conflict;
        co_return report(globals, {code, std::move(settlement.sentence), {}});
    }
    co_return co_await send_signal(
        store, tenant, globals, id, "callback", std::move(settlement.signal)
    );
}

}  // namespace

int run_runs_settle(const RunsSettleOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    const auto fine = check_note({options.node, options.by, options.reason});
    if (!fine) return report(options.globals, fine.error());
    const auto as = plan::parse_settled(options.as);
    if (!as) {
        return report(
            options.globals, {Errc::invalid, "--as must be completed, failed or retry", {}}
        );
    }
    plan::SettleRequest request;
    request.node = options.node;
    request.as = *as;
    request.by = options.by;
    request.reason = options.reason;
    if (!options.data.empty()) {
        auto data = read_json(options.data);
        if (!data) return report(options.globals, data.error());
        request.data = std::move(*data);
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return settle(store, tenant, options.globals, *id, request);
    });
}

}  // namespace pawl::cli
