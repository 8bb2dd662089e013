#include "api/http/router.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

std::vector<std::string> split(std::string_view pattern) {
    std::vector<std::string> segments;
    while (!pattern.empty()) {
        pattern.remove_prefix(1);  // the slash
        const std::size_t end = std::min(pattern.find('/'), pattern.size());
        segments.emplace_back(pattern.substr(0, end));
        pattern.remove_prefix(end);
    }
    return segments;
}

bool is_name(const std::string& segment) {
    return segment.starts_with('{');
}

// Where routes that may fit are kept: most differ in their second segment ("/v1/runs/…").
std::string key_of(const std::vector<std::string>& segments) {
    const std::string second = segments.size() > 1 ? segments[1] : std::string();
    return std::to_string(segments.size()) + '/' + second;
}

// How well a pattern fits: the number of literal segments, or nothing.
std::optional<std::size_t> fit(
    const std::vector<std::string>& pattern, const std::vector<std::string>& segments
) {
    if (pattern.size() != segments.size()) return std::nullopt;
    std::size_t literal = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (is_name(pattern[i])) {
            if (segments[i].empty()) return std::nullopt;
        } else if (pattern[i] == segments[i]) {
            ++literal;
        } else {
            return std::nullopt;
        }
    }
    return literal;
}

}  // namespace

void Router::add(Route route) {
    for (const Route& known : routes_) {
        PAWL_ASSERT(known.method != route.method || known.pattern != route.pattern);
    }
    patterns_.push_back(split(route.pattern));
    const auto& pattern = patterns_.back();
    const bool named = pattern.size() > 1 && is_name(pattern[1]);
    (named ? named_ : by_key_[key_of(pattern)]).push_back(routes_.size());
    routes_.push_back(std::move(route));
}

Match Router::match(std::string_view method, const std::vector<std::string>& segments) const {
    const std::string_view wanted = method == "HEAD" ? std::string_view("GET") : method;
    Match match;
    std::optional<std::size_t> best;
    std::size_t best_index = 0;
    std::size_t allowed_fit = 0;
    const auto look_at = [&](std::size_t i) {
        const auto found = fit(patterns_[i], segments);
        if (!found) return;
        if (*found > allowed_fit) match.allowed.clear();
        if (*found >= allowed_fit) {
            allowed_fit = *found;
            match.allowed.push_back(routes_[i].method);
            match.other = &routes_[i];
        }
        if (routes_[i].method != wanted || (best && *found <= *best)) return;
        best = found;
        best_index = i;
    };
    if (const auto keyed = by_key_.find(key_of(segments)); keyed != by_key_.end()) {
        std::ranges::for_each(keyed->second, look_at);
    }
    std::ranges::for_each(named_, look_at);
    if (!best) return match;
    match.route = &routes_[best_index];
    const auto& pattern = patterns_[best_index];
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (is_name(pattern[i])) match.params.push_back(segments[i]);
    }
    return match;
}

}  // namespace pawl::api
