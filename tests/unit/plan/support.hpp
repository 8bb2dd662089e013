#pragma once

#include "base/json.hpp"
#include "model/definition.hpp"
#include "plan/planner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace pawl::plan {

inline Definition parsed(std::string_view text) {
    auto definition = parse_definition(text);
    EXPECT_TRUE(definition) << definition.error().message;
    return definition ? *definition : Definition{};
}

inline Instant at(double seconds) {
    return Instant(Duration(static_cast<std::int64_t>(1'700'000'000e6 + seconds * 1e6)));
}

inline StepError error(ErrorClass error_class) {
    return {error_class, "boom", "it broke", std::nullopt};
}

inline StepFinished done(json::value result, std::int16_t attempt = 1) {
    return {0, attempt, std::move(result), std::nullopt};
}
inline StepFinished failed(ErrorClass error_class, std::int16_t attempt = 1) {
    return {0, attempt, nullptr, error(error_class)};
}

// "step_completed run_completed"
inline std::string names(const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events) {
        if (!text.empty()) text += ' ';
        text += name(event.type);
    }
    return text;
}

// A run, its log, and the state that decide keeps up to date.
struct TestRun {
    Definition definition;
    RunState state;
    std::vector<Event> log;

    explicit TestRun(Definition source, json::value input = json::object{}, double start = 0)
        : definition(std::move(source)) {
        Event event = run_started(1, 2, std::move(input), "someone", definition);
        event.at = at(start);
        evolve(definition, state, event);
        log.push_back(std::move(event));
    }

    TestRun(Definition source, std::vector<Event> events)
        : definition(std::move(source)), log(std::move(events)) {
        state = fold(definition, log);
    }

    std::vector<Event> feed(Stimulus stimulus, double seconds = 0) {
        Moment moment;
        moment.now = at(seconds);
        auto events = decide(definition, state, std::move(stimulus), moment);
        log.insert(log.end(), events.begin(), events.end());
        return events;
    }
};

}  // namespace pawl::plan
