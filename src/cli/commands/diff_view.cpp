#include "cli/commands/diff_view.hpp"

#include "base/json.hpp"
#include "cli/terminal/columns.hpp"
#include "cli/terminal/console.hpp"
#include "cli/terminal/pretty_json.hpp"

#include <boost/json/object.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

std::string text_of(const json::object& object, std::string_view key) {
    const json::value* value = object.if_contains(key);
    return value == nullptr || !value->is_string() ? "" : std::string(value->get_string());
}

std::string edge_text(const json::object& edge) {
    std::string text = fmt::format("{} → {}", text_of(edge, "from"), text_of(edge, "to"));
    const std::string handle = text_of(edge, "handle");
    if (handle != "default") text += fmt::format(" [{}]", handle);
    if (const json::value* when = edge.if_contains("when")) {
        text += fmt::format(" when {}", compact(*when));
    }
    return text;
}

class Printer {
public:
    explicit Printer(const Globals& globals) : globals_(globals) {}

    void print(const std::string& title, const DefinitionDiff& diff) {
        line(Color::bold, title);
        fields("  ", diff.settings);
        for (const auto& node : diff.nodes_removed) this->node("  - ", Color::red, node);
        for (const auto& node : diff.nodes_added) this->node("  + ", Color::green, node);
        for (const NodeChange& node : diff.nodes_changed) {
            line(Color::yellow, fmt::format("  ~ node {}", node.id));
            fields("      ", node.fields);
        }
        for (const auto& edge : diff.edges_removed) {
            line(Color::red, "  - edge " + edge_text(edge));
        }
        for (const auto& edge : diff.edges_added) {
            line(Color::green, "  + edge " + edge_text(edge));
        }
    }

private:
    void line(Color color, std::string_view text) {
        print_line(tint_for_stdout(globals_, printable(text), color));
    }

    void node(std::string_view mark, Color color, const json::object& node) {
        line(
            color, fmt::format("{}node {} ({})", mark, text_of(node, "id"), text_of(node, "type"))
        );
    }

    void fields(std::string_view indent, const std::vector<FieldChange>& changes) {
        for (const FieldChange& change : changes) {
            const auto side = [&](char mark, Color color, const json::value& value) {
                line(color, fmt::format("{}{} {}: {}", indent, mark, change.path, compact(value)));
            };
            if (change.before) side('-', Color::red, *change.before);
            if (change.after) side('+', Color::green, *change.after);
        }
    }

    const Globals& globals_;
};

}  // namespace

void print_diff(const Globals& globals, const std::string& title, const DefinitionDiff& diff) {
    Printer(globals).print(title, diff);
}

}  // namespace pawl::cli
