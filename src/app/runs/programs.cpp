#include "app/runs/programs.hpp"

#include "app/refusal.hpp"

#include <algorithm>
#include <set>

namespace pawl::app {

namespace {

// Versions kept parsed; more than that and all are read again.
constexpr std::size_t parsed_max = 2000;

// Heads remembered, and forgotten likewise.
constexpr std::size_t known_max = 2000;

std::vector<plan::Pin> pins_of(const std::vector<engine::ProgramPtr>& programs) {
    std::vector<plan::Pin> pins;
    for (const auto& program : programs) {
        pins.emplace_back(program->version, &program->definition);
    }
    return pins;
}

bool is_startable(const store::Head& head) {
    return head.workflow != 0 && head.active && !head.off_reason;
}

}  // namespace

Programs::Programs(
    asio::any_io_executor executor,
    store::PgStore& store,
    store::Heads& heads,
    store::Versions& versions
)
    : store_(store),
      heads_(heads),
      versions_(versions),
      rounds_(executor, [this](std::vector<Asked> asked) { return look_up(std::move(asked)); }) {}

asio::awaitable<std::vector<store::Head>> Programs::look_up(std::vector<Asked> asked) {
    std::map<std::int32_t, std::set<std::string>> names;
    for (const Asked& one : asked) names[one.tenant].insert(one.name);
    std::map<Name, store::Head> found;
    for (const auto& [tenant, wanted] : names) {
        auto heads = co_await heads_.find(tenant, {wanted.begin(), wanted.end()});
        for (store::Head& head : heads) found[{tenant, head.name}] = head;
    }
    std::vector<store::Head> answers;
    for (const Asked& one : asked) {
        const store::Head& head = found[{one.tenant, one.name}];
        answers.push_back(head);
        if (known_.size() >= known_max) known_.clear();
        if (is_startable(head)) {
            known_[{one.tenant, one.name}] = head;
        } else {
            known_.erase({one.tenant, one.name});
        }
    }
    co_return answers;
}

asio::awaitable<Result<std::int32_t>> Programs::choose(
    std::int32_t tenant, store::Head head, StartChoice choice
) {
    if (choice.version.empty()) {
        if (choice.key.empty()) choice.key = std::to_string(rng_.next());
        co_return choose_version(head.version, head.canary, head.workflow, choice.key);
    }
    const auto number = co_await versions_.number(tenant, head.name, choice.version);
    if (!number) {
        co_return not_found("workflow '" + head.name + "' has no version " + choice.version)
            .with("workflow", head.name)
            .with("version", choice.version);
    }
    const bool active = *number == head.version ||
                        std::any_of(head.canary.begin(), head.canary.end(), [&](const auto& one) {
                            return one.version == *number;
                        });
    if (!active) {
        co_return refusal(
            Errc::conflict,
            "version_inactive",
            "version " + choice.version + " of workflow '" + head.name +
                "' is not active; activate it, or give it a share (0 is enough)"
        )
            .with("workflow", head.name)
            .with("version", choice.version);
    }
    co_return *number;
}

asio::awaitable<Result<store::Head>> Programs::head(std::int32_t tenant, std::string name) {
    const store::Head found = co_await rounds_.ask({tenant, name});
    if (found.workflow == 0) {
        co_return not_found("there is no workflow '" + name + "'; GET /v1/workflows lists them")
            .with("workflow", name);
    }
    if (found.off_reason) {
        co_return refusal(
            Errc::conflict,
            "workflow_switched_off",
            "workflow '" + name + "' is switched off: " + *found.off_reason
        )
            .with("workflow", name)
            .with("why", *found.off_reason);
    }
    if (!found.active) {
        co_return refusal(
            Errc::conflict, "workflow_inactive", "workflow '" + name + "' is deactivated"
        )
            .with("workflow", name);
    }
    co_return found;
}

asio::awaitable<Result<engine::ProgramPtr>> Programs::started(
    std::int32_t tenant, store::Head head, StartChoice choice
) {
    std::int32_t chosen = head.version;
    if (!head.canary.empty() || !choice.version.empty()) {
        const auto number = co_await choose(tenant, head, std::move(choice));
        if (!number) co_return number.error();
        chosen = *number;
    }
    co_return co_await version(head.workflow, chosen);
}

asio::awaitable<Result<engine::ProgramPtr>> Programs::active(
    std::int32_t tenant, std::string name, StartChoice choice
) {
    auto found = co_await head(tenant, std::move(name));
    if (!found) co_return found.error();
    co_return co_await started(tenant, std::move(*found), std::move(choice));
}

asio::awaitable<Result<Chosen>> Programs::chosen(
    std::int32_t tenant, std::string name, StartChoice choice, bool known
) {
    const auto head = known_.find({tenant, name});
    // A version that is asked for by its name has to be looked up in any case.
    if (!known || head == known_.end() || !choice.version.empty()) {
        auto program = co_await active(tenant, std::move(name), std::move(choice));
        if (!program) co_return program.error();
        co_return Chosen{std::move(*program), 0};
    }
    const std::int64_t stamp = head->second.stamp;
    auto program = co_await started(tenant, head->second, std::move(choice));
    if (!program) co_return program.error();
    co_return Chosen{std::move(*program), stamp};
}

asio::awaitable<Result<engine::ProgramPtr>> Programs::version(
    store::WorkflowId workflow, std::int32_t version
) {
    const std::pair key(workflow, version);
    if (const auto known = parsed_.find(key); known != parsed_.end()) co_return known->second;
    const auto stored = co_await store_.find_version(workflow, version);
    if (!stored) co_return not_found("that version of the workflow is gone");
    auto definition = definition_from_json(stored->definition);
    if (!definition) {
        std::string why = "version " + std::to_string(version) + " of workflow '" + stored->name +
                          "' cannot be read: " + definition.error().message;
        co_return refusal(Errc::invalid, "unreadable_definition", std::move(why))
            .with("workflow", stored->name)
            .with("version", std::to_string(version))
            .with("why", definition.error().message);
    }
    const auto program = std::make_shared<engine::Program>();
    program->workflow = workflow;
    program->version = version;
    program->tenant = stored->tenant;
    program->bucket = stored->bucket;
    program->definition = std::move(*definition);
    if (parsed_.size() >= parsed_max) parsed_.clear();
    parsed_[key] = program;
    co_return engine::ProgramPtr(program);
}

asio::awaitable<Result<std::vector<engine::ProgramPtr>>> Programs::pinned(
    store::WorkflowId workflow, const std::vector<Event>& log
) {
    std::vector<engine::ProgramPtr> programs;
    for (const std::int32_t number : plan::pinned_versions(log)) {
        auto program = co_await version(workflow, number);
        if (!program) co_return program.error();
        programs.push_back(std::move(*program));
    }
    if (programs.empty()) co_return not_found("the log of the run is gone");
    co_return programs;
}

asio::awaitable<Result<FoldedLog>> Programs::fold(
    store::WorkflowId workflow, const std::vector<Event>& log
) {
    const auto programs = co_await pinned(workflow, log);
    if (!programs) co_return programs.error();
    auto [state, places] = plan::fold_places(pins_of(*programs), log);
    co_return FoldedLog{programs->back(), std::move(state), std::move(places)};
}

asio::awaitable<Result<std::vector<plan::EventPlace>>> Programs::places(
    store::WorkflowId workflow, const std::vector<Event>& log
) {
    const auto programs = co_await pinned(workflow, log);
    if (!programs) co_return programs.error();
    co_return plan::places_of(pins_of(*programs), log);
}

asio::awaitable<void> Programs::stop() {
    return rounds_.stop();
}

}  // namespace pawl::app
