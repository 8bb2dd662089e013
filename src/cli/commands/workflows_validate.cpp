#include "cli/commands/definitions.hpp"
#include "cli/door/database.hpp"
#include "cli/parse/input.hpp"
#include "cli/parse/registry.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "model/problems.hpp"
#include "steps/program_check.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace pawl::cli {

namespace {

// A command that needs no database uses one that it was told of.
bool names_database(const Globals& globals) {
    const char* url = std::getenv("DATABASE_URL");
    return !globals.database_url.empty() || (url != nullptr && *url != '\0');
}

// Only the server knows all of SQL. Nothing is run there.
std::vector<Problem> wrong_statements(const Globals& globals, const Definition& definition) {
    const bool asks =
        std::any_of(definition.nodes.begin(), definition.nodes.end(), [](const Node& node) {
            return node.type == NodeType::sql;
        });
    std::vector<Problem> problems;
    if (!asks || !names_database(globals)) return problems;
    try {
        with_pool(globals, [&](pg::Pool& pool) -> asio::awaitable<int> {
            problems = co_await steps::check_statements(pool, definition);
            co_return exit_ok;
        });
    } catch (const Failure& failure) {
        say(globals,
            fmt::format("the database was not asked about statements: {}", failure.what()));
    }
    return problems;
}

struct Checked {
    std::string file;
    std::vector<Problem> problems;
};

Checked check(
    const Globals& globals, const std::string& file, std::map<std::string, std::string>& file_of
) {
    Checked checked{file == "-" ? "stdin" : file, {}};
    const auto text = read_source(file, DefinitionLimits{}.bytes_max);
    if (!text) {
        checked.problems.push_back({0, "", text.error().message});
        return checked;
    }
    checked.problems = definition_problems(*text);
    if (!checked.problems.empty()) return checked;
    const Definition definition = parse_definition(*text).value();
    checked.problems = steps::check_programs_now(definition, {.binary = jq::this_binary});
    if (checked.problems.empty()) checked.problems = wrong_statements(globals, definition);
    const std::string& name = definition.name;
    const auto [other, fresh] = file_of.emplace(name, checked.file);
    if (!fresh) {
        const std::string what = fmt::format("'{}' is defined in {} too", name, other->second);
        checked.problems.push_back({0, "name", what});
    }
    return checked;
}

void print_problem(const Globals& globals, const std::string& file, const Problem& problem) {
    std::string place = file;
    if (problem.line > 0) place += fmt::format(":{}", problem.line);
    place += ":";
    std::string line = tint_for_stdout(globals, printable(place), Color::bold);
    if (!problem.path.empty()) line += fmt::format(" {}:", printable(problem.path));
    print_line(fmt::format("{} {}", line, printable(problem.what)));
}

int run_workflows_validate(const DefinitionsOptions& options) {
    const Globals& globals = options.globals;
    std::map<std::string, std::string> file_of;
    json::array list;
    std::size_t files = 0;
    std::size_t problems = 0;
    for (const std::string& source : options.files) {
        const auto found = definition_files(source);
        if (!found) return report(globals, found.error());
        for (const std::string& file : *found) {
            const Checked checked = check(globals, file, file_of);
            ++files;
            problems += checked.problems.size();
            for (const Problem& problem : checked.problems) {
                json::object item{{"file", checked.file}, {"line", problem.line}};
                item["path"] = problem.path;
                item["message"] = problem.what;
                list.push_back(std::move(item));
                if (!globals.machine()) print_problem(globals, checked.file, problem);
            }
        }
    }
    if (files == 0) {
        return report(globals, no_definitions());
    }
    if (globals.machine()) print_json_list(globals, list);
    const auto some = [](std::size_t count, std::string_view one) {
        return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
    };
    if (problems > 0) {
        say(globals, fmt::format("{} in {}", some(problems, "problem"), some(files, "file")));
        return exit_usage;
    }
    say(globals, fmt::format("{} without a problem", some(files, "file")));
    return exit_ok;
}

const RegisterCommand<run_workflows_validate, add_definitions> workflows_validate_command(
    {"workflows validate", 40, "Check definitions and report every error; needs no database"},
    {{"pawl workflows validate -f workflows/", "exit code 2: it is wrong"},
     {"pawl workflows validate -f hello.yaml -o json"}}
);

}  // namespace

}  // namespace pawl::cli
