#include "cli/commands/send_signal.hpp"

#include "cli/commands/run_ref.hpp"
#include "cli/parse/input.hpp"
#include "cli/terminal/console.hpp"

namespace pawl::cli {

namespace {

asio::awaitable<int> send(Door& door, const Globals& globals, std::string id, Message message) {
    const auto run =
        co_await door.call({"POST", {"runs", id, message.path}, {}, std::move(message.body)});
    if (!run) co_return report(globals, Error(run.error()).with("run", id));
    if (globals.machine()) {
        print_json(globals, json::object{{"id", id}, {"sent", message.kind}});
    } else {
        print_line(id);
    }
    co_return exit_ok;
}

}  // namespace

Result<void> check_note(const StepNote& note) {
    const std::pair<const char*, const std::string&> texts[] = {
        {"--node", note.node}, {"--by", note.by}, {"--reason", note.reason}};
    for (const auto& [option, text] : texts) {
        auto fine = check_text(option, text, 1000);
        if (!fine) return fine.error();
    }
    return {};
}

int send_message(const Globals& globals, const std::string& run, Message message) {
    return with_run(globals, run, [&](Door& door, std::string id) {
        return send(door, globals, std::move(id), message);
    });
}

}  // namespace pawl::cli
