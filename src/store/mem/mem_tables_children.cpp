#include "model/events/whole_run_events.hpp"
#include "store/mem/mem_tables.hpp"

#include <fmt/core.h>

#include <algorithm>

// Which child a step had before: sql/functions/runs/children.sql. Nothing is retried here.
namespace pawl::store {

namespace {

constexpr std::int16_t tries_max = 100;  // as many as a step may have

}  // namespace

const json::value* MemTables::start_data(Bucket bucket, RunId run) const {
    const auto log = events_.find({bucket, run});
    if (log == events_.end()) return nullptr;
    const auto first = log->second.find(0);
    return first == log->second.end() ? nullptr : &first->second.data;
}

std::optional<RunId> MemTables::called_before(const CallBefore& call) const {
    std::int16_t tries = static_cast<std::int16_t>(call.since - 1);
    for (RunId run = call.run;;) {
        for (; tries > 0; --tries) {
            const auto key = fmt::format("call:{}{}:{}", to_string(run), call.place, tries);
            const auto held = correlations_.find({call.bucket, call.tenant, call.workflow, key});
            if (held == correlations_.end()) continue;
            const json::value* data = start_data(call.bucket, held->second);
            if (data == nullptr) return std::nullopt;
            const auto given = events::read<events::RunStarted>(*data);
            const bool same = given.input && *given.input == call.input &&
                              given.subject == call.subject && given.version == call.version;
            return same ? std::optional(held->second) : std::nullopt;
        }
        if (run == call.until) return std::nullopt;
        const json::value* data = start_data(call.bucket, run);
        if (data == nullptr) return std::nullopt;
        const auto chain = events::read<events::RunStarted>(*data).chain;
        const auto uuid = parse_uuid(chain.retry_of.empty() ? chain.takes_over : chain.retry_of);
        if (!uuid) return std::nullopt;
        run = RunId{*uuid};
        tries = tries_max;
    }
}

std::optional<EarlierChild> MemTables::earlier_child(const CallBefore& call) const {
    const auto child = called_before(call);
    if (!child) return std::nullopt;
    const RunKey key{call.bucket, *child};
    const json::value* data = start_data(key.first, key.second);
    if (data == nullptr) return std::nullopt;
    const auto chain = events::read<events::RunStarted>(*data).chain;
    const auto& log = events_.at(key);
    const bool undone = std::any_of(log.begin(), log.end(), [](const auto& one) {
        return one.second.type == EventType::compensation_started;
    });
    return EarlierChild{
        *child,
        std::string(chain.first_run),
        std::string(chain.anew_run),
        undone || live_.contains(key)};
}

}  // namespace pawl::store
