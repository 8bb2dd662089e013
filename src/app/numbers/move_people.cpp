#include "app/numbers/move_people.hpp"

#include "app/refusal.hpp"
#include "model/events/signal_data.hpp"
#include "model/events/signal_kind.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace pawl::app {

namespace {

bool leads_on(const Definition& definition, const std::string& node, const std::string& handle) {
    const auto at = definition.find(node);
    return at && definition.next(*at, handle).has_value();
}

// A run of another version may not have the way out: it would end there.
asio::awaitable<std::set<std::int32_t>> versions_without_way(
    RunUses& runs,
    store::WorkflowId workflow,
    const std::vector<store::PersonPlace>& places,
    const MoveParams& params
) {
    std::set<std::int32_t> without;
    if (params.exit || params.handle.empty()) co_return without;
    std::set<std::int32_t> versions;
    for (const store::PersonPlace& place : places) versions.insert(place.version);
    for (const std::int32_t version : versions) {
        const auto program = co_await runs.programs.version(workflow, version);
        const bool leads = program && leads_on((*program)->definition, params.at, params.handle);
        if (!leads) without.insert(version);
    }
    co_return without;
}

store::NewSignal message_for(const store::PersonPlace& place, const MoveParams& params) {
    if (params.exit) {
        return {
            place.run,
            std::string(name(SignalKind::cancel)),
            events::write(events::CancelSignal{params.reason, false})};
    }
    events::SkipSignal said{place.node, place.token, params.by, params.reason, {}};
    json::object data = events::write(std::move(said));
    // As it is in the log: StepSkipped reads it there.
    if (!params.handle.empty()) data["handle"] = params.handle;
    return {place.run, std::string(name(SignalKind::skip)), std::move(data)};
}

Result<void> check(const Definition& definition, const MoveParams& params) {
    if (!definition.find(params.at)) {
        return wrong_at("there is no step '" + params.at + "'", "/at", "is not a step of it");
    }
    if (params.exit || params.handle.empty()) return {};
    if (leads_on(definition, params.at, params.handle)) return {};
    const std::string sentence =
        fmt::format("no edge leaves '{}' by '{}'", params.at, params.handle);
    return wrong_at(sentence, "/handle", "is not a way out of the step");
}

}  // namespace

asio::awaitable<Result<Moved>> move_people(
    FunnelUses& uses, RunUses& runs, store::Tenant tenant, MoveParams params
) {
    const auto version =
        params.version.empty()
            ? co_await find_workflow(uses.versions, tenant.id, params.workflow)
            : co_await find_version(uses.versions, tenant.id, params.workflow, params.version);
    if (!version) co_return version.error();
    const auto definition = definition_from_json(version->definition);
    if (!definition) co_return definition.error();
    if (const auto fine = check(*definition, params); !fine) co_return fine.error();
    Moved moved;
    std::vector<store::PersonPlace> places;
    if (params.runs.empty()) {
        store::PlaceFilter filter;
        filter.workflow = version->id;
        filter.at = params.at;
        if (!params.version.empty()) filter.version = version->version;
        filter.after = params.after;
        filter.limit = params.limit;
        places = co_await uses.funnels.places(tenant, std::move(filter));
        if (places.size() > static_cast<std::size_t>(params.limit)) {
            places.resize(static_cast<std::size_t>(params.limit));
            moved.next = {places.back().node, places.back().run, places.back().token};
        }
    } else {
        places = co_await uses.funnels.places_of(tenant, version->id, params.at, params.runs);
    }
    const auto without = co_await versions_without_way(runs, version->id, places, params);
    std::vector<store::NewSignal> messages;
    std::set<RunId> asked;
    for (const store::PersonPlace& place : places) {
        if (without.contains(place.version)) {
            moved.problems.push_back({place.run, "its version does not have that way out"});
        } else if (asked.insert(place.run).second || !params.exit) {
            messages.push_back(message_for(place, params));
        }
    }
    for (const RunId& run : params.runs) {
        const bool there = std::any_of(places.begin(), places.end(), [&](const auto& place) {
            return place.run == run;
        });
        if (!there) moved.problems.push_back({run, "it is not at this step now"});
    }
    if (messages.empty()) co_return moved;
    const auto reached = co_await runs.store.send_signals(tenant.bucket, std::move(messages));
    const std::set<RunId> got(reached.begin(), reached.end());
    moved.reached = static_cast<int>(got.size());
    for (const RunId& run : asked) {
        if (!got.contains(run)) moved.problems.push_back({run, "the run had closed before"});
    }
    runs.wake_workers();
    co_return moved;
}

}  // namespace pawl::app
