#include "app/rehearsals/played_case.hpp"
#include "app/rehearsals/real_steps.hpp"
#include "base/json.hpp"
#include "base/spoken.hpp"
#include "cli/commands/test_files.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"
#include "model/duration.hpp"
#include "model/events/branch_events.hpp"
#include "model/events/error_data.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/step_events.hpp"
#include "rehearse/coverage.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace pawl::cli {

namespace {

struct TestOptions {
    Globals globals;
    std::vector<std::string> files;
    std::string only;  // part of a name; empty: all cases
    bool trace = false;
};

using rehearse::Coverage;
using rehearse::Mismatch;
using rehearse::Recording;
using rehearse::TestCase;

using Played = app::PlayedCase;
using app::took;

class Printer {
public:
    explicit Printer(const Globals& globals) : globals_(globals) {}

    void head(const TestedFile& file) {
        print_line(tint_for_stdout(globals_, printable(file.file), Color::bold));
    }

    void result(const TestCase& test, const Played& played, bool trace) {
        const bool passed = played.mismatches.empty();
        print_line(fmt::format(
            "  {} {}{}",
            tint_for_stdout(globals_, passed ? "✓" : "✗", passed ? Color::green : Color::red),
            printable(test.name),
            tint_for_stdout(
                globals_,
                fmt::format(
                    "  {}, {}",
                    human_duration(took(played.recording)),
                    counted(played.recording.calls.size(), "step")
                ),
                Color::dim
            )
        ));
        for (const Mismatch& mismatch : played.mismatches) {
            print_line(fmt::format(
                "      {}: {}",
                tint_for_stdout(globals_, mismatch.what, Color::yellow),
                printable(mismatch.message)
            ));
            for (const auto& [mark, text] : mismatch.lines) line(mark, text);
        }
        if (trace || !passed) log(played.recording, trace);
    }

    void coverage(const TestedFile& file, const Coverage& coverage) {
        const auto share = [](std::size_t seen, std::size_t all) {
            return fmt::format("{}/{} ({}%)", seen, all, all == 0 ? 100 : 100 * seen / all);
        };
        print_line(fmt::format(
            "  {}: nodes {}, edges {}",
            printable(file.workflow),
            share(coverage.nodes_seen(), coverage.nodes().size()),
            share(coverage.edges_seen(), coverage.edges().size())
        ));
        for (std::size_t i = 0; i < coverage.nodes().size(); ++i) {
            if (coverage.nodes()[i] == 0) dim("never visited: " + file.definition.nodes[i].id);
        }
        for (std::size_t i = 0; i < coverage.edges().size(); ++i) {
            if (coverage.edges()[i] == 0) dim("never taken: " + coverage.edge_name(i));
        }
    }

private:
    void dim(std::string_view text) {
        print_line(tint_for_stdout(globals_, "    " + printable(text), Color::dim));
    }

    void line(char mark, std::string_view text) {
        const Color color = mark == '-' ? Color::red : mark == '+' ? Color::green : Color::dim;
        print_line(
            tint_for_stdout(globals_, fmt::format("        {} {}", mark, printable(text)), color)
        );
    }

    // What happened and when, since the start.
    void log(const Recording& recording, bool all) {
        constexpr std::size_t shown_max = 30;
        if (recording.log.empty()) return;
        dim("what happened:");
        for (std::size_t i = 0; i < recording.log.size(); ++i) {
            if (!all && i == shown_max) {
                return dim(fmt::format(
                    "  ... {} more; --trace shows them", recording.log.size() - shown_max
                ));
            }
            const Event& event = recording.log[i];
            std::string text = fmt::format(
                "  {:>12}  {:<16} {}",
                human_duration(event.at - recording.log.front().at),
                name(event.type),
                event.node
            );
            if (event.type == EventType::signal_received) {
                text += fmt::format("{} ", events::read<events::SignalReceived>(event).kind);
            }
            if (!event.error.is_null())
                text += fmt::format("  {}", events::error_code(event.error));
            if (event.type == EventType::node_passed) {
                const std::string_view handle = events::read<events::NodePassed>(event).handle;
                if (handle != "default") text += fmt::format("  [{}]", handle);
            }
            if (event.type == EventType::step_skipped) {
                const bool off = events::read<events::StepSkipped>(event).disabled;
                if (off) text += "  switched off: passed";
            }
            dim(text);
        }
    }

    const Globals& globals_;
};

struct Sums {
    std::size_t cases = 0;
    std::size_t failed = 0;
    json::array files;
};

void run_file(
    const TestOptions& options, const TestedFile& file, app::RealSteps& steps, Sums& sums
) {
    const Globals& globals = options.globals;
    const rehearse::RealSteps real = [&](const rehearse::Call& call) { return steps.run(call); };
    Printer printer(globals);
    Coverage coverage(file.definition);
    json::array cases;
    if (!globals.machine()) printer.head(file);
    for (const TestCase& test : file.tests.tests) {
        if (test.name.find(options.only) == std::string::npos) continue;
        const Played played = app::play_case(file.definition, test, real);
        ++sums.cases;
        if (!played.mismatches.empty()) ++sums.failed;
        coverage.add(played.recording);
        cases.push_back(app::to_json(test, played));
        if (!globals.machine()) printer.result(test, played, options.trace);
    }
    if (!globals.machine()) printer.coverage(file, coverage);
    sums.files.push_back(json::object{
        {"file", file.file},
        {"workflow", file.definition.name},
        {"tests", std::move(cases)},
        {"coverage", coverage.to_json()}});
}

int run_test(const TestOptions& options) {
    const Globals& globals = options.globals;
    const auto files = read_tested_files(options.files);
    if (!files) return report(globals, files.error());
    const auto begun = Steady::now();
    app::RealSteps steps;
    Sums sums;
    for (const TestedFile& file : *files) run_file(options, file, steps, sums);
    if (globals.machine()) print_json_list(globals, sums.files);
    if (sums.cases == 0) {
        return report(
            globals,
            {Errc::invalid,
             options.only.empty() ? "there is no test case"
                                  : fmt::format("no test case has '{}' in its name", options.only),
             {}}
        );
    }
    const auto spent = std::chrono::ceil<std::chrono::milliseconds>(Steady::now() - begun);
    say(globals,
        fmt::format(
            "{} passed, {} failed, in {} ms", sums.cases - sums.failed, sums.failed, spent.count()
        ));
    return sums.failed == 0 ? exit_ok : exit_error;
}

void add_test(App& app, TestOptions& options) {
    const char* files = "A definition with FILE.test.yaml beside it, tests, or a folder";
    app.add_option("FILE", options.files, files)->required()->type_name("");
    app.add_option("--only", options.only, "Only cases with this in their name")->type_name("TEXT");
    app.add_flag("--trace", options.trace, "Print the log of every case");
}

const RegisterCommand<run_test, add_test> test_command(
    {"test", 150, "Run test cases of definitions in virtual time; needs no database"},
    {{"pawl test workflows/order.yaml", "with the cases of workflows/order.test.yaml"},
     {"pawl test workflows/ -o json", "exit code 1 when a case fails"},
     {"pawl test order.test.yaml --only refund --trace"}}
);

}  // namespace

}  // namespace pawl::cli
