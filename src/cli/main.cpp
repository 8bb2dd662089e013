#include "base/log_names.hpp"
#include "cli/commands/explain.hpp"
#include "cli/commands/hide_secrets.hpp"
#include "cli/parse/args.hpp"
#include "cli/terminal/console.hpp"
#include "jq/jq_child.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace pawl::cli {

namespace {

int run(const Invocation& command) {
    const Globals& globals = command.globals;
    const bool hush = globals.quiet && globals.log_level == Globals().log_level;
    log::configure(hush ? log::Level::error : globals.log_level, globals.log_format);
    log::use_document_names(globals.document_names);
    try {
        return command.act(globals);
    } catch (const pg::PgError& error) {
        return report_pg_error(globals, error);
    } catch (const Failure& failure) {
        return report(globals, failure.error());
    } catch (const std::exception& error) {
        return report(globals, {Errc::internal, error.what(), {}});
    }
}

}  // namespace

}  // namespace pawl::cli

int main(int argc, char** argv) {
    if (pawl::jq::is_child(argc, argv)) pawl::jq::run_child();
    // From here on a list of processes shows the arguments without their secrets.
    std::vector<std::string> words(argv, argv + argc);
    std::vector<char*> copies;
    for (std::string& word : words) copies.push_back(word.data());
    pawl::cli::hide_secrets(argc, argv);
    const auto parsed = pawl::cli::parse_args(argc, copies.data());
    int code = parsed.exit_code;
    if (parsed.command) code = pawl::cli::run(*parsed.command);
    // A full disk or a closed pipe must not look like success.
    if (std::fflush(stdout) != 0 && code == 0) return pawl::cli::exit_error;
    return code;
}
