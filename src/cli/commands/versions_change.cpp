#include "cli/commands/versions.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl::cli {

namespace {

using Action = VersionsOptions::Action;

Error wrong(std::string what) {
    return {Errc::invalid, std::move(what), {}};
}

Result<double> read_percent(const std::string& text) {
    double percent = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const bool whole = failed == std::errc() && end == text.data() + text.size();
    if (!whole || !(percent >= 0 && percent <= 100)) {
        return wrong(fmt::format("a share must be from 0 to 100 percent, not '{}'", text));
    }
    return percent;
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

}  // namespace pawl::cli
