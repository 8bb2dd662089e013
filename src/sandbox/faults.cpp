#include "sandbox/faults.hpp"

#include "sandbox/provider.hpp"
#include "sandbox/reading.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::sandbox {

namespace {

constexpr std::size_t faults_max = 50;
constexpr double delay_max_ms = 600'000;
constexpr std::string_view kind_names[] = {"slow", "limit", "error", "drop"};

Result<Fault> read_fault(const json::value& given) {
    const auto known = only_members(
        given, "a fault", {"provider", "fault", "delay_ms", "retry_after", "share", "times"}
    );
    if (!known) return known.error();
    Fault fault;
    fault.provider = text_in(given, "provider");
    if (fault.provider != "*" && find_provider(fault.provider) == nullptr) {
        return wrong_at("provider", "must be the name of a provider, or * for all");
    }
    const std::string_view word = text_in(given, "fault");
    const auto* kind = std::find(std::begin(kind_names), std::end(kind_names), word);
    if (kind == std::end(kind_names)) {
        return wrong_at("fault", "must be slow, limit, error or drop");
    }
    fault.kind = static_cast<Fault::Kind>(kind - std::begin(kind_names));
    const auto delay = number_at(given, "delay_ms", 0, delay_max_ms);
    if (!delay) return delay.error();
    const auto after = number_at(given, "retry_after", 0, 86'400);
    if (!after) return after.error();
    const auto share = number_at(given, "share", 0, 100);
    if (!share) return share.error();
    const auto times = number_at(given, "times", 1, 1'000'000'000);
    if (!times) return times.error();
    if (*delay) fault.delay = std::chrono::milliseconds(static_cast<std::int64_t>(**delay));
    fault.retry_after = static_cast<int>(after->value_or(1));
    fault.share = share->value_or(100);
    fault.times = static_cast<std::uint32_t>(times->value_or(0));
    return fault;
}

json::object to_json(const Fault& fault) {
    json::object out{
        {"provider", fault.provider},
        {"fault", kind_names[static_cast<int>(fault.kind)]},
        {"share", percent(fault.share)}};
    if (fault.kind == Fault::Kind::slow)
        out["delay_ms"] = fault.delay / std::chrono::milliseconds(1);
    if (fault.kind == Fault::Kind::limit) out["retry_after"] = fault.retry_after;
    if (fault.times > 0) out["times"] = fault.times;
    return out;
}

}  // namespace

Result<void> Faults::set(const json::value& list) {
    if (!list.is_array() || list.get_array().size() > faults_max) {
        return wrong_at("faults", fmt::format("must be a list of at most {}", faults_max));
    }
    std::vector<Fault> all;
    for (std::size_t i = 0; i < list.get_array().size(); ++i) {
        auto fault = read_fault(list.get_array()[i]);
        if (!fault) return wrong_at(fmt::format("faults[{}]:", i), fault.error().message);
        all.push_back(std::move(*fault));
    }
    all_ = std::move(all);
    return {};
}

json::array Faults::list() const {
    json::array out;
    for (const Fault& fault : all_) out.push_back(to_json(fault));
    return out;
}

std::optional<Fault> Faults::meet(std::string_view provider, Rng& rng) {
    for (auto one = all_.begin(); one != all_.end(); ++one) {
        if (one->provider != "*" && one->provider != provider) continue;
        if (one->share < 100 && rng.unit() * 100 >= one->share) continue;
        Fault met = *one;
        if (one->times > 0 && --one->times == 0) all_.erase(one);
        return met;
    }
    return std::nullopt;
}

}  // namespace pawl::sandbox
