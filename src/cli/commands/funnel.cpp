#include "cli/commands/run_view.hpp"
#include "cli/door/door.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/console.hpp"

#include <fmt/format.h>

namespace pawl::cli {

namespace {

struct FunnelOptions {
    Globals globals;
    std::string workflow;
    std::string from;
    std::string to;
    std::string version;
    std::string by;
    std::string metric;
    bool count = false;
};

std::int64_t number(const json::value& from, std::string_view name) {
    const json::value* found = find(from, name);
    return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

// Empty where there is nothing, so that a table shows what there is.
std::string shown(const json::value& from, std::string_view name) {
    const std::int64_t count = number(from, name);
    return count == 0 ? "" : std::to_string(count);
}

std::string share(const json::value& variant, std::string_view name) {
    const json::value* found = find(variant, name);
    const double value = found != nullptr && found->is_double() ? found->get_double() : 0;
    return fmt::format("{:.1f}%", 100 * value);
}

void print_totals(const Globals& globals, const json::value& totals) {
    std::vector<TableRow> rows;
    for (const std::string_view name :
         {"entered", "people", "completed", "converted", "exited", "failed", "cancelled"}) {
        rows.push_back({std::string(name), std::to_string(number(totals, name))});
    }
    print_details(globals, rows);
}

void print_nodes(const Globals& globals, const json::value& group) {
    std::vector<TableRow> rows;
    const json::value* nodes = find(group, "nodes");
    if (nodes == nullptr || !nodes->is_array()) return;
    for (const json::value& node : nodes->get_array()) {
        rows.push_back(
            {member(node, "node"),
             member(node, "type"),
             shown(node, "entered"),
             shown(node, "passed"),
             shown(node, "waiting"),
             shown(node, "sent"),
             shown(node, "skipped"),
             shown(node, "delivered"),
             shown(node, "opened"),
             shown(node, "clicked"),
             Cell(shown(node, "failed"), Color::red)}
        );
    }
    print_table(
        globals,
        {"STEP",
         "TYPE",
         "ENTERED",
         "PASSED",
         "THERE NOW",
         "SENT",
         "SKIPPED",
         "DELIVERED",
         "OPENED",
         "CLICKED",
         "FAILED"},
        rows
    );
}

void print_groups(const Globals& globals, const std::string& by, const json::array& groups) {
    std::vector<TableRow> rows;
    for (const json::value& group : groups) {
        const json::value totals = find(group, "totals") ? *find(group, "totals") : json::value();
        rows.push_back(
            {member(group, "key"),
             shown(totals, "people"),
             shown(totals, "entered"),
             shown(totals, "sent"),
             shown(totals, "opened"),
             shown(totals, "clicked"),
             shown(totals, "converted"),
             shown(totals, "completed"),
             shown(totals, "failed")}
        );
    }
    std::string head = by;
    for (char& c : head) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    print_table(
        globals,
        {head,
         "PEOPLE",
         "ENTERED",
         "SENT",
         "OPENED",
         "CLICKED",
         "CONVERTED",
         "COMPLETED",
         "FAILED"},
        rows
    );
}

void print_comparison(const Globals& globals, const json::value& comparison) {
    print_line("");
    std::vector<TableRow> rows;
    const json::value* variants = find(comparison, "variants");
    for (const json::value& variant : variants->get_array()) {
        rows.push_back(
            {member(variant, "variant"),
             std::to_string(number(variant, "trials")),
             std::to_string(number(variant, "hits")),
             share(variant, "rate"),
             share(variant, "low") + " to " + share(variant, "high")}
        );
    }
    print_table(
        globals,
        {member(comparison, "split"), "OF", member(comparison, "metric"), "RATE", "95%"},
        rows
    );
    print_line(member(comparison, "verdict"));
}

Ask question(const FunnelOptions& options) {
    if (options.count) return {"PUT", {"workflows", options.workflow, "funnel"}};
    return {
        "GET",
        {"workflows", options.workflow, "funnel"},
        {{"from", options.from},
         {"to", options.to},
         {"version", options.version},
         {"by", options.by},
         {"metric", options.metric}}};
}

// Counts that lack something say so.
void say_what_lacks(const FunnelOptions& options, const json::value& found) {
    const auto is = [&](std::string_view name, bool value) {
        const json::value* const member = find(found, name);
        return member != nullptr && *member == json::value(value);
    };
    if (is("rebuilding", true)) {
        say(options.globals, "the counts are being rebuilt: they are not complete yet");
    }
    if (is("counted", false)) {
        say(options.globals,
            "its runs are not counted; count them from now on: pawl funnel " + options.workflow +
                " --count");
    } else if (const std::string from = member(found, "counted_from"); !from.empty()) {
        say(options.globals, "runs that began before " + from + " are not counted");
    }
}

asio::awaitable<int> show(Door& door, const FunnelOptions& options) {
    const auto found = co_await door.call(question(options));
    if (!found) co_return report(options.globals, found.error());
    if (options.globals.machine()) {
        print_json(options.globals, *found);
        co_return exit_ok;
    }
    if (options.by.empty()) {
        print_totals(options.globals, *find(*found, "totals"));
        print_line("");
        print_nodes(options.globals, *found);
    } else {
        print_groups(options.globals, options.by, find(*found, "groups")->get_array());
    }
    if (const json::value* all = find(*found, "comparisons"); all && all->is_array()) {
        for (const json::value& one : all->get_array()) print_comparison(options.globals, one);
    }
    say_what_lacks(options, *found);
    co_return exit_ok;
}

int run_funnel(const FunnelOptions& options) {
    return with_door(options.globals, [&](Door& door) { return show(door, options); });
}

void add_funnel(App& app, FunnelOptions& options) {
    add_argument(app, "NAME", options.workflow, "The workflow");
    app.add_option("--from", options.from, "Count from this hour on")->type_name("TIME");
    app.add_option("--to", options.to, "Count until this hour")->type_name("TIME");
    app.add_option("--version", options.version, "Only runs of this version")
        ->type_name("NUMBER|LABEL");
    app.add_option("--by", options.by, "Group the counts")
        ->type_name("variant|channel|day|version");
    app.add_option("--metric", options.metric, "What to compare variants by [converted]")
        ->type_name("converted|completed|opened|clicked|replied");
    app.add_flag("--count", options.count, "Begin to count a workflow that is not counted yet");
}

const RegisterCommand<run_funnel, add_funnel> funnel_command(
    {"funnel", 88, "How many people entered a workflow, where they are and how it ended"},
    {{"pawl funnel welcome_series"},
     {"pawl funnel welcome_series --by variant", "which variant does better?"}}
);

}  // namespace

}  // namespace pawl::cli
