#include "engine/core/program_cache.hpp"

#include "base/log.hpp"

namespace pawl::engine {

namespace {

constexpr auto ask_again = std::chrono::seconds(2);
// Versions that are not current any more are not worth remembering.
constexpr std::size_t programs_max = 10'000;

}  // namespace

ProgramCache::ProgramCache(store::Store& store, FindPlan find_plan)
    : store_(store), find_plan_(std::move(find_plan)) {}

boost::asio::awaitable<ProgramPtr> ProgramCache::find(
    store::WorkflowId workflow, std::int32_t version
) {
    const Key key{workflow, version};
    if (const auto known = programs_.find(key); known != programs_.end()) co_return known->second;
    // Many runs may be of a version that is not known here; to ask once for all of them is enough.
    const auto asked = unknown_.find(key);
    if (asked != unknown_.end() && asked->second > Steady::now()) co_return nullptr;
    const auto stored = co_await store_.find_version(workflow, version);
    if (unknown_.size() >= programs_max) unknown_.clear();
    unknown_[key] = Steady::now() + ask_again;
    if (!stored) co_return nullptr;
    auto definition = definition_from_json(stored->definition);
    if (!definition) {
        log::error(
            "a stored workflow version cannot be read",
            {log::field("workflow", stored->name),
             log::field("version", version),
             log::field("error", to_string(definition.error()))}
        );
        co_return nullptr;
    }
    const plan::CodePlan* plan = nullptr;
    if (!definition->code.empty() && find_plan_) {
        plan = find_plan_(definition->name, definition->code);
    }
    auto made = std::make_shared<const Program>(Program{
        workflow, version, stored->tenant, stored->bucket, std::move(*definition), plan});
    if (programs_.size() >= programs_max) programs_.clear();
    programs_[key] = made;
    unknown_.erase(key);
    co_return made;
}

}  // namespace pawl::engine
