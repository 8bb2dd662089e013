#include "model/problems.hpp"

#include "model/document.hpp"

#include <algorithm>

namespace pawl {

namespace {

bool is_within(std::string_view path, std::string_view outer) {
    if (outer.empty() || !path.starts_with(outer)) return path == outer;
    return path.size() == outer.size() || path[outer.size()] == '.' || path[outer.size()] == '[';
}

}  // namespace

void Problems::add(int line, std::string_view path, std::string_view what) {
    if (full()) return;
    // Once a value is wrong, what is said later of it or of the whole that it belongs to mostly
    // follows from that.
    const bool follows = std::any_of(found_.begin(), found_.end(), [&](const Problem& earlier) {
        return is_within(earlier.path, path);
    });
    if (!follows) found_.push_back({line, std::string(path), std::string(what)});
}

Error Problems::first() const {
    const Problem& problem = found_.front();
    return error_at(problem.line, problem.path, problem.what);
}

}  // namespace pawl
