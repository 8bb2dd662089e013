#include "base/json.hpp"
#include "history.hpp"
#include "rehearse/mock.hpp"
#include "rehearse/test_file.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

// tests/histories holds logs that releases have written. Every later release must make the same of
// them: they are never edited. scripts/record-histories adds those of a new release.
namespace pawl::rehearse {
namespace {

namespace fs = std::filesystem;

const fs::path root = PAWL_SOURCE_DIR "/tests/histories";
const fs::path workflows = PAWL_SOURCE_DIR "/workflows";

std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

History recorded(const Definition& definition, const Script& script, const Mocks& mocks) {
    const RealSteps none;
    MockWorld world(mocks, none);
    History history;
    history.versions.emplace(1, definition);
    history.log = rehearse(definition, script, world).log;
    return history;
}

// Whatever a start must bring.
json::value any_input(const Definition& definition) {
    json::object input;
    for (int i = 0; i < 100; ++i) {
        const auto valid = validate_input(definition, input);
        if (valid) break;
        for (const auto& [key, value] : valid.error().context) {
            const std::string_view first = std::string_view(value).substr(0, value.find(", "));
            if (key == "missing") input[first] = fmt::format("{} {}", first, i);
        }
    }
    return input;
}

std::vector<History> of_cases(const fs::path& path, const Definition& definition) {
    std::vector<History> all;
    fs::path tests = path;
    tests.replace_extension(".test.yaml");
    if (!fs::exists(tests)) {
        Script script;
        script.input = any_input(definition);
        History history = recorded(definition, script, {});
        history.name = "as it is";
        all.push_back(std::move(history));
        return all;
    }
    for (const TestCase& test : read_tests(read(tests), definition).file.tests) {
        History history = recorded(definition, test.script, test.mocks);
        history.name = test.name;
        all.push_back(std::move(history));
    }
    return all;
}

// A run that went from one version to another in the middle.
History migrated() {
    const auto parsed = [](const char* wait) {
        return parse_definition(fmt::format(
                                    "{{name: moved, steps: [{{id: a, type: code, function: f}}, "
                                    "{{id: {}, type: wait, duration: 1h}}, "
                                    "{{id: b, type: code, function: f}}]}}",
                                    wait
                                ))
            .value();
    };
    History history;
    history.name = "from one version to another";
    history.versions.emplace(1, parsed("x"));
    history.versions.emplace(2, parsed("y"));
    const auto& [before, after] = std::pair(history.versions.at(1), history.versions.at(2));
    const History plain = recorded(before, Script{}, {});
    plan::RunState state;
    for (const Event& event : plain.log) {
        plan::evolve(state.version == 2 ? after : before, state, event);
        history.log.push_back(event);
        if (event.type == EventType::wait_started) break;
    }
    const json::object order{{"version", 2}, {"map", json::object{{"x", "y"}}}};
    const plan::Crossing crossing(before, after, plan::repin_order(order).map);
    const plan::Moment moment{history.log.back().at, 0.5};
    history.log.push_back(plan::repin(crossing, state, order, moment));
    const Instant later = moment.now + std::chrono::hours(2);
    for (Event& event : plan::decide(after, state, plan::TimerDue{}, {later, 0.5})) {
        history.log.push_back(std::move(event));
    }
    for (Event& event : plan::decide(after, state, plan::StepFinished{}, {later, 0.5})) {
        history.log.push_back(std::move(event));
    }
    return history;
}

void write(const fs::path& path, const std::vector<History>& histories) {
    if (fs::exists(path)) return;
    fs::create_directories(path.parent_path());
    std::ofstream file(path);
    for (const History& history : histories) file << json::serialize(to_json(history)) << "\n";
}

// Only on request, and never over what is there.
TEST(Histories, AreRecordedForANewRelease) {
    const char* release = std::getenv("PAWL_RECORD_HISTORIES");
    if (release == nullptr) GTEST_SKIP() << "for scripts/record-histories";
    const fs::path folder = root / release;
    for (const fs::path& path : files_in(workflows)) {
        if (path.extension() != ".yaml" || path.stem().extension() == ".test") continue;
        const auto definition = parse_definition(read(path));
        ASSERT_TRUE(definition) << path << ": " << definition.error().message;
        write(folder / (path.stem().string() + ".jsonl"), of_cases(path, *definition));
    }
    write(folder / "moved.jsonl", {migrated()});
}

TEST(Histories, ReplayAsTheyDidWhenTheyWereWritten) {
    std::size_t replayed = 0;
    for (const fs::path& path : files_in(root)) {
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) {
            const auto value = parse_json(line, {.bytes_max = 16 << 20});
            ASSERT_TRUE(value) << path;
            const History history = history_from_json(*value);
            SCOPED_TRACE(path.filename().string() + ": " + history.name);
            const plan::RunState state = history.fold();
            EXPECT_EQ(
                json::serialize(end_of(history.definition(), state)),
                json::serialize(value->at("end"))
            );
            // What was decided then is not decided again.
            plan::RunState later = state;
            if (is_terminal(state.status)) {
                EXPECT_TRUE(
                    decide(history.definition(), later, plan::Resumed{}, {state.started_at, 0.5})
                        .empty()
                );
            }
            ++replayed;
        }
    }
    EXPECT_GE(replayed, 60u);
}

}  // namespace
}  // namespace pawl::rehearse
