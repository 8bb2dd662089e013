#include "plan/code_plan.hpp"

#include "model/events/whole_run_events.hpp"
#include "plan/planner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace pawl::plan {

namespace {

// More at once is a mistake in the plan, or work for child runs.
constexpr std::size_t steps_max = 1000;
constexpr std::size_t id_bytes_max = 200;

bool knows(const RunState& state, std::string_view id) {
    return std::any_of(state.planned.begin(), state.planned.end(), [id](const PlannedStep& one) {
        return one.id == id;
    });
}

std::string wrong_with(const Definition& definition, const PlanStep& step) {
    if (step.id.empty() || step.id.size() > id_bytes_max) {
        return fmt::format("the id of a step has 1 to {} bytes", id_bytes_max);
    }
    if (!definition.find(step.node)) {
        return fmt::format("it asks for the step '{}', which it does not declare", step.node);
    }
    return {};
}

std::string described(const json::array& steps) {
    std::string text;
    for (const json::value& step : steps) {
        if (!text.empty()) text += ", ";
        text += events::read<events::PlannedCall>(step).id;
    }
    return text.empty() ? "nothing" : text;
}

// Whether two values are equal after a round trip through the database: 1, 1u and 1.0 are, and the
// last bit of a fraction may be lost.
bool same(const json::value& a, const json::value& b) {
    if (a.is_number() && b.is_number()) {
        const double x = a.to_number<double>();
        const double y = b.to_number<double>();
        return x == y || std::abs(x - y) <= 1e-12 * std::max(std::abs(x), std::abs(y));
    }
    if (a.is_array() && b.is_array()) {
        const json::array& left = a.get_array();
        const json::array& right = b.get_array();
        return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
    }
    if (!a.is_object() || !b.is_object()) return a == b;
    const json::object& left = a.get_object();
    if (left.size() != b.get_object().size()) return false;
    return std::all_of(left.begin(), left.end(), [&b](const json::key_value_pair& member) {
        const json::value* other = b.get_object().if_contains(member.key());
        return other != nullptr && same(member.value(), *other);
    });
}

Hold differs(std::int32_t seq, const json::array& logged, const json::array& now) {
    Hold hold;
    hold.code = "plan_differs";
    const std::string before = described(logged);
    const std::string after = described(now);
    hold.reason =
        before == after
            ? fmt::format("at event {} the plan gives other values to {} now", seq, before)
            : fmt::format(
                  "at event {} the log has {}, and the plan asks for {} now", seq, before, after
              );
    hold.details = {{"seq", seq}, {"logged", logged}, {"planned", now}};
    return hold;
}

}  // namespace

json::array to_json(const std::vector<PlanStep>& steps) {
    json::array list;
    for (const PlanStep& step : steps) {
        events::PlannedCall call{step.id, step.node, {}};
        if (!step.config.empty()) call.config = step.config;
        list.push_back(events::write(std::move(call)));
    }
    return list;
}

PlanNews ask_plan(const Definition& definition, const RunState& state, const CodePlan& plan) {
    PlanNews news;
    try {
        news.answer = plan.plan(definition, state);
    } catch (const std::exception& error) {
        news.hold = Hold{"plan_failed", fmt::format("the plan threw: {}", error.what()), {}};
        return news;
    } catch (...) {
        news.hold = Hold{"plan_failed", "the plan threw something that is not an exception", {}};
        return news;
    }
    std::vector<PlanStep> fresh;
    for (PlanStep& step : news.answer.steps) {
        if (knows(state, step.id)) continue;
        if (const std::string wrong = wrong_with(definition, step); !wrong.empty()) {
            news.hold = Hold{"plan_invalid", "the plan cannot be followed: " + wrong, {}};
            return news;
        }
        const bool twice = std::any_of(fresh.begin(), fresh.end(), [&](const PlanStep& other) {
            return other.id == step.id;
        });
        if (!twice) fresh.push_back(std::move(step));
    }
    if (fresh.size() > steps_max) {
        news.hold = Hold{
            "plan_invalid",
            fmt::format(
                "the plan asks for {} steps at once; {} are allowed", fresh.size(), steps_max
            ),
            {}};
    }
    news.answer.steps = std::move(fresh);
    return news;
}

std::optional<Hold> find_divergence(
    const Definition& definition, const CodePlan& plan, const std::vector<Event>& log
) {
    RunState state;
    for (const Event& event : log) {
        if (event.type == EventType::planned) {
            PlanNews news = ask_plan(definition, state, plan);
            if (news.hold) return std::move(news.hold);
            const auto planned = events::read<events::Planned>(event);
            const bool listed = planned.steps && planned.steps->is_array();
            const json::array logged = listed ? planned.steps->get_array() : json::array();
            const json::array now = to_json(news.answer.steps);
            const bool ends = news.answer.finished || news.answer.failure;
            if (ends || !same(logged, now)) {
                return differs(event.seq, logged, ends ? json::array() : now);
            }
        }
        evolve(definition, state, event);
    }
    return std::nullopt;
}

}  // namespace pawl::plan
