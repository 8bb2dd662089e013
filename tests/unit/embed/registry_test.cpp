#include "pawl/registry.hpp"

#include "pawl/dispatcher.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace pawl {
namespace {

class Named : public Workflow {
public:
    Named(std::string version, std::vector<StepDef> steps = {{.name = "work"}})
        : version_(std::move(version)), steps_(std::move(steps)) {}
    std::string id() const override { return "named"; }
    std::string version() const override { return version_; }
    std::vector<StepDef> steps() const override { return steps_; }
    Plan plan(const Run&) const override { return {}; }

private:
    std::string version_;
    std::vector<StepDef> steps_;
};

class Work : public Step {
public:
    std::string name() const override { return "work"; }
    StepResult execute(const ExecutionContext&) override { return StepResult::ok(); }
};

TEST(Registry, HoldsSeveralVersionsAndKnowsTheHighest) {
    Registry registry;
    registry.add(std::make_shared<Named>("1.9.0"));
    registry.add(std::make_shared<Named>("1.10.0"));
    EXPECT_EQ(registry.find("named")->version(), "1.10.0");
    EXPECT_EQ(registry.find("named", "1.9.0")->version(), "1.9.0");
    EXPECT_EQ(registry.find("named", "2.0.0"), nullptr);
    EXPECT_EQ(registry.find("other"), nullptr);
    EXPECT_EQ(registry.workflows().size(), 2u);
}

TEST(Registry, RefusesWhatCannotWork) {
    Registry registry;
    registry.add(std::make_shared<Named>("1.0.0"));
    EXPECT_THROW(registry.add(std::make_shared<Named>("1.0.0")), std::invalid_argument);
    EXPECT_THROW(registry.add(std::make_shared<Named>("one")), std::invalid_argument);
    EXPECT_THROW(
        registry.add(std::make_shared<Named>("2.0.0", std::vector<StepDef>{})),
        std::invalid_argument
    );
    const std::vector<StepDef> twice{{.name = "a"}, {.name = "a"}};
    EXPECT_THROW(registry.add(std::make_shared<Named>("3.0.0", twice)), std::invalid_argument);
    registry.add(std::make_shared<Work>());
    EXPECT_THROW(registry.add(std::make_shared<Work>()), std::invalid_argument);
}

TEST(Registry, TellsWhichStepsAreMissing) {
    Registry registry;
    registry.add(std::make_shared<Named>("1.0.0"));
    EXPECT_EQ(registry.missing(), std::vector<std::string>{"named 1.0.0: work"});
    registry.add(std::make_shared<Work>());
    EXPECT_TRUE(registry.missing().empty());
}

TEST(Dispatcher, AFullChannelLosesEventsButNeverWaits) {
    const auto dispatcher = make_dispatcher();
    const auto one = dispatcher->subscribe("a", 2);
    const auto all = dispatcher->subscribe("*");
    for (int i = 0; i < 3; ++i) dispatcher->dispatch({"a", std::to_string(i), "", nullptr});
    dispatcher->dispatch({"b", "3", "", nullptr});
    EXPECT_EQ(one->dropped(), 1u);
    EXPECT_EQ(one->next(std::chrono::milliseconds(0))->id, "0");
    EXPECT_EQ(one->next(std::chrono::milliseconds(0))->id, "1");
    EXPECT_FALSE(one->next(std::chrono::milliseconds(0)));
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(all->next(std::chrono::milliseconds(0))->id, std::to_string(i));
    }
}

TEST(Dispatcher, AWaiterThatLeftGetsNothing) {
    const auto dispatcher = make_dispatcher();
    dispatcher->subscribe("a").reset();
    dispatcher->dispatch({"a", "", "", nullptr});
    EXPECT_FALSE(dispatcher->subscribe("a")->next(std::chrono::milliseconds(0)));
}

}  // namespace
}  // namespace pawl
