#include "base/number_text.hpp"
#include "cli/commands/versions.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

using Action = VersionsOptions::Action;

Error wrong(std::string what) {
    return {Errc::invalid, std::move(what), {}};
}

Result<double> read_percent(const std::string& text) {
    const auto percent = read_number<double>(text);
    if (!percent || !(*percent >= 0 && *percent <= 100)) {
        return wrong(fmt::format("a share must be from 0 to 100 percent, not '{}'", text));
    }
    return *percent;
}

Result<json::array> read_shares(const VersionsOptions& options) {
    if (options.shares.empty() && !options.clear) return wrong("say VERSION=PERCENT, or --clear");
    json::array shares;
    for (const std::string& pair : options.shares) {
        const std::size_t sign = pair.find('=');
        if (sign == pair.npos) return wrong(fmt::format("must look like 1.3.0=5, not '{}'", pair));
        const auto percent = read_percent(pair.substr(sign + 1));
        if (!percent) return percent.error();
        shares.push_back(json::object{{"version", pair.substr(0, sign)}, {"share", *percent}});
    }
    return shares;
}

}  // namespace

asio::awaitable<int> change_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    Ask ask = desk.ask("POST", {});
    json::object body;
    switch (options.action) {
        case Action::canary: {
            const auto shares = read_shares(options);
            if (!shares) co_return report(options.globals, shares.error());
            ask.path.emplace_back("canary");
            body["shares"] = *shares;
            break;
        }
        case Action::retire:
        case Action::unretire: {
            const bool retire = options.action == Action::retire;
            ask = desk.ask("POST", {"versions", options.version, retire ? "retire" : "unretire"});
            if (retire && options.drain) body["drain"] = true;
            break;
        }
        case Action::activate:
            ask.path.emplace_back("activate");
            body["version"] = options.version;
            break;
        default:
            ask.path.emplace_back("switch");
            body["on"] = options.action != Action::switch_off;
            if (options.action == Action::switch_off) body["reason"] = options.reason;
            break;
    }
    ask.body = std::move(body);
    co_return co_await call_and_list(desk, std::move(ask));
}

namespace {

void add_versions_activate(App& app, VersionsOptions& options) {
    add_versions<Action::activate>(app, options);
    add_version(app, options.version);
}

void add_versions_canary(App& app, VersionsOptions& options) {
    add_versions<Action::canary>(app, options);
    auto* shares = app.add_option("SHARE", options.shares, "VERSION=PERCENT")->type_name("");
    app.add_flag("--clear", options.clear, "None")->excludes(shares);
}

void add_versions_retire(App& app, VersionsOptions& options) {
    add_versions<Action::retire>(app, options);
    add_version(app, options.version);
    app.add_flag("--drain", options.drain, "Its open runs continue to their end");
}

void add_versions_unretire(App& app, VersionsOptions& options) {
    add_versions<Action::unretire>(app, options);
    add_version(app, options.version);
}

void add_versions_off(App& app, VersionsOptions& options) {
    add_versions<Action::switch_off>(app, options);
    app.add_option("--reason", options.reason, "Shown to callers that try to start it")
        ->required()
        ->type_name("TEXT");
}

const RegisterCommand<run_versions, add_versions_activate> versions_activate_command(
    {"versions activate", 40, "Let starts use a version"}, {{"pawl versions activate order 1.3.0"}}
);

const RegisterCommand<run_versions, add_versions_canary> versions_canary_command(
    {"versions canary", 50, "Give versions a share of the starts beside the active one"},
    {{"pawl versions canary order 1.3.0=5", "5 percent of the starts"},
     {"pawl versions canary order 4=5 5=0", "5 only for starts that name it"},
     {"pawl versions canary order --clear"}}
);

const RegisterCommand<run_versions, add_versions_retire> versions_retire_command(
    {"versions retire", 60, "Retire a version: nothing can start it any more"},
    {{"pawl versions retire order 1.2.0 --drain"}}
);

const RegisterCommand<run_versions, add_versions_unretire> versions_unretire_command(
    {"versions unretire", 70, "Bring a retired version back"},
    {{"pawl versions unretire order 1.2.0"}}
);

const RegisterCommand<run_versions, add_versions_off> versions_off_command(
    {"versions off", 80, "Turn a workflow off: nothing can start it"},
    {{"pawl versions off order --reason 'charges twice'"}}
);

const RegisterCommand<run_versions, add_versions<Action::switch_on>> versions_on_command(
    {"versions on", 90, "Turn a workflow on again"}, {{"pawl versions on order"}}
);

}  // namespace

}  // namespace pawl::cli
