#include "plan/judge.hpp"

#include "model/person_root.hpp"

#include <algorithm>

namespace pawl::plan {

namespace {

// The part of a path that names something. What lies below is data, which may be there or not: a
// field that the input or an item leaves out counts as null.
Path name_in(const Path& path) {
    const std::string& root = path[0].key;
    const std::size_t parts = root == "steps" || root == "run" ? 2 : 1;
    const auto length = static_cast<std::ptrdiff_t>(std::min(parts, path.size()));
    return {path.begin(), path.begin() + length};
}

// What a step left is what the definition counts on: a field that is not there is a mistake.
bool is_of_result(const Path& path, const PathLookup& lookup) {
    static constexpr std::string_view others[] = {
        "input", "run", "item", "index", "outer", "error", "undo", person_root};
    const std::string& root = path[0].key;
    if (root == "steps") return path.size() > 2 && path[2].key == "result";
    if (std::find(std::begin(others), std::end(others), root) != std::end(others)) return false;
    const Path of_input{PathSegment{"input"}, path[0]};
    return lookup(of_input) != lookup({path[0]});
}

Judgement compare(const Comparison& comparison, const PathLookup& lookup) {
    const bool asks = comparison.op == Operator::exists || comparison.op == Operator::not_exists;
    if (!asks && !comparison.path.empty()) {
        const bool named = lookup(name_in(comparison.path)) != nullptr;
        const bool there =
            named && (!is_of_result(comparison.path, lookup) || lookup(comparison.path) != nullptr);
        if (!there) return {std::nullopt, comparison.path_text};
    }
    return {evaluate(Condition{comparison}, lookup), {}};
}

// Stops where one of them settles it.
Judgement judge_parts(const std::vector<Condition>& parts, const PathLookup& lookup, bool settles) {
    for (const Condition& part : parts) {
        Judgement one = judge(part, lookup);
        if (!one.holds || *one.holds == settles) return one;
    }
    return {!settles, {}};
}

}  // namespace

Judgement judge(const Condition& condition, const PathLookup& lookup) {
    if (const auto* test = std::get_if<Comparison>(&condition.test)) return compare(*test, lookup);
    if (const auto* all = std::get_if<AllOf>(&condition.test)) {
        return judge_parts(all->parts, lookup, false);
    }
    if (const auto* any = std::get_if<AnyOf>(&condition.test)) {
        return judge_parts(any->parts, lookup, true);
    }
    if (const auto* negation = std::get_if<Negation>(&condition.test)) {
        Judgement inner = judge(negation->parts.at(0), lookup);
        if (inner.holds) inner.holds = !*inner.holds;
        return inner;
    }
    return {evaluate(condition, lookup), {}};
}

}  // namespace pawl::plan
