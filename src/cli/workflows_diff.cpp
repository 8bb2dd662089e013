#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/database.hpp"
#include "cli/definitions.hpp"
#include "cli/pretty_json.hpp"
#include "cli/text.hpp"
#include "model/definition_diff.hpp"

#include <boost/json/array.hpp>
#include <fmt/core.h>

namespace pawl::cli {

namespace {

// One definition against the published one.
struct Compared {
    std::string file;
    std::string name;
    std::optional<std::int32_t> version;  // none: it is not published yet
    DefinitionDiff diff;
};

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

    void print(const Compared& compared) {
        line(
            Color::bold,
            compared.version
                ? fmt::format("{} v{} → {}", compared.name, *compared.version, compared.file)
                : fmt::format("{} is new → {}", compared.name, compared.file)
        );
        const DefinitionDiff& diff = compared.diff;
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

json::object to_json(const Compared& compared) {
    json::object item{{"name", compared.name}, {"file", compared.file}};
    item["version"] = compared.version ? json::value(*compared.version) : json::value();
    item["same"] = compared.version && compared.diff.empty();
    item["diff"] = to_json(compared.diff);
    return item;
}

asio::awaitable<int> compare(
    store::PgStore& store,
    store::Tenant tenant,
    const Globals& globals,
    const std::vector<DefinitionFile>& files
) {
    json::array list;
    bool same = true;
    for (const auto& [file, definition] : files) {
        Compared compared{file, definition.name, std::nullopt, {}};
        const auto published = co_await store.find_workflow(tenant.id, definition.name);
        Definition before;
        if (published) {
            auto read = definition_from_json(published->definition);
            if (!read) co_return report(globals, read.error());
            before = std::move(*read);
            compared.version = published->version;
        } else {
            before.name = definition.name;
        }
        compared.diff = diff(before, definition);
        const bool equal = compared.version && compared.diff.empty();
        same = same && equal;
        list.push_back(to_json(compared));
        if (globals.machine()) continue;
        if (equal) {
            say(globals, fmt::format("{} is the same as v{}", file, *compared.version));
        } else {
            Printer(globals).print(compared);
        }
    }
    if (globals.machine()) print_json_list(globals, list);
    co_return same ? exit_ok : exit_error;
}

}  // namespace

int run_workflows_diff(const WorkflowsDiffOptions& options) {
    const auto files = read_definitions(options.files);
    if (!files) return report(options.globals, files.error());
    if (files->empty()) {
        return report(
            options.globals, {Errc::invalid, "there is no *.yaml, *.yml or *.json in there", {}}
        );
    }
    return with_store(options.globals, [&](store::PgStore& store, store::Tenant tenant) {
        return compare(store, tenant, options.globals, *files);
    });
}

}  // namespace pawl::cli
