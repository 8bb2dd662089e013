#include "steps/program_check.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/core.h>

#include <exception>
#include <utility>

namespace pawl::steps {

asio::awaitable<std::vector<Problem>> check_programs(jq::Pool& pool, Definition definition) {
    std::vector<Problem> problems;
    for (const Node& node : definition.nodes) {
        if (node.type != NodeType::transform) continue;
        const auto* program = node.config.if_contains("jq");
        if (program == nullptr || !program->is_string()) continue;
        const auto checked = co_await pool.check(std::string(program->get_string()));
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
        check_programs(pool, std::move(definition)),
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
