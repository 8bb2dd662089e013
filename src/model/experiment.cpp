#include "model/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pawl {

namespace {

constexpr double z95 = 1.959963984540054;
constexpr double z80 = 0.8416212335729143;  // to find a difference in 80 of 100 cases
constexpr std::int64_t trials_min = 50;     // of each variant
constexpr std::int64_t hits_min = 10;       // of all together

double rate_of(const Arm& arm) {
    if (arm.trials <= 0) return 0;
    return static_cast<double>(arm.hits) / static_cast<double>(arm.trials);
}

Arm sane(Arm arm) {
    arm.trials = std::max<std::int64_t>(arm.trials, 0);
    arm.hits = std::clamp<std::int64_t>(arm.hits, 0, arm.trials);
    return arm;
}

// How likely chance makes a difference of this size between two that are the same: the test of two
// proportions with a common variance, from both sides.
double chance(const Arm& a, const Arm& b) {
    const double n = static_cast<double>(a.trials), m = static_cast<double>(b.trials);
    const double common = static_cast<double>(a.hits + b.hits) / (n + m);
    const double deviation = std::sqrt(common * (1 - common) * (1 / n + 1 / m));
    if (deviation == 0) return 1;
    return std::erfc(std::abs(rate_of(a) - rate_of(b)) / deviation / std::sqrt(2.0));
}

std::optional<std::int64_t> needed(const Arm& a, const Arm& b) {
    const double p = rate_of(a), q = rate_of(b);
    if (p == q) return std::nullopt;
    const double spread = p * (1 - p) + q * (1 - q);
    const double trials = (z95 + z80) * (z95 + z80) * spread / ((p - q) * (p - q));
    if (!(trials < 1e12)) return std::nullopt;
    return std::max<std::int64_t>(trials_min, static_cast<std::int64_t>(std::ceil(trials)));
}

}  // namespace

Share wilson(std::int64_t hits, std::int64_t trials) {
    const Arm arm = sane({"", trials, hits});
    if (arm.trials == 0) return {};
    const double n = static_cast<double>(arm.trials);
    const double p = rate_of(arm);
    const double z2 = z95 * z95;
    const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    const double half = z95 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    return {p, std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

Verdict judge_arms(const std::vector<Arm>& given) {
    Verdict verdict;
    verdict.text = "too early to say";
    if (given.size() < 2) return verdict;
    std::vector<Arm> arms;
    std::int64_t hits = 0;
    bool enough = true;
    for (const Arm& one : given) {
        arms.push_back(sane(one));
        hits += arms.back().hits;
        enough = enough && arms.back().trials >= trials_min;
    }
    std::stable_sort(arms.begin(), arms.end(), [](const Arm& a, const Arm& b) {
        return rate_of(a) > rate_of(b);
    });
    const Arm& best = arms[0];
    const Arm& second = arms[1];
    enough = enough && hits >= hits_min;
    if (best.trials > 0 && second.trials > 0) verdict.trials_needed = needed(best, second);
    // Each comparison gets its part of the 5 cases.
    const double allowed = 0.05 / static_cast<double>(arms.size() - 1);
    bool better = enough;
    for (std::size_t i = 1; i < arms.size() && better; ++i) {
        better = rate_of(best) > rate_of(arms[i]) && chance(best, arms[i]) < allowed;
    }
    if (!better) return verdict;
    verdict.early = false;
    verdict.leader = best.name;
    verdict.trials_needed.reset();
    verdict.text = fmt::format(
        "{} does better: {:.1f}% against {:.1f}% of {}",
        best.name,
        100 * rate_of(best),
        100 * rate_of(second),
        second.name
    );
    return verdict;
}

}  // namespace pawl
