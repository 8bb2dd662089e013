#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace pawl {

// What is missing, each name once, in the order in which it was found. A definition may ask for
// thousands of names: text() shows the first ones, and how many more there are.
class MissingNames {
public:
    static constexpr std::size_t shown_max = 20;

    void add(std::string_view name);
    bool empty() const { return seen_.empty(); }
    // The first ones; a long one is cut.
    const std::vector<std::string>& shown() const { return shown_; }
    // "a, b and 3 more"
    std::string text() const;

private:
    std::unordered_set<std::string> seen_;
    std::vector<std::string> shown_;
};

}  // namespace pawl
