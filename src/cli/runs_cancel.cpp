#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

asio::awaitable<int> cancel(
    store::PgStore& store, store::Tenant tenant, const RunsCancelOptions& options, RunId id
) {
    const Globals& globals = options.globals;
    const std::string text = to_string(id);
    bool asked = false;
    auto run = co_await store.find_run(tenant, id);  // only of this tenant
    if (run)
        asked = co_await store.request_cancel(tenant.bucket, id, {options.reason, options.force});
    if (!asked) {
        run = co_await store.find_run(tenant, id);
        Error error{Errc::not_found, fmt::format("there is no run {}", text), {{"run", text}}};
        if (run) {
            error.code = Errc::conflict;
            error.message = fmt::format("the run {} has ended already: {}", text, run->status);
        }
        co_return report(globals, error);
    }
    co_await store.notify_workers(tenant.bucket);
    if (globals.machine()) {
        json::object document;
        document["id"] = text;
        document["cancel_requested"] = true;
        print_json(globals, document);
    } else {
        print_line(text);
        say(globals,
            options.force ? "asked it to end at once; what is under way is left alone"
                          : "asked it to stop; what is under way is waited for, then undone");
    }
    co_return exit_ok;
}

}  // namespace

int run_runs_cancel(const RunsCancelOptions& options) {
    const auto id = read_run_id(options.id);
    if (!id) return report(options.globals, id.error());
    if (auto fine = check_text("--reason", options.reason, 1000); !fine) {
        return report(options.globals, fine.error());
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return cancel(store, tenant, options, *id);
    });
}

}  // namespace pawl::cli
