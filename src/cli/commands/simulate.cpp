#include "app/numbers/simulate.hpp"

#include "app/rehearsals/real_steps.hpp"
#include "base/json.hpp"
#include "cli/commands/simulate_past.hpp"
#include "cli/commands/test_files.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/parse/shared_options.hpp"
#include "cli/parse/typed_options.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "draw/text_drawing.hpp"
#include "model/duration.hpp"
#include "model/events/error_data.hpp"
#include "rehearse/check.hpp"
#include "rehearse/coverage.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

namespace pawl::cli {

namespace {

struct SimulateOptions {
    Globals globals;
    std::string file;
    std::size_t subjects = 0;
    std::string inputs;  // one run for each line instead
    std::string people;  // whom the runs are about, in turn; empty: `person` of the tests
    std::string mocks;   // empty: the tests beside the definition, if there are any
    std::uint64_t seed = 1;
    bool graph = false;
    std::string since;  // what came, instead of made-up runs
    int limit = 10'000;
};

constexpr std::size_t inputs_bytes_max = std::size_t{1} << 30;

// What came of many runs.
struct Sums {
    explicit Sums(const Definition& definition) : coverage(definition) {}

    void add(const rehearse::Recording& recording) {
        coverage.add(recording);
        ++statuses[std::string(rehearse::outcome_name(recording))];
        if (recording.status == RunStatus::failed) {
            ++errors[std::string(events::error_code(recording.error))];
        }
        for (const std::string& node : recording.waits_at) ++waits_at[node];
        took.push_back(recording.ended - recording.log.front().at);
    }
    Duration quantile(double share) {
        if (took.empty()) return {};
        const auto at = static_cast<std::size_t>(share * static_cast<double>(took.size() - 1));
        std::nth_element(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(at), took.end());
        return took[at];
    }

    rehearse::Coverage coverage;
    std::map<std::string, std::size_t> statuses;
    std::map<std::string, std::size_t> errors;
    std::map<std::string, std::size_t> waits_at;
    std::vector<Duration> took;
    std::size_t refused = 0;
};

// A value for each line.
Result<std::vector<json::value>> read_lines(const std::string& file) {
    const auto text = read_source(file, inputs_bytes_max);
    if (!text) return text.error();
    std::vector<json::value> inputs;
    std::string_view rest = *text;
    for (int line = 1; !rest.empty(); ++line) {
        const std::size_t end = rest.find('\n');
        const std::string_view one = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        auto input = parse_json(one);
        if (!input) {
            return Error{
                Errc::invalid, fmt::format("{}:{}: {}", file, line, input.error().message), {}};
        }
        inputs.push_back(std::move(*input));
    }
    return inputs;
}

// Those of a file, or the one of the tests; one of whom nothing is known where there is none.
Result<std::vector<json::value>> read_people(const std::string& file, const json::value& usual) {
    if (file.empty()) {
        const json::value one = usual.is_null() ? json::value(json::object()) : usual;
        return std::vector<json::value>{one};
    }
    auto people = read_lines(file);
    if (!people) return people.error();
    const auto wrong = std::find_if(people->begin(), people->end(), [](const json::value& one) {
        return !one.is_object();
    });
    if (people->empty() || wrong != people->end()) {
        return Error{
            Errc::invalid,
            fmt::format(
                "{}: {} is no person: write an object on each line, {{\"first_name\": \"Ann\"}}",
                file,
                people->empty() ? "an empty file"
                                : fmt::format("line {}", wrong - people->begin() + 1)
            ),
            {}};
    }
    return people;
}

json::object to_json(const std::map<std::string, std::size_t>& counts) {
    json::object object;
    for (const auto& [name, count] : counts) object[name] = count;
    return object;
}

json::object to_json(const Definition& definition, std::size_t runs, Sums& sums) {
    return {
        {"workflow", definition.name},
        {"runs", runs},
        {"refused", sums.refused},
        {"statuses", to_json(sums.statuses)},
        {"errors", to_json(sums.errors)},
        {"waits_at", to_json(sums.waits_at)},
        {"took",
         {{"p50", format_duration(sums.quantile(0.5))},
          {"p90", format_duration(sums.quantile(0.9))},
          {"max", format_duration(sums.quantile(1))}}},
        {"coverage", sums.coverage.to_json()}};
}

std::string share(std::size_t count, std::size_t all) {
    return fmt::format(
        "{:.1f}%", all == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(all)
    );
}

void print_sums(
    const Globals& globals, const Definition& definition, std::size_t runs, Sums& sums
) {
    std::vector<TableRow> head{{"runs", std::to_string(runs)}};
    for (const auto& [status, count] : sums.statuses) {
        head.push_back(
            {Cell(status, status_color(status)), fmt::format("{} ({})", count, share(count, runs))}
        );
    }
    if (sums.refused > 0) {
        head.push_back({"refused", fmt::format("{}: their input is not valid", sums.refused)});
    }
    for (const auto& [code, count] : sums.errors) {
        head.push_back({"error " + code, std::to_string(count)});
    }
    for (const auto& [node, count] : sums.waits_at) {
        head.push_back({"waiting at " + node, std::to_string(count)});
    }
    head.push_back(
        {"took",
         fmt::format(
             "half within {}, 90% within {}, the longest {}",
             format_duration(sums.quantile(0.5)),
             format_duration(sums.quantile(0.9)),
             format_duration(sums.quantile(1))
         )}
    );
    print_details(globals, head);
    print_line("");
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        const Edge& edge = definition.edges[i];
        const std::size_t taken = sums.coverage.edges()[i];
        const std::size_t all = sums.coverage.nodes()[edge.from];
        rows.push_back(
            {definition.nodes[edge.from].id,
             edge.handle,
             definition.nodes[edge.to].id,
             Cell(std::to_string(taken), taken == 0 ? Color::dim : Color::none),
             share(taken, all)}
        );
    }
    print_table(globals, {"FROM", "HANDLE", "TO", "TAKEN", "OF VISITS"}, rows);
}

void print_graph(const Globals& globals, const Definition& definition, const Sums& sums) {
    draw::Graph graph = draw::graph_of(definition);
    for (std::size_t i = 0; i < definition.edges.size(); ++i) {
        std::string& label = graph.arrows[i].label;
        label += fmt::format("{}{}", label.empty() ? "" : " ", sums.coverage.edges()[i]);
    }
    for (std::size_t i = 0; i < definition.nodes.size(); ++i) {
        graph.boxes[i].detail += fmt::format(" ×{}", sums.coverage.nodes()[i]);
    }
    print_line("");
    print_drawing(draw::to_text(graph, {stdout_width(), stdout_has_color(globals)}));
}

int run_simulate(const SimulateOptions& options) {
    const Globals& globals = options.globals;
    if (!options.since.empty()) {
        return simulate_past(globals, {options.file, options.since, options.limit});
    }
    const auto file = read_for_simulation(options.file, options.mocks);
    if (!file) return report(globals, file.error());
    std::vector<json::value> inputs;
    if (!options.inputs.empty()) {
        auto read = read_lines(options.inputs);
        if (!read) return report(globals, read.error());
        inputs = std::move(*read);
    }
    const auto people = read_people(options.people, file->tests.person);
    if (!people) return report(globals, people.error());
    const std::size_t runs = options.inputs.empty() ? options.subjects : inputs.size();
    app::RealSteps steps;
    const rehearse::RealSteps real = [&](const rehearse::Call& call) { return steps.run(call); };
    Sums sums(file->definition);
    rehearse::Script script;
    script.start = parse_rfc3339("2026-01-01T00:00:00Z").value();
    for (std::size_t i = 0; i < runs; ++i) {
        script.input = options.inputs.empty() ? file->tests.input : std::move(inputs[i]);
        if (script.input.is_null()) script.input = json::object();
        script.person = (*people)[i % people->size()];
        const std::string_view key = text_in(script.person, "key");
        script.subject = key.empty() ? fmt::format("subject-{}", i + 1) : std::string(key);
        if (const auto valid = validate_input(file->definition, script.input); !valid) {
            if (options.inputs.empty()) {
                Error error = valid.error();
                return report(
                    globals,
                    std::move(error).with(
                        "next", "give inputs: --inputs FILE.jsonl, or input: in FILE.test.yaml"
                    )
                );
            }
            ++sums.refused;
            continue;
        }
        rehearse::MockWorld world(file->tests.mocks, real, options.seed + i);
        sums.add(rehearse::rehearse(file->definition, script, world));
    }
    if (globals.machine()) {
        print_json(globals, to_json(file->definition, runs, sums));
        return exit_ok;
    }
    print_sums(globals, file->definition, runs, sums);
    if (options.graph) print_graph(globals, file->definition, sums);
    return exit_ok;
}

void add_simulate(App& app, SimulateOptions& options) {
    add_argument(
        app, "FILE|NAME", options.file, "Definition; with --since also a published workflow"
    );
    auto* subjects =
        add_number(app, "--subjects", options.subjects, 1, 10'000'000, "How many runs to simulate");
    app.add_option("--inputs", options.inputs, "Simulate one run for each line, with it as input")
        ->type_name("FILE.jsonl")
        ->excludes(subjects);
    app.add_option("--people", options.people, "People that runs are about, one on each line")
        ->type_name("FILE.jsonl");
    app.add_option("--since", options.since, "Replay the events of this last period, such as 7d")
        ->type_name("DURATION")
        ->excludes(subjects);
    add_number(
        app,
        "--limit",
        options.limit,
        1,
        app::simulated_max,
        "With --since: at most this many runs [10000]"
    );
    app.add_option("--mocks", options.mocks, "Test file whose mocks to use [FILE.test.yaml]")
        ->type_name("FILE");
    constexpr auto seed_max = std::numeric_limits<std::int64_t>::max();
    add_number(app, "--seed", options.seed, 0, seed_max, "Seed of the random choices [1]");
    app.add_flag("--graph", options.graph, "Draw the graph with the counts");
}

void check_simulate(const SimulateOptions& options) {
    if (options.subjects == 0 && options.inputs.empty() && options.since.empty()) {
        throw WrongUse("say how many: --subjects N, --inputs FILE.jsonl, or --since 7d");
    }
}

const RegisterCommand<run_simulate, add_simulate, check_simulate> simulate_command(
    {"simulate",
     160,
     "Run a definition for many subjects in virtual time and count the paths they take"},
    {{"pawl simulate order.yaml --subjects 10000 --graph"},
     {"pawl simulate order.yaml --inputs recorded.jsonl --mocks order.test.yaml"},
     {"pawl simulate complaint.yaml --subjects 1000 --people customers.jsonl"},
     {"pawl simulate welcome_series --since 7d", "what would have happened last week?"}}
);

}  // namespace

}  // namespace pawl::cli
