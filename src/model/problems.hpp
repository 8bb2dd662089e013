#pragma once

#include "base/error.hpp"
#include "model/definition.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl {

// One thing that is wrong with a text, and where.
struct Problem {
    int line = 0;      // 0: not known
    std::string path;  // "steps[1].retry.attempts"; empty: the whole
    std::string what;

    bool operator==(const Problem&) const = default;
};

// What was found wrong, in the order it was found. Readers note it and go on with a default, so
// that reading code stays a straight line. Past the limit nothing more is kept: what follows a
// broken beginning is noise.
class Problems {
public:
    static constexpr std::size_t kept_max = 20;

    // `stored`: the text is read back from the database, where a reader takes what earlier releases
    // took.
    explicit Problems(bool stored = false) : stored_(stored) {}

    bool stored() const { return stored_; }
    void add(int line, std::string_view path, std::string_view what);
    bool any() const { return !found_.empty(); }
    bool full() const { return found_.size() == kept_max; }
    Error first() const;
    const std::vector<Problem>& all() const { return found_; }

private:
    bool stored_;
    std::vector<Problem> found_;
};

// Everything that is wrong with a definition, sorted by line; empty when parse_definition takes it.
std::vector<Problem> definition_problems(std::string_view text, DefinitionLimits limits = {});

}  // namespace pawl
