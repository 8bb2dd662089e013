#include "store/limits.hpp"

#include "api/shapes.hpp"
#include "cli/commands.hpp"
#include "cli/database.hpp"
#include "cli/input.hpp"
#include "cli/names.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"
#include "store/limit_names.hpp"

#include <fmt/core.h>

namespace pawl::cli {

namespace {

constexpr int list_max = 1000;

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

asio::awaitable<int> list(pg::Pool& pool, store::Tenant tenant, LimitsOptions options) {
    store::Limits limits(pool);
    const auto found = co_await limits.list(tenant, {options.workflow, "", list_max});
    if (found.empty()) {
        const auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow);
        if (unknown) co_return report(options.globals, *unknown);
    }
    json::array items;
    std::vector<TableRow> rows;
    for (const auto& one : found) {
        items.push_back(api::to_json(one));
        rows.push_back(
            {or_dash(one.workflow),
             one.scope,
             one.name,
             or_dash(one.key),
             std::to_string(one.limit),
             one.set ? Cell(fmt::format("set to {}", *one.set), Color::yellow) : Cell("defined"),
             std::to_string(one.running),
             Cell(std::to_string(one.waiting), one.waiting > 0 ? Color::yellow : Color::none)}
        );
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (rows.empty()) {
        say(options.globals, "no run is under a limit now, and none was set");
        co_return exit_ok;
    }
    print_table(
        options.globals,
        {"WORKFLOW", "SCOPE", "NAME", "KEY", "LIMIT", "", "RUNNING", "WAITING"},
        rows
    );
    co_return exit_ok;
}

asio::awaitable<int> change(pg::Pool& pool, store::Tenant tenant, LimitsOptions options, bool set) {
    store::Limits limits(pool);
    std::optional<std::int32_t> limit;
    if (set) limit = options.limit;
    if (options.name.find('/') != std::string::npos) {
        co_return report(
            options.globals, {Errc::invalid, "the name of a limit has no slash in it", {}}
        );
    }
    if (auto unknown = co_await misspelt_workflow(pool, tenant.id, options.workflow)) {
        co_return report(options.globals, *unknown);
    }
    const store::FlowLimitName name{options.workflow, options.name, options.key};
    if (set) {
        store::PgStore store(pool);
        const std::string problem = co_await store::limit_problem(store, limits, tenant, name);
        if (!problem.empty()) {
            co_return report(
                options.globals, {Errc::not_found, problem, {{"next", "pawl limits list"}}}
            );
        }
    }
    co_await limits.set(tenant, name, limit);
    if (options.globals.machine()) {
        json::object document;
        document["workflow"] = api::text_or_null(options.workflow);
        document["name"] = options.name;
        document["key"] = api::text_or_null(options.key);
        document["limit"] = limit ? json::value(*limit) : json::value();
        print_json(options.globals, document);
    }
    const std::string what = options.key.empty() ? "" : fmt::format(" for '{}'", options.key);
    say(options.globals,
        set ? fmt::format("{}{} is {} from now on", options.name, what, options.limit)
            : fmt::format("{}{} is what the definition says", options.name, what));
    co_return exit_ok;
}

}  // namespace

int run_limits(const LimitsOptions& options) {
    for (const auto& [flag, text] : {std::pair{"NAME", options.name}, {"--key", options.key}}) {
        if (auto fine = check_text(flag, text, 200); !fine) {
            return report(options.globals, fine.error());
        }
    }
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        if (options.action == LimitsOptions::Action::list) return list(pool, tenant, options);
        return change(pool, tenant, options, options.action == LimitsOptions::Action::set);
    });
}

}  // namespace pawl::cli
