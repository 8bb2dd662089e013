#include "cli/send_signal.hpp"

#include "cli/console.hpp"
#include "cli/input.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

Result<void> check_note(const StepNote& note) {
    const std::pair<const char*, const std::string&> texts[] = {
        {"--node", note.node}, {"--by", note.by}, {"--reason", note.reason}};
    for (const auto& [option, text] : texts) {
        auto fine = check_text(option, text, 1000);
        if (!fine) return fine.error();
    }
    return {};
}

boost::asio::awaitable<int> send_signal(
    store::PgStore& store,
    store::Tenant tenant,
    const Globals& globals,
    RunId id,
    std::string kind,
    json::object data
) {
    const std::string text = to_string(id);
    std::vector<store::NewSignal> signals;
    signals.push_back({id, kind, std::move(data)});
    std::vector<RunId> reached;
    auto run = co_await store.find_run(tenant, id);  // only of this tenant
    if (run) reached = co_await store.send_signals(tenant.bucket, std::move(signals));
    if (reached.empty()) {
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
        print_json(globals, json::object{{"id", text}, {"sent", kind}});
    } else {
        print_line(text);
    }
    co_return exit_ok;
}

}  // namespace pawl::cli
