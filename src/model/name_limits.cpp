#include "model/name_limits.hpp"

#include "model/template.hpp"

#include <fmt/core.h>

#include <initializer_list>

namespace pawl {

namespace {

class Check {
public:
    explicit Check(Names names) : names_(names) {}

    std::string fields(
        const boost::json::object& config, std::initializer_list<std::string_view> fields
    ) const {
        for (const std::string_view name : fields) {
            const auto* value = config.if_contains(name);
            if (value == nullptr) continue;
            if (auto problem = field(name, *value); !problem.empty()) return problem;
        }
        return "";
    }

    std::string list(
        const boost::json::object& config,
        std::string_view name,
        std::initializer_list<std::string_view> parts
    ) const {
        const auto* found = config.if_contains(name);
        const auto* items = found == nullptr ? nullptr : found->if_array();
        if (items == nullptr) {
            // One name may stand for a list of one.
            return found != nullptr && found->is_string() ? field(name, *found) : "";
        }
        for (const auto& item : *items) {
            const auto* object = item.if_object();
            auto problem = object == nullptr ? field(name, item) : fields(*object, parts);
            if (!problem.empty()) return problem;
        }
        return "";
    }

private:
    std::string field(std::string_view name, const boost::json::value& value) const {
        const auto* text = value.if_string();
        if (text != nullptr && text->size() <= name_bytes_max) return "";
        if (names_ == Names::written && has_placeholder(value)) return "";
        if (text != nullptr) return name_problem(name, std::string_view(*text));
        if (!value.is_structured()) return "";
        std::string shown;
        append_text(shown, value);
        return name_problem(name, shown);
    }

    Names names_;
};

}  // namespace

std::string name_problem(std::string_view field, std::string_view name, std::size_t bytes_max) {
    if (name.size() <= bytes_max) return "";
    return fmt::format("{} has {} bytes; at most {} are possible", field, name.size(), bytes_max);
}

std::string name_problem(NodeType type, const boost::json::object& config, Names names) {
    const Check check(names);
    switch (type) {
        case NodeType::human: {
            auto problem = check.fields(config, {"assignee", "group", "escalate_to"});
            if (problem.empty()) problem = check.list(config, "approvers", {});
            if (problem.empty()) problem = check.list(config, "exclude", {});
            return problem.empty() ? check.list(config, "escalate", {"to"}) : problem;
        }
        case NodeType::wait: {
            auto problem = check.fields(config, {"event", "signal", "key"});
            return problem.empty() ? check.list(config, "events", {"event", "key"}) : problem;
        }
        case NodeType::goal:
        case NodeType::emit: return check.fields(config, {"event", "key"});
        case NodeType::lock:
        case NodeType::unlock: return check.fields(config, {"key"});
        case NodeType::call:
        case NodeType::foreach_: return check.fields(config, {"subject"});
        default: return "";
    }
}

}  // namespace pawl
