#include "cli/versions.hpp"

#include "api/shapes.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/diff_view.hpp"
#include "cli/names.hpp"
#include "cli/pretty_json.hpp"
#include "cli/run_view.hpp"
#include "cli/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

constexpr int history_max = 100;

Cell state_of(const store::WorkflowVersion& version, std::int64_t open, std::int32_t head) {
    if (version.draft) return Cell("draft", Color::yellow);
    if (version.retired_at && open > 0) return Cell("draining", Color::yellow);
    if (version.retired_at) return Cell("retired", Color::dim);
    if (version.off_reason && version.version == head) return Cell("off", Color::red);
    if (version.active) return Cell("active", Color::green);
    return Cell("");
}

std::string share_of(const store::WorkflowVersion& version) {
    for (const VersionShare& one : version.canary) {
        if (one.version == version.version) return fmt::format("{:g}%", one.share / 100.0);
    }
    return "";
}

asio::awaitable<int> act(pg::Pool& pool, store::Tenant tenant, const VersionsOptions& options) {
    using Action = VersionsOptions::Action;
    VersionsDesk desk(pool, tenant, options);
    const auto found = co_await desk.store.list_versions(tenant.id, options.name);
    if (found.empty()) {
        const Error unknown = co_await unknown_workflow(desk.store, tenant.id, options.name);
        co_return report(options.globals, unknown);
    }
    switch (options.action) {
        case Action::list: co_return co_await list_versions(desk);
        case Action::history: co_return co_await list_history(desk);
        case Action::diff: co_return co_await diff_versions(desk);
        case Action::impact:
        case Action::migrate: co_return co_await migrate_versions(desk);
        case Action::rollback: co_return co_await rollback_version(desk);
        default: co_return co_await change_versions(desk);
    }
}

}  // namespace

asio::awaitable<std::int32_t> VersionsDesk::number(std::string written) {
    const auto found = co_await versions.number(tenant.id, options.name, written);
    if (!found) {
        throw Failure(
            {Errc::not_found,
             fmt::format("workflow '{}' has no version {}", options.name, written),
             {{"next", "pawl versions list " + options.name}}}
        );
    }
    co_return *found;
}

asio::awaitable<int> list_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    const auto versions = co_await desk.store.list_versions(desk.tenant.id, options.name);
    const auto open = co_await desk.versions.open_runs(desk.tenant.id, options.name);
    const auto head = co_await desk.store.find_workflow(desk.tenant.id, options.name);
    json::array items;
    std::vector<TableRow> rows;
    for (const store::WorkflowVersion& version : versions) {
        const auto count = open.find(version.version);
        const std::int64_t runs = count == open.end() ? 0 : count->second;
        json::object item = api::to_json(version);
        item["open_runs"] = runs;
        items.push_back(std::move(item));
        rows.push_back(
            {std::to_string(version.version),
             version.label.empty() ? "-" : version.label,
             state_of(version, runs, head ? head->version : 0),
             share_of(version),
             std::to_string(runs),
             human_time(version.created_at)}
        );
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    print_table(
        options.globals, {"VERSION", "LABEL", "STATE", "SHARE", "OPEN RUNS", "CREATED (UTC)"}, rows
    );
    if (versions.front().off_reason) {
        say(options.globals,
            "the workflow is switched off: " + printable(*versions.front().off_reason));
    }
    co_return exit_ok;
}

asio::awaitable<int> list_history(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    const auto changes = co_await desk.versions.changes(desk.tenant.id, options.name, history_max);
    json::array items;
    std::vector<TableRow> rows;
    for (const store::VersionChange& change : changes) {
        items.push_back(json::object{
            {"at", to_rfc3339(change.at)},
            {"action", change.action},
            {"version", change.version},
            {"detail", change.detail}});
        rows.push_back(
            {human_time(change.at),
             change.action,
             std::to_string(change.version),
             change.detail.is_null() ? "" : compact(change.detail)}
        );
    }
    if (options.globals.machine()) {
        print_json_list(options.globals, items);
    } else {
        print_table(options.globals, {"AT (UTC)", "WHAT", "VERSION", ""}, rows);
    }
    co_return exit_ok;
}

asio::awaitable<int> diff_versions(VersionsDesk& desk) {
    const VersionsOptions& options = desk.options;
    std::vector<Definition> definitions;
    std::vector<std::int32_t> numbers;
    for (const std::string& written : {options.version, options.other}) {
        const std::int32_t number = co_await desk.number(written);
        const auto version =
            co_await desk.store.find_version_by_name(desk.tenant.id, options.name, number);
        auto definition = definition_from_json(version.value().definition);
        if (!definition) co_return report(options.globals, definition.error());
        numbers.push_back(number);
        definitions.push_back(std::move(*definition));
    }
    const DefinitionDiff found = diff(definitions[0], definitions[1]);
    if (options.globals.machine()) {
        print_json(
            options.globals,
            json::object{{"from", numbers[0]}, {"to", numbers[1]}, {"diff", to_json(found)}}
        );
    } else if (found.empty()) {
        say(options.globals, "they are the same");
    } else {
        print_diff(
            options.globals,
            fmt::format("{} v{} → v{}", options.name, numbers[0], numbers[1]),
            found
        );
    }
    co_return found.empty() ? exit_ok : exit_error;
}

int run_versions(const VersionsOptions& options) {
    return with_tenant(options.globals, [&](pg::Pool& pool, store::Tenant tenant) {
        return act(pool, tenant, options);
    });
}

}  // namespace pawl::cli
