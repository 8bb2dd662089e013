#pragma once

#include "base/error.hpp"

#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace pawl {

// A regular expression that strangers may write: matched in time linear in the text, with bounded
// memory and no recursion (RE2, so no back-references and no look-around). A copy is cheap; many
// threads may use one at once.
class Pattern {
public:
    // Refuses patterns over `length_max` bytes, and those that grow too large when compiled.
    static Result<Pattern> compile(std::string_view text);
    static constexpr std::size_t length_max = 200;
    // Linear is not enough: the worst pattern takes some 7 us for each byte. What is beyond is not
    // looked at, so that one match never holds a worker for longer than about half a second.
    static constexpr std::size_t text_max = 64 << 10;

    // Whether it matches somewhere in the first `text_max` bytes, or a few less so that the last
    // character is whole; ^ and $ tie it to their ends.
    bool found_in(std::string_view text) const;

private:
    explicit Pattern(std::shared_ptr<const re2::RE2> regex) : regex_(std::move(regex)) {}

    std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace pawl
