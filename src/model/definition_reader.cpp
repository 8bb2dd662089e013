#include "base/json.hpp"
#include "model/definition.hpp"
#include "model/definition_graph.hpp"
#include "model/document.hpp"
#include "model/fields.hpp"
#include "model/flow_reader.hpp"
#include "model/input_schema.hpp"
#include "model/journey_reader.hpp"
#include "model/node_reader.hpp"
#include "model/publish_entries.hpp"
#include "model/semantic_version.hpp"
#include "model/suggest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>

namespace pawl {

namespace {

constexpr std::int64_t seconds_max = 366LL * 24 * 3600;

// A plain number is a column of a definitions table: the store counts by itself.
void read_label(Fields& fields, Definition& definition) {
    const Document* version = fields.take("version");
    if (version == nullptr) return;
    const std::string_view text = version->text();
    if (is_semantic_version(text)) {
        definition.label = text;
    } else if (version->is_text() ? text.find_first_not_of("0123456789") != text.npos
                                  : !version->scalar.is_number() || version->scalar.is_double()) {
        fields.wrong("version", "must be a semantic version such as 1.2.0");
    }
}

void read_head(Fields& fields, Definition& definition) {
    definition.name = fields.text("name").value_or("");
    if (definition.name.empty()) {
        fields.wrong("name", "is missing: a workflow needs a name");
    } else if (!is_identifier(definition.name, true)) {
        fields.wrong(
            "name",
            "must start with a letter (a-z, A-Z) or _ and hold only such "
            "letters, digits, _, - and . (100 at most)"
        );
    }
    definition.description = fields.text("description").value_or("");
    definition.timeout = fields.positive_duration("timeout");
    const auto seconds = fields.whole("timeout_seconds", {1, seconds_max});
    if (seconds && definition.timeout) {
        fields.wrong("timeout_seconds", "is given beside timeout: keep one of them");
    } else if (seconds) {
        definition.timeout = std::chrono::seconds(*seconds);
    }
    read_label(fields, definition);
    if (const Document* person = fields.take("person")) {
        const bool flag = person->kind == Document::Kind::scalar && person->scalar.is_bool();
        if (!flag) fields.wrong("person", "must be true or false");
        definition.person = flag && person->scalar.get_bool();
    }
    // For editors, which keep it beside the versions (layout_of).
    if (const Document* layout = fields.take("layout")) {
        if (layout->kind != Document::Kind::map) fields.wrong("layout", "must be an object");
    }
    // Columns of a definitions table, exported with the rest: the store keeps its own.
    for (std::string_view key : {"id", "active", "created_by", "created_at", "updated_at"}) {
        fields.take(key);
    }
}

void read_required_fields(Fields& fields, DefinitionLimits limits, Definition& definition) {
    const Document* list = fields.take("required_fields");
    if (list == nullptr) return;
    if (list->kind != Document::Kind::list) {
        fields.wrong("required_fields", "must be a list of field names");
        return;
    }
    if (list->items.size() > limits.required_fields_max) {
        fields.wrong(
            "required_fields", fmt::format("may hold {} at most", limits.required_fields_max)
        );
        return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
        const Document& item = list->items[i];
        if (item.text().empty()) {
            fields.problems().add(
                item.line, fmt::format("required_fields[{}]", i), "must be a field name"
            );
        }
        definition.required_fields.emplace_back(item.text());
    }
}

void read_input_schema(Fields& fields, Reading reading, Definition& definition) {
    const Document* given = fields.take("input_schema");
    if (given == nullptr) return;
    definition.input_schema = to_json(*given);
    // One that is stored was understood in its day.
    if (reading == Reading::stored) return;
    if (given->kind != Document::Kind::map) {
        fields.wrong("input_schema", "must be a JSON Schema, such as {properties: {...}}");
        return;
    }
    const auto known = check_input_schema(definition.input_schema);
    if (!known) fields.wrong("input_schema", known.error().message);
}

// Three whole numbers with dots between them.
bool is_code_version(std::string_view text) {
    int parts = 0;
    while (parts < 3) {
        const std::size_t end = std::min(text.find('.'), text.size());
        const std::string_view part = text.substr(0, end);
        const bool digits =
            std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (part.empty() || part.size() > 9 || !digits) return false;
        ++parts;
        if (end == text.size()) return parts == 3;
        text.remove_prefix(end + 1);
    }
    return false;
}

void read_code(Fields& fields, Definition& definition) {
    definition.code = fields.text("code").value_or("");
    if (definition.code.empty() || is_code_version(definition.code)) return;
    fields.wrong("code", "must be the version of a C++ workflow, such as 1.0.0");
}

NodeDefaults read_defaults(Fields& fields) {
    NodeDefaults defaults;
    if (const auto seconds = fields.whole("visibility_timeout", {1, seconds_max})) {
        defaults.timeout = std::chrono::seconds(*seconds);
    }
    if (const auto retries = fields.whole("max_retries", {0, 99})) {
        defaults.max_retries = static_cast<int>(*retries);
        defaults.retry.attempts = defaults.max_retries + 1;
    }
    if (const Document* retry = fields.take("retry")) {
        defaults.retry_given = true;
        read_retry(Fields(*retry, "retry", fields.problems()), defaults.retry, defaults.ambiguous);
    }
    return defaults;
}

// A line: each step leads to the one after it.
void connect_line(Definition& definition) {
    for (std::size_t i = 1; i < definition.nodes.size(); ++i) {
        const auto to = static_cast<NodeIndex>(i);
        definition.edges.push_back({to - 1, to, "default", nullptr});
    }
}

std::string hint_for(std::string_view id, const std::vector<std::string_view>& ids) {
    std::string similar = suggest(id, ids);
    return similar.empty() ? ": add it, or lead the edge to another one" : similar;
}

void read_edges(const Document& list, Problems& problems, Definition& definition) {
    if (list.kind != Document::Kind::list) {
        problems.add(list.line, "edges", "must be a list of {from, to, handle}");
        return;
    }
    std::vector<std::string_view> ids;
    std::unordered_map<std::string_view, NodeIndex> index;
    for (const Node& node : definition.nodes) {
        index.emplace(node.id, static_cast<NodeIndex>(ids.size()));
        ids.push_back(node.id);
    }
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        Fields fields(list.items[i], fmt::format("edges[{}]", i), problems);
        const auto end = [&](std::string_view key) -> NodeIndex {
            const std::string id = fields.text(key).value_or("");
            const auto found = index.find(id);
            if (found != index.end()) return found->second;
            fields.wrong(
                key,
                id.empty() ? "must name a node"
                           : fmt::format("there is no node '{}'{}", id, hint_for(id, ids))
            );
            return 0;
        };
        Edge edge{end("from"), end("to"), fields.text("handle").value_or("default"), nullptr};
        if (!is_identifier(edge.handle, true)) {
            fields.wrong("handle", "must be a name such as default");
        }
        edge.when = read_condition(fields, "when");
        fields.finish();
        definition.edges.push_back(std::move(edge));
    }
}

GraphSource read_graph(
    Fields& fields, const NodeDefaults& defaults, DefinitionLimits limits, Definition& definition
) {
    Problems& problems = fields.problems();
    const Document* steps = fields.take("steps");
    const Document* nodes = fields.take("nodes");
    const Document* edges = fields.take("edges");
    GraphSource source{
        steps != nullptr ? steps : nodes, steps != nullptr ? "steps" : "nodes", edges};
    fields.finish();
    if (steps != nullptr && (nodes != nullptr || edges != nullptr)) {
        fields.wrong("steps", "stands for a line of steps: use it without nodes and edges");
    }
    if (source.nodes == nullptr) {
        fields.wrong("has no steps: give either steps, or nodes and edges");
        return source;
    }
    const auto& list = *source.nodes;
    if (list.kind != Document::Kind::list || list.items.empty()) {
        fields.wrong(source.nodes_key, "must be a list of at least one");
        return source;
    }
    if (list.items.size() > limits.nodes_max) {
        fields.wrong(source.nodes_key, fmt::format("may hold {} at most", limits.nodes_max));
        return source;
    }
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        std::string path = fmt::format("{}[{}]", source.nodes_key, i);
        definition.nodes.push_back(read_node(list.items[i], std::move(path), defaults, problems));
    }
    if (edges != nullptr) {
        read_edges(*edges, problems, definition);
    } else if (steps != nullptr && !defaults.planned) {
        connect_line(definition);
    }
    if (defaults.planned && !definition.edges.empty()) {
        fields.wrong("edges", "must be left out: the plan of a code workflow says what comes next");
    }
    return source;
}

// People know their steps by name, not by number: whatever is wrong with one says which it is.
Problems with_names(const Problems& found, std::string_view nodes_key, const Definition& read) {
    Problems named;
    for (const Problem& problem : found.all()) {
        std::string what = problem.what;
        std::string_view rest = problem.path;
        std::size_t index = 0;
        if (rest.starts_with(nodes_key) && rest.substr(nodes_key.size()).starts_with("[")) {
            rest.remove_prefix(nodes_key.size() + 1);
            const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), index);
            const bool known = end.ec == std::errc() && index < read.nodes.size();
            const std::string id = known ? read.nodes[index].id : "";
            const bool said = what.find(fmt::format("'{}'", id)) != std::string::npos;
            if (is_identifier(id) && !said) what += fmt::format(" (in '{}')", id);
        }
        named.add(problem.line, problem.path, what);
    }
    return named;
}

Result<Definition> read_definition(
    const Document& document, DefinitionLimits limits, Reading reading, Problems& problems
) {
    Definition definition;
    Fields fields(document, "", problems);
    if (problems.any()) return problems.first();
    read_head(fields, definition);
    read_required_fields(fields, limits, definition);
    read_input_schema(fields, reading, definition);
    read_entries(fields, definition);
    read_code(fields, definition);
    if (definition.holdout > 0 && !definition.code.empty()) {
        fields.wrong("holdout", "is for workflows with edges: a plan decides by itself");
    }
    NodeDefaults defaults = read_defaults(fields);
    defaults.planned = !definition.code.empty();
    defaults.stored = reading == Reading::stored;
    const GraphSource source = read_graph(fields, defaults, limits, definition);
    note_person(definition);
    check_graph(definition, source, limits, reading, problems);
    if (reading == Reading::published && !problems.any()) {
        check_entries(definition, document, problems);
    }
    if (problems.any()) {
        problems = with_names(problems, source.nodes_key, definition);
        return problems.first();
    }
    return definition;
}

}  // namespace

Result<Definition> parse_definition(std::string_view text, DefinitionLimits limits) {
    auto document = read_document(text, limits);
    if (!document) return document.error();
    Problems problems;
    return read_definition(*document, limits, Reading::published, problems);
}

std::vector<Problem> definition_problems(std::string_view text, DefinitionLimits limits) {
    const auto document = read_document(text, limits);
    if (!document) return {problem_of(document.error())};
    Problems problems;
    read_definition(*document, limits, Reading::published, problems);
    auto found = problems.all();
    const auto by_line = [](const Problem& a, const Problem& b) { return a.line < b.line; };
    std::stable_sort(found.begin(), found.end(), by_line);
    return found;
}

Result<Definition> definition_from_json(const json::value& value) {
    Problems problems(true);
    // What is stored was within the limits of its day, and its runs go on.
    DefinitionLimits limits;
    limits.placeholders_max = std::numeric_limits<std::size_t>::max();
    limits.required_fields_max = limits.placeholders_max;
    return read_definition(document_from_json(value), limits, Reading::stored, problems);
}

}  // namespace pawl
