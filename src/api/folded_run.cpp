#include "api/folded_run.hpp"

#include <fmt/core.h>

#include <list>

namespace pawl::api {

boost::asio::awaitable<Result<FoldedRun>> fold_run(
    store::PgStore& store, store::Tenant tenant, RunId id
) {
    auto run = co_await store.find_run(tenant, id);
    if (!run) {
        Error missing{Errc::not_found, fmt::format("there is no run {}", to_string(id)), {}};
        missing.context.emplace_back("next", "pawl runs list");
        co_return missing;
    }
    auto log = co_await store.load_log(tenant.bucket, id);
    std::list<Definition> definitions;
    std::vector<plan::Pin> pins;
    for (const std::int32_t number : plan::pinned_versions(log)) {
        const auto version = co_await store.find_version(run->workflow_id, number);
        if (!version) break;
        auto definition = definition_from_json(version->definition);
        if (!definition) co_return definition.error();
        pins.emplace_back(number, &definitions.emplace_back(std::move(*definition)));
    }
    if (pins.empty() || pins.back().first != plan::pinned_version(log)) {
        co_return Error{Errc::not_found, "the run's workflow is not there any more", {}};
    }
    auto [state, places] = plan::fold_places(pins, log);
    co_return FoldedRun{
        std::move(*run),
        std::move(definitions.back()),
        std::move(state),
        plan::renamed(std::move(log)),
        std::move(places)};
}

}  // namespace pawl::api
