#include "model/json_changes.hpp"

#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl {

namespace {

// What a number is written as does not matter: 1 and 1.0 are the same.
bool same(const json::value& a, const json::value& b) {
    if (a == b) return true;
    if (!a.is_number() || !b.is_number()) return false;
    return a.to_number<double>() == b.to_number<double>();
}

class Comparer {
public:
    explicit Comparer(bool parts) : parts_(parts) {}

    std::vector<FieldChange> take() && { return std::move(changes_); }

    void compare(const std::string& path, const json::value* before, const json::value* after) {
        if (before != nullptr && after != nullptr) {
            if (same(*before, *after)) return;
            if (before->is_object() && after->is_object()) {
                return compare_maps(path, before->get_object(), after->get_object());
            }
            if (before->is_array() && after->is_array() &&
                before->get_array().size() == after->get_array().size()) {
                return compare_lists(path, before->get_array(), after->get_array());
            }
        }
        FieldChange change{path, std::nullopt, std::nullopt};
        if (before != nullptr) change.before = *before;
        if (after != nullptr) change.after = *after;
        changes_.push_back(std::move(change));
    }

private:
    void compare_maps(
        const std::string& path, const json::object& before, const json::object& after
    ) {
        const auto below = [&](std::string_view key) {
            return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
        };
        for (const auto& [key, value] : before) {
            compare(below(key), &value, after.if_contains(key));
        }
        for (const auto& [key, value] : after) {
            if (!parts_ && !before.contains(key)) compare(below(key), nullptr, &value);
        }
    }

    void compare_lists(
        const std::string& path, const json::array& before, const json::array& after
    ) {
        for (std::size_t i = 0; i < before.size(); ++i) {
            compare(fmt::format("{}[{}]", path, i), &before[i], &after[i]);
        }
    }

    bool parts_;
    std::vector<FieldChange> changes_;
};

std::vector<FieldChange> compare(const json::value& before, const json::value& after, bool parts) {
    Comparer comparer(parts);
    comparer.compare("", &before, &after);
    return std::move(comparer).take();
}

}  // namespace

std::vector<FieldChange> json_changes(const json::value& before, const json::value& after) {
    return compare(before, after, false);
}

std::vector<FieldChange> json_missing(const json::value& wanted, const json::value& whole) {
    return compare(wanted, whole, true);
}

}  // namespace pawl
