#include "store/repos/called_versions.hpp"

#include "model/template.hpp"

#include <fmt/core.h>

namespace pawl::store {

asio::awaitable<std::optional<Error>> wrong_call(
    Store& store, Versions& versions, TenantId tenant, Definition definition
) {
    for (const Node& node : definition.nodes) {
        const json::value* wanted = node.config.if_contains("version");
        const bool calls = node.type == NodeType::call || node.type == NodeType::foreach_;
        if (!calls || wanted == nullptr) continue;
        const std::string workflow(text_in(node.config, "workflow"));
        std::string written;
        append_text(written, *wanted);
        const auto number = co_await versions.number(tenant, workflow, written);
        std::optional<WorkflowVersion> found;
        if (number) found = co_await store.find_version_by_name(tenant, workflow, *number);
        if (found && found->active) continue;
        std::string what =
            found
                ? fmt::format(
                      "version {} of workflow '{}' is not active: activate it, or give it a share "
                      "(0 is enough)",
                      written,
                      workflow
                  )
                : fmt::format("workflow '{}' has no version {}", workflow, written);
        co_return Error{Errc::invalid, fmt::format("step '{}': {}", node.id, what), {}};
    }
    co_return std::nullopt;
}

}  // namespace pawl::store
