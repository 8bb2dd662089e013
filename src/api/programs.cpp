#include "api/programs.hpp"

#include "api/problem.hpp"

#include <set>

namespace pawl::api {

namespace {

// Versions kept parsed; more than that and all are read again.
constexpr std::size_t parsed_max = 2000;

}  // namespace

Programs::Programs(asio::any_io_executor executor, store::PgStore& store, store::Heads& heads)
    : store_(store),
      heads_(heads),
      rounds_(executor, [this](std::vector<Asked> asked) { return look_up(std::move(asked)); }) {}

asio::awaitable<std::vector<store::Head>> Programs::look_up(std::vector<Asked> asked) {
    std::map<std::int32_t, std::set<std::string>> names;
    for (const Asked& one : asked) names[one.tenant].insert(one.name);
    std::map<std::pair<std::int32_t, std::string>, store::Head> known;
    for (const auto& [tenant, wanted] : names) {
        auto heads = co_await heads_.find(tenant, {wanted.begin(), wanted.end()});
        for (store::Head& head : heads) known[{tenant, head.name}] = head;
    }
    std::vector<store::Head> found;
    for (const Asked& one : asked) found.push_back(known[{one.tenant, one.name}]);
    co_return found;
}

asio::awaitable<engine::ProgramPtr> Programs::active(std::int32_t tenant, std::string name) {
    const store::Head found = co_await rounds_.ask({tenant, name});
    if (found.workflow == 0) {
        refuse_not_found("there is no workflow '" + name + "'; GET /v1/workflows lists them");
    }
    if (!found.active) {
        refuse(409, "workflow_inactive", "workflow '" + name + "' is deactivated");
    }
    co_return co_await version(found.workflow, found.version);
}

asio::awaitable<engine::ProgramPtr> Programs::version(
    store::WorkflowId workflow, std::int32_t version
) {
    const std::pair key(workflow, version);
    if (const auto known = parsed_.find(key); known != parsed_.end()) co_return known->second;
    const auto stored = co_await store_.find_version(workflow, version);
    if (!stored) refuse_not_found("that version of the workflow is gone");
    auto definition = definition_from_json(stored->definition);
    if (!definition) {
        std::string why = "version " + std::to_string(version) + " of workflow '" + stored->name +
                          "' cannot be read: " + definition.error().message;
        refuse(422, "unreadable_definition", std::move(why));
    }
    auto program = std::make_shared<engine::Program>();
    program->workflow = workflow;
    program->version = version;
    program->tenant = stored->tenant;
    program->bucket = stored->bucket;
    program->definition = std::move(*definition);
    if (parsed_.size() >= parsed_max) parsed_.clear();
    parsed_[key] = program;
    co_return program;
}

asio::awaitable<void> Programs::stop() {
    return rounds_.stop();
}

}  // namespace pawl::api
