#include "steps/program_check.hpp"

#include "model/url_template.hpp"
#include "steps/secrets.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/core.h>

#include <exception>
#include <utility>

namespace pawl::steps {

namespace {

// Of one definition. Each takes milliseconds, unless it was made to take long.
constexpr Duration all_programs_max = std::chrono::seconds(20);

bool leads_credential_by_data(const Node& node) {
    if (node.type != NodeType::http && node.type != NodeType::function) return false;
    const auto* url = node.config.if_contains("url");
    return url != nullptr && url->is_string() && data_in_host(url->get_string()) &&
           asks_for_credentials(node.config);
}

}  // namespace

asio::awaitable<std::vector<Problem>> check_programs(
    jq::Pool& pool, Definition definition, std::int32_t tenant
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
