#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl {

// One variant of a split: how many tried, and how many of these did what it is about.
struct Arm {
    std::string name;
    std::int64_t trials = 0;
    std::int64_t hits = 0;
};

// A share between 0 and 1, with the interval in which it lies with 95% confidence.
struct Share {
    double rate = 0;
    double low = 0;
    double high = 1;
};

// The score interval of Wilson, which also holds for few trials and for shares near 0 and 1.
Share wilson(std::int64_t hits, std::int64_t trials);

struct Verdict {
    bool early = true;   // it is too early to say
    std::string leader;  // that does better than all others; empty while it is early
    std::string text;    // one sentence
    // About how many trials each variant needs before a difference such as this one would show;
    // none when it has shown, or when there is nothing to go by.
    std::optional<std::int64_t> trials_needed;
};

// Whether one variant does better than all others: the difference to each must be one that chance
// makes in less than 5 of 100 cases, over all comparisons together. Few trials say nothing.
Verdict judge_arms(const std::vector<Arm>& arms);

}  // namespace pawl
