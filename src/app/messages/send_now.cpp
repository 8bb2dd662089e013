#include "app/messages/send_now.hpp"

#include "app/versions/publish.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

namespace pawl::app {

namespace {

std::string workflow_name(const std::string& connector, bool transactional) {
    return fmt::format("send_{}{}", connector, transactional ? "_transactional" : "");
}

json::object message_step(const char* id, const std::string& connector, bool transactional) {
    const bool line = connector == "line";
    json::object config{{"channel", line ? "line" : "sms"}, {"connector", connector}};
    config["category"] = transactional ? "transactional" : "marketing";
    config[line ? "messages" : "text"] = "{{ input.content }}";
    if (std::string_view(id) == "address") config["to"] = "{{ input.to | default: '' }}";
    return json::object{
        {"id", id},
        {"type", "message"},
        {"retry", json::object{{"attempts", 3}, {"base", "1s"}, {"factor", 2}}},
        {"config", std::move(config)}};
}

json::object edge(const char* to, const char* handle) {
    return json::object{{"from", "given"}, {"to", to}, {"handle", handle}};
}

asio::awaitable<Result<void>> ensure_workflow(
    VersionUses& uses, Caller caller, std::string connector, bool transactional
) {
    const auto there =
        co_await find_workflow(uses, caller.tenant.id, workflow_name(connector, transactional));
    if (there || there.error().code != Errc::not_found) co_return Result<void>();
    auto definition = parse_definition(sending_workflow(connector, transactional));
    if (!definition) co_return definition.error();
    const auto done = co_await publish(uses, std::move(caller), std::move(*definition), false);
    if (!done) co_return done.error();
    co_return Result<void>();
}

}  // namespace

std::string sending_workflow(const std::string& connector, bool transactional) {
    json::object definition{{"name", workflow_name(connector, transactional)}};
    definition["description"] = "Sends one message by " + connector;
    definition["person"] = true;
    json::object given{{"path", "input.to"}, {"operator", "exists"}};
    definition["nodes"] = json::array{
        json::object{{"id", "given"}, {"type", "condition"}, {"config", std::move(given)}},
        message_step("address", connector, transactional),
        message_step("person", connector, transactional)};
    definition["edges"] = json::array{edge("address", "true"), edge("person", "false")};
    return json::serialize(definition);
}

asio::awaitable<Result<RunId>> send_now(
    RunUses& runs, VersionUses& versions, Caller caller, SendParams params
) {
    const auto ready =
        co_await ensure_workflow(versions, caller, params.connector, params.transactional);
    if (!ready) co_return ready.error();
    StartParams start;
    start.workflow = workflow_name(params.connector, params.transactional);
    start.subject = std::move(params.person);
    start.correlation_id = std::move(params.correlation_id);
    json::object data{{"content", std::move(params.content)}};
    if (!params.to.empty()) data["to"] = std::move(params.to);
    start.data = std::move(data);
    auto started = co_await start_run(runs, std::move(caller), std::move(start));
    if (!started) co_return started.error();
    co_return started->started.run;
}

}  // namespace pawl::app
