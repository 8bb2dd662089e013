#include "cli/parse/args_parser.hpp"

#include <limits>

// The commands that try workflows out without a database.
namespace pawl::cli {

void Parser::add_test() {
    auto& app =
        command(app_, "test", "Run test cases of definitions in virtual time; needs no database");
    app.add_option(
           "FILE", test_.files, "A definition with FILE.test.yaml beside it, tests, or a folder"
    )
        ->required()
        ->type_name("");
    app.add_option("--only", test_.only, "Only cases with this in their name")->type_name("TEXT");
    app.add_flag("--trace", test_.trace, "Print the log of every case");
    choose(app, test_);
}

void Parser::add_simulate() {
    auto& app = command(
        app_,
        "simulate",
        "Run a definition for many subjects in virtual time and count the ways they take"
    );
    app.add_option("FILE", simulate_.file, "The definition")->required()->type_name("");
    auto* subjects =
        add_number(app, "--subjects", simulate_.subjects, 1, 10'000'000, "How many runs");
    app.add_option("--inputs", simulate_.inputs, "A run for each line of this file, its input")
        ->type_name("FILE.jsonl")
        ->excludes(subjects);
    app.add_option("--mocks", simulate_.mocks, "Tests whose mocks are used [FILE.test.yaml]")
        ->type_name("FILE");
    add_number(
        app,
        "--seed",
        simulate_.seed,
        0,
        std::numeric_limits<std::int64_t>::max(),
        "Another choice of answers [1]"
    );
    app.add_flag("--graph", simulate_.graph, "Draw it, with the counts");
    app.callback([this] {
        if (simulate_.subjects == 0 && simulate_.inputs.empty()) {
            throw WrongUse("say how many: --subjects N, or --inputs FILE.jsonl");
        }
        chosen_ = simulate_;
    });
}

}  // namespace pawl::cli
