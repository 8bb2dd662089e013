#include "model/shared_pattern.hpp"

#include "base/cut_text.hpp"
#include "model/pattern.hpp"

#include <fmt/core.h>
#include <re2/re2.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace pawl {

namespace {

// A character or the end of a group, with how often it is repeated; or a place between them.
// Neither knows the other's escapes of letters, but for these. As pawl.pattern_piece has it.
std::string piece() {
    const std::string escape = R"(\\[tnrfv]|\\[ -/:-@[-^`{-~])";
    const std::string listed = R"((?:[^][\\\x01-\x1f-]|)" + escape + ")";
    const std::string classes = "alnum|alpha|digit|lower|punct|space|upper|xdigit";
    const std::string list = R"(\[\^?(?:-|-?(?:\[:(?:)" + classes + R"():\]|\\[dws]|)" + listed +
                             "(?:-" + listed + R"()?)+-?)\])";
    const std::string atom =
        R"(\\[dDwWsS]|)" + escape + "|" + list + R"(|[^][\\^$|?*+(){\x01-\x1f]|]|\))";
    // With a zero before it, RE2 takes a count for text.
    const std::string count = "(?:0|[1-9][0-9]{0,2})";
    return "(" + atom + R"()([*+?]\??|\{)" + count + "(?:,(?:" + count +
           R"()?)?\}\??)?|\((?:\?:)?|[|^$])";
}

struct Expressions {
    const RE2 token{piece()};
    const RE2 counts{R"(\{([0-9]+)(,?)([0-9]*)\}\??)"};
    const RE2 range{"[!-~]-[!-~]"};
    const RE2 several{R"(\\[dws])"};
};

constexpr int count_max = 255;        // Postgres has no more
constexpr int weight_max = 950;       // stays below what Pattern takes
constexpr int weight_known = 10'000;  // what is above is not counted on
constexpr int ties_max = 8;           // ^ and $
constexpr int too_many_ties = 100;

// At least how many instructions one of it takes.
int weight_of(std::string atom, const Expressions& known) {
    if (atom == "." || atom == "\\D" || atom == "\\W" || atom == "\\S") return 12;
    if (atom.starts_with("\\")) return 4;
    if (!atom.starts_with("[")) return static_cast<int>(atom.size());
    const bool negated = atom.starts_with("[^");
    atom = atom.substr(1, atom.size() - 2);
    RE2::GlobalReplace(&atom, known.several, "xxxx");
    RE2::GlobalReplace(&atom, known.range, "x");
    const bool ascii = std::all_of(atom.begin(), atom.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
    const int length = static_cast<int>(atom.size());
    return length * (ascii ? 1 : 2) + (!negated ? 0 : ascii ? 6 : 10);
}

// How often `written` repeats at most; 0: that is nothing both know.
int times_of(const std::string& written, const Expressions& known) {
    if (written.empty() || !written.starts_with("{")) return 1;
    int least = 0;
    std::string comma, most;
    RE2::FullMatch(written, known.counts, &least, &comma, &most);
    const int last = most.empty() ? least + (comma.empty() ? 0 : 1) : std::stoi(most);
    if (last > count_max || last < least) return 0;
    return std::max(last, 1);
}

// How many ^ and $ each open group has. One in a group that is repeated counts as too many:
// Postgres may take hours to read it.
class Ties {
public:
    void add(std::string_view piece, bool repeated) {
        if (piece == "^" || piece == "$") {
            ++open_.back();
        } else if (piece.starts_with('(')) {
            open_.push_back(0);
        } else if (piece.starts_with(')') && open_.size() > 1) {
            const int inside = open_.back();
            open_.pop_back();
            open_.back() += repeated && inside > 0 ? too_many_ties : inside;
        }
    }
    int count() const { return std::accumulate(open_.begin(), open_.end(), 0); }

private:
    std::vector<int> open_{0};
};

Error not_shared(std::string_view rest) {
    return {
        Errc::invalid,
        fmt::format(
            "is not understood from '{}' on: only what the engine and the database read alike "
            "is, which is letters, . [a-z] [^a-z] (a|b) ^ $ * + ? {{2,5}} \\d \\w \\s and \\ "
            "before a sign",
            cut_text(rest, 40)
        ),
        {}};
}

}  // namespace

Result<void> check_shared_pattern(std::string_view text) {
    static const Expressions known;
    if (text.size() > Pattern::length_max) {
        return Error{
            Errc::too_large,
            fmt::format("has {} bytes; at most {} are allowed", text.size(), Pattern::length_max),
            {}};
    }
    re2::StringPiece rest(text.data(), text.size());
    int weight = 0, groups = 1;
    Ties ties;
    while (!rest.empty()) {
        const std::string_view before(rest.data(), rest.size());
        std::string atom, repeated;
        if (!RE2::Consume(&rest, known.token, &atom, &repeated)) return not_shared(before);
        const int times = times_of(repeated, known);
        // There, ] would be the first of a list that goes on.
        if (times == 0 || atom == "[^]") return not_shared(before);
        ties.add(
            before.substr(0, before.size() - rest.size()),
            times > 1 || repeated.starts_with('*') || repeated.starts_with('+')
        );
        if (atom == ")") {
            groups = std::min(groups * times, weight_known);
        } else {
            weight += (weight_of(atom, known) + 1) * times + 1;
        }
    }
    if (weight * groups > weight_max) {
        return Error{Errc::too_large, "repeats too much: use smaller counts", {}};
    }
    if (ties.count() > ties_max) {
        return Error{
            Errc::too_large,
            "may have ^ and $ 8 times at most, and not in a group that is repeated",
            {}};
    }
    auto compiled = Pattern::compile(text);
    if (!compiled) return compiled.error();
    return {};
}

}  // namespace pawl
