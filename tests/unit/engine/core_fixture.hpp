#pragma once

#include "engine/core/core.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::engine {

// A core, a clock that stands still until told, and the answers of a store that never fails.
class CoreTest : public ::testing::Test {
protected:
    static constexpr Instant start{std::chrono::seconds(1'700'000'000)};

    static ProgramPtr program(std::string_view yaml) {
        auto definition = parse_definition(yaml);
        EXPECT_TRUE(definition) << definition.error().message;
        Program made;
        made.workflow = 7;
        made.definition = std::move(*definition);
        return std::make_shared<const Program>(std::move(made));
    }
    static ProgramPtr one_step(std::string_view retry = "{attempts: 3, base: 10s}") {
        return program(
            "{name: w, steps: [{id: a, type: code, function: f, retry: " + std::string(retry) +
            "}, {id: b, type: code, function: f}]}"
        );
    }

    static ProgramPtr of_tenant(store::TenantId tenant) {
        Program made = *one_step();
        made.tenant = tenant;
        return std::make_shared<const Program>(std::move(made));
    }

    RunId new_run() {
        RunId run;
        run.uuid.bytes[15] = ++made_;
        return run;
    }
    // As when it was claimed: its log is event 0 and what came after.
    RunId adopt(const ProgramPtr& program, std::vector<Event> later = {}) {
        const RunId run = new_run();
        core.adopt(run, program, log_of(program, std::move(later)), now);
        return run;
    }
    std::vector<Event> log_of(const ProgramPtr& program, std::vector<Event> later = {}) const {
        Event first = plan::run_started(7, 1, json::object{}, "", program->definition);
        first.at = start;
        later.insert(later.begin(), std::move(first));
        return later;
    }
    void finish(RunId run, std::optional<ErrorClass> failed = {}, std::int16_t attempt = 1) {
        plan::StepFinished finished;
        finished.attempt = attempt;
        finished.result = "done";
        if (failed) finished.error = StepError{*failed, "boom", "it broke", std::nullopt};
        core.step_finished(run, std::move(finished), now);
    }
    Flight take_flight() {
        auto flight = core.next_flight(now);
        EXPECT_TRUE(flight);
        return flight ? std::move(*flight) : Flight{};
    }
    void commit(Flight flight) { core.committed(std::move(flight), now); }
    void commit_all() {
        while (auto flight = core.next_flight(now)) commit(std::move(*flight));
    }
    static store::Signal cancel(RunId run, std::int64_t id = 1) {
        return {id, run, "cancel", json::object{{"reason", "enough"}}};
    }

    Rng rng{1};
    Core core{CoreOptions{}, rng};
    Instant now = start;

private:
    std::uint8_t made_ = 0;
};

}  // namespace pawl::engine
