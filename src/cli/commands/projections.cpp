#include "app/views/funnel_json.hpp"
#include "cli/commands/run_view.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/terminal/console.hpp"
#include "store/repos/funnels.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

struct ProjectionsOptions {
    Globals globals;
    std::string name;
};

asio::awaitable<int> show(pg::Pool& pool, const ProjectionsOptions& options) {
    store::Funnels funnels(pool);
    const auto all = co_await funnels.projections();
    if (options.globals.machine()) {
        json::array items;
        for (const auto& one : all) items.push_back(app::to_json(one));
        print_json_list(options.globals, items);
        co_return exit_ok;
    }
    if (all.empty()) {
        say(options.globals, "nothing was counted yet: pawl serve or pawl worker does it");
        co_return exit_ok;
    }
    std::vector<TableRow> rows;
    for (const auto& one : all) {
        rows.push_back(
            {one.name,
             std::to_string(one.bucket),
             one.rebuilding ? Cell("rebuilding", Color::yellow) : Cell("following", Color::green),
             std::to_string(one.counted),
             std::to_string(one.transactions_behind),
             human_time(one.looked_at)}
        );
    }
    print_table(
        options.globals, {"NAME", "BUCKET", "STATE", "COUNTED", "BEHIND", "LOOKED (UTC)"}, rows
    );
    co_return exit_ok;
}

asio::awaitable<int> rebuild(pg::Pool& pool, const ProjectionsOptions& options) {
    store::Funnels funnels(pool);
    const int buckets = co_await funnels.rebuild();
    if (options.globals.machine()) {
        print_json(options.globals, json::object{{"name", options.name}, {"buckets", buckets}});
    }
    say(options.globals,
        buckets == 0 ? "nothing was counted yet"
                     : "counted anew from the log; see how far it is: pawl projections status");
    co_return exit_ok;
}

int run_status(const ProjectionsOptions& options) {
    return with_pool(options.globals, [&](pg::Pool& pool) { return show(pool, options); });
}

int run_rebuild(const ProjectionsOptions& options) {
    if (options.name != "funnels") {
        return report(
            options.globals,
            Error{Errc::invalid, "there is no projection '" + options.name + "'", {}}.with(
                "next", "pawl projections rebuild funnels"
            )
        );
    }
    return with_pool(options.globals, [&](pg::Pool& pool) { return rebuild(pool, options); });
}

void add_status(App&, ProjectionsOptions&) {}

void add_rebuild(App& app, ProjectionsOptions& options) {
    add_argument(app, "NAME", options.name, "Which one: funnels");
}

const RegisterGroup projections_group(
    "projections", 176, "Counts of journeys: how far they are behind the log, and rebuild"
);

const RegisterCommand<run_status, add_status> status_command(
    {"projections status", 10, "How far the counts are behind the log"},
    {{"pawl projections status"}}
);

const RegisterCommand<run_rebuild, add_rebuild> rebuild_command(
    {"projections rebuild", 20, "Count the log again; servers do it in the background"},
    {{"pawl projections rebuild funnels"}}
);

}  // namespace

}  // namespace pawl::cli
