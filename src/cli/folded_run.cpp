#include "cli/folded_run.hpp"

#include <fmt/core.h>

namespace pawl::cli {

boost::asio::awaitable<Result<FoldedRun>> fold_run(
    store::PgStore& store, store::Tenant tenant, RunId id
) {
    auto run = co_await store.find_run(tenant, id);
    if (!run) {
        Error missing{Errc::not_found, fmt::format("there is no run {}", to_string(id)), {}};
        missing.context.emplace_back("next", "pawl runs list");
        co_return missing;
    }
    const auto version = co_await store.find_version(run->workflow_id, run->version);
    if (!version) {
        co_return Error{Errc::not_found, "the run's workflow is not there any more", {}};
    }
    auto definition = definition_from_json(version->definition);
    if (!definition) co_return definition.error();
    const auto log = co_await store.load_log(tenant.bucket, id);
    auto state = plan::fold(*definition, log);
    co_return FoldedRun{std::move(*run), std::move(*definition), std::move(state)};
}

}  // namespace pawl::cli
