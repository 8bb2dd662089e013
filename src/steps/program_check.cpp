#include "steps/program_check.hpp"

#include "base/json.hpp"
#include "model/suggest.hpp"
#include "model/url_template.hpp"
#include "steps/secrets.hpp"
#include "steps/sql.hpp"
#include "store/pg/statement_check.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

namespace pawl::steps {

namespace {

// Of one definition. Each takes milliseconds, unless it was made to take long.
constexpr Duration all_programs_max = std::chrono::minutes(1);

bool leads_credential_by_data(const Node& node) {
    if (node.type != NodeType::http && node.type != NodeType::function) return false;
    const auto* url = node.config.if_contains("url");
    return url != nullptr && url->is_string() && data_in_host(url->get_string()) &&
           asks_for_credentials(node.config);
}

constexpr std::array<std::string_view, 3> builtins{"noop", "echo", "fail"};

// Words that a statement begins with; those that a step may not use are refused when it runs.
constexpr std::string_view commands[] = {
    "select",  "insert",   "update",     "delete",  "merge",     "with",    "values",  "table",
    "call",    "do",       "create",     "alter",   "drop",      "grant",   "revoke",  "truncate",
    "refresh", "comment",  "lock",       "notify",  "copy",      "analyze", "vacuum",  "explain",
    "set",     "reset",    "show",       "execute", "reindex",   "cluster", "import",  "security",
    "listen",  "unlisten", "declare",    "fetch",   "move",      "close",   "begin",   "start",
    "commit",  "end",      "rollback",   "abort",   "savepoint", "release", "prepare", "deallocate",
    "discard", "load",     "checkpoint", "reassign"};

// The sentence about a step, or nothing.
std::string unknown_function(const Node& node, const KnowsCode& knows) {
    const std::string_view function = text_in(node.config, "function");
    if (node.type != NodeType::code || function.empty() || function.find("{{") != function.npos)
        return "";
    if (knows(function)) return "";
    return fmt::format(
        "there is no function '{}'{}: {} are built in, others are registered by a C++ program",
        function,
        suggest(function, {builtins.begin(), builtins.end()}),
        fmt::join(builtins, ", ")
    );
}

std::string wrong_statement(const Node& node) {
    if (node.type != NodeType::sql) return "";
    const std::string word = first_word(text_in(node.config, "statement"));
    const std::vector<std::string_view> known(std::begin(commands), std::end(commands));
    if (std::find(known.begin(), known.end(), word) != known.end()) return "";
    return fmt::format("'{}' is not a command of SQL{}", word, suggest(word, known));
}

}  // namespace

bool is_builtin(std::string_view function) {
    return std::find(builtins.begin(), builtins.end(), function) != builtins.end();
}

asio::awaitable<std::vector<Problem>> check_programs(
    jq::Pool& pool, Definition definition, std::int32_t tenant, KnowsCode knows
) {
    std::vector<Problem> problems;
    const auto deadline = Steady::now() + all_programs_max;
    for (const Node& node : definition.nodes) {
        if (leads_credential_by_data(node)) {
            problems.push_back(
                {0,
                 node.id + ".url",
                 "data may not stand in the host of a url when the step sends a credential: write "
                 "the host, or give the whole url as one placeholder"}
            );
        }
        const bool planned = !definition.code.empty();
        if (const auto what = planned ? std::string() : unknown_function(node, knows);
            !what.empty()) {
            problems.push_back({0, node.id + ".function", what});
        }
        if (const auto what = planned ? std::string() : wrong_statement(node); !what.empty()) {
            problems.push_back({0, node.id + ".statement", what});
        }
        if (node.type != NodeType::transform) continue;
        const auto* program = node.config.if_contains("jq");
        if (program == nullptr || !program->is_string()) continue;
        if (Steady::now() > deadline) {
            problems.push_back({0, node.id + ".jq", "the programs take too long to compile"});
            break;
        }
        const auto checked = co_await pool.check(std::string(program->get_string()), {tenant, {}});
        if (checked || checked.error().code != Errc::invalid) continue;
        problems.push_back(
            {0, node.id + ".jq", "the program does not compile: " + checked.error().message}
        );
    }
    co_return problems;
}

asio::awaitable<std::vector<Problem>> check_statements(pg::Pool& pool, Definition definition) {
    std::vector<Problem> problems;
    std::vector<std::string> statements;
    std::vector<std::string> places;
    for (const Node& node : definition.nodes) {
        const std::string_view statement = text_in(node.config, "statement");
        if (node.type != NodeType::sql || statement.empty()) continue;
        statements.emplace_back(statement);
        places.push_back(node.id + ".statement");
    }
    for (std::size_t i = 0; i < definition.triggers.size(); ++i) {
        if (definition.triggers[i].audience.empty()) continue;
        statements.push_back(definition.triggers[i].audience);
        places.push_back(fmt::format("triggers[{}].audience", i));
    }
    if (statements.empty()) co_return problems;
    const auto found = co_await store::syntax_errors(pool, std::move(statements));
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        problems.push_back({0, places[i], "this is not SQL: " + *found[i]});
    }
    co_return problems;
}

std::vector<Problem> check_programs_now(Definition definition, jq::PoolOptions options) {
    asio::io_context loop(1);
    jq::Pool pool(loop.get_executor(), std::move(options));
    std::vector<Problem> problems;
    std::exception_ptr failed;
    asio::co_spawn(
        loop,
        check_programs(pool, std::move(definition), 0),
        [&](std::exception_ptr thrown, std::vector<Problem> found) {
            failed = thrown;
            problems = std::move(found);
        }
    );
    loop.run();
    if (failed) std::rethrow_exception(failed);
    return problems;
}

}  // namespace pawl::steps
