#include "sim/simulation.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

namespace pawl::sim {
namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Guards against passing for lack of trouble, or for lack of anything that goes well.
void expect_trouble(Tally& tally) {
    for (const char* what :
         {"crash",
          "crash before an effect",
          "crash after an effect",
          "effect after a crash",
          "commit request lost",
          "commit reply lost",
          "commit resent",
          "commit fenced",
          "claim request lost",
          "claim reply lost",
          "lost claim found",
          "start request lost",
          "start reply lost",
          "start fenced",
          "start given up",
          "started with a lease",
          "key taken",
          "started into a queue",
          "waited at a gate",
          "heartbeat reply lost",
          "register reply lost",
          "wake lost",
          "wake repeated",
          "declared dead",
          "workers swept",
          "session renewed",
          "clock forward",
          "clock back",
          "database crash",
          "claims lost",
          "run let go",
          "drain",
          "drained",
          "drain deadline passed",
          "cancel",
          "step retryable",
          "step permanent",
          "step ambiguous",
          "step slow",
          "run cancelled",
          "run failed"}) {
        EXPECT_GT(tally[what], 0) << what << " never happened";
    }
    const auto ended = tally["run completed"] + tally["run failed"] + tally["run cancelled"];
    EXPECT_GT(tally["run completed"] * 2, ended) << "most runs should complete";
}

TEST(Simulation, SeedsThatOnceFailed) {
    std::ifstream file(PAWL_SOURCE_DIR "/tests/sim/regressions.txt");
    ASSERT_TRUE(file);
    Tally tally;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line.front() == '#') continue;
        const std::string failure = run_seed(std::stoull(line), tally);
        if (!failure.empty()) ADD_FAILURE() << failure;
    }
}

TEST(Simulation, Seeds) {
    Tally tally;
    const auto only = setting("PAWL_SIM_SEED", 0);
    const auto first = only > 0 ? only : setting("PAWL_SIM_FIRST", 1);
    const auto count = only > 0 ? 1 : setting("PAWL_SIM_SEEDS", 3000);
    std::string failed;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const std::string failure = run_seed(seed, tally);
        if (failure.empty()) continue;
        if (failed.empty()) ADD_FAILURE() << failure;
        failed += failure.substr(0, failure.find('\n')) + '\n';
    }
    EXPECT_EQ(failed, "") << "add the seeds to tests/sim/regressions.txt";
    if (std::getenv("PAWL_SIM_TALLY") != nullptr) {
        for (const auto& [what, times] : tally) std::printf("%9ld  %s\n", times, what.c_str());
    }
    if (count >= 500) expect_trouble(tally);
}

}  // namespace
}  // namespace pawl::sim
