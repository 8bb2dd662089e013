#include "base/rng.hpp"
#include "rehearse/check.hpp"
#include "rehearse/coverage.hpp"
#include "rehearse/test_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

// The control-flow patterns in workflows/patterns, each with its cases: what `pawl test` runs.
namespace pawl::rehearse {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> pattern_names() {
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(PAWL_SOURCE_DIR "/workflows/patterns", none)) {
        if (entry.path().stem().extension() != ".test") names.push_back(entry.path().stem());
    }
    std::sort(names.begin(), names.end());
    return names;
}

// Lets every step take some time more, so that they end in another order.
class Shuffled : public World {
public:
    Shuffled(World& world, std::uint64_t seed) : world_(world), rng_(seed) {}

    Answer call(const Call& call) override {
        Answer answer = world_.call(call);
        answer.takes += std::chrono::minutes(rng_.below(600));
        return answer;
    }
    bool mocks(const Node& node) const override { return world_.mocks(node); }
    std::optional<Answer> meet(const Node& node, int number) override {
        return world_.meet(node, number);
    }

private:
    World& world_;
    Rng rng_;
};

class Patterns : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const std::string base = PAWL_SOURCE_DIR "/workflows/patterns/" + GetParam();
        auto definition = parse_definition(read(base + ".yaml"));
        ASSERT_TRUE(definition) << definition.error().message;
        definition_ = std::move(*definition);
        auto tests = read_tests(read(base + ".test.yaml"), definition_);
        for (const Problem& problem : tests.problems) ADD_FAILURE() << problem.path << problem.what;
        file_ = std::move(tests.file);
        ASSERT_FALSE(file_.tests.empty());
    }

    Definition definition_;
    TestFile file_;
    const RealSteps none_;
};

TEST_P(Patterns, EveryCaseAndEveryEdge) {
    Coverage coverage(definition_);
    for (const TestCase& test : file_.tests) {
        const auto valid = validate_input(definition_, test.script.input);
        ASSERT_TRUE(valid) << test.name << ": " << valid.error().message;
        MockWorld world(test.mocks, none_);
        const Recording recording = rehearse(definition_, test.script, world);
        coverage.add(recording);
        for (const Mismatch& mismatch : check(definition_, test.expect, recording)) {
            ADD_FAILURE() << test.name << ": " << mismatch.what << ": " << mismatch.message;
        }
    }
    EXPECT_EQ(coverage.edges_seen(), definition_.edges.size());
    EXPECT_EQ(coverage.nodes_seen(), definition_.nodes.size());
}

// Whatever the order: a run ends or waits for something outside, and its log tells the same story.
TEST_P(Patterns, AnyOtherOrderComesToAnEndToo) {
    for (const TestCase& test : file_.tests) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            MockWorld mocked(test.mocks, none_);
            Shuffled world(mocked, seed);
            const Recording recording = rehearse(definition_, test.script, world);
            EXPECT_FALSE(recording.stopped) << test.name;
            const plan::RunState folded = plan::fold(definition_, recording.log);
            EXPECT_EQ(folded.status, recording.status) << test.name;
            if (recording.status != RunStatus::running) continue;
            for (const std::string& node : recording.waits_at) {
                EXPECT_EQ(definition_.nodes[*definition_.find(node)].type, NodeType::wait) << node;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    Patterns,
    testing::ValuesIn(pattern_names()),
    [](const testing::TestParamInfo<std::string>& info) { return info.param; }
);

TEST(PatternList, IsComplete) {
    std::vector<int> numbers;
    for (const std::string& name : pattern_names()) numbers.push_back(std::stoi(name));
    EXPECT_EQ(numbers, (std::vector<int>{1,  2,  3,  4,  5,  6,  7,  9,  10, 11, 12, 14,
                                         16, 18, 19, 20, 21, 24, 25, 29, 30, 39, 43}));
}

}  // namespace
}  // namespace pawl::rehearse
