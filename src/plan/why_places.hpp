#pragma once

#include "plan/why.hpp"

namespace pawl::plan {

// One place of a run.
struct WhyPlace {
    int rank = 0;  // the most telling one is shown first
    Clause clause;
    Help help;
};

WhyPlace place_of(
    const Definition& definition,
    const RunState& state,
    const Surroundings& around,
    Instant now,
    const Token& token
);

// The same of a token that waits. `run`: its id.
WhyPlace waiting_at(const std::string& step, const std::string& run, const Token& token);

// A sentence about a place, which begins in lower case; names that are null are not known.
Clause clause_at(
    const std::string& step, WhyCode code, std::string sentence, boost::json::object names
);

// A help that ends with a command.
Help help_by(HelpCode code, std::string_view words, std::string command);
Help skip_help(std::string_view run, std::string_view step);

}  // namespace pawl::plan
