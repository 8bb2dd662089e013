#include "api/ui/docs_page.hpp"

#include "api/ui/docs_parts.hpp"
#include "base/exact_json.hpp"
#include "base/html.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

namespace pawl::api {

namespace {

constexpr std::string_view styles = R"(
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 0; display: flex; }
  nav { width: 17rem; height: 100vh; overflow: auto; position: sticky; top: 0; padding: 1rem;
    box-sizing: border-box; border-right: 1px solid #8884; flex: none; }
  nav ul { list-style: none; padding: 0; margin: .2rem 0 1rem; font-size: .87rem; }
  main { padding: 1rem 2rem 4rem; max-width: 62rem; min-width: 0; }
  section { border-top: 1px solid #8884; margin-top: 2rem; }
  code, pre { font: .87rem/1.45 ui-monospace, monospace; }
  pre { background: #8881; padding: .7rem; overflow: auto; border-radius: 4px; }
  table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .92rem; }
  td, th { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
    border-bottom: 1px solid #8883; }
  .note { opacity: .72; font-size: .85rem; }
  .method { font-weight: 700; text-transform: uppercase; margin-right: .5rem; }
  a { color: #1a5fb4; } @media (prefers-color-scheme: dark) { a { color: #8ab4f8; } }
  @media (max-width: 50rem) { body { display: block; } nav { width: auto; height: auto;
    position: static; } main { padding: 1rem; } }
)";

struct Operation {
    std::string method;
    std::string path;
    const json::value* object;
    const json::value* shared;  // parameters of all methods of the path; may be null
};

std::string id_of(const Operation& operation) {
    return escape_html(text_in(*operation.object, "operationId"));
}

// In the order of the document, by tag.
std::map<std::string, std::vector<Operation>> by_tag(const json::object& openapi) {
    static constexpr std::array<std::string_view, 5> methods{
        "get", "post", "put", "patch", "delete"};
    std::map<std::string, std::vector<Operation>> tags;
    for (const auto& [path, item] : openapi.at("paths").as_object()) {
        for (const std::string_view method : methods) {
            const json::value* object = find(item, method);
            if (object == nullptr) continue;
            const json::value* names = find(*object, "tags");
            const bool tagged =
                names != nullptr && names->is_array() && !names->get_array().empty();
            const std::string tag =
                tagged ? std::string(names->get_array().front().as_string()) : "service";
            tags[tag].push_back(
                {std::string(method), std::string(path), object, find(item, "parameters")}
            );
        }
    }
    return tags;
}

class DocsWriter {
public:
    DocsWriter(const json::object& openapi, const std::string& server)
        : openapi_(openapi), server_(server) {}

    std::string nav;
    std::string main;

    void write() {
        const auto tags = by_tag(openapi_);
        for (const json::value& tag : openapi_.at("tags").as_array()) {
            const std::string name(text_in(tag, "name"));
            const auto found = tags.find(name);
            if (found == tags.end()) continue;
            nav += fmt::format("<strong>{}</strong>\n<ul>\n", escape_html(name));
            main += fmt::format(
                "<h2>{}</h2>\n{}", escape_html(name), prose(text_in(tag, "description"))
            );
            for (const Operation& operation : found->second) write(operation);
            nav += "</ul>\n";
        }
        schemas();
    }

private:
    void write(const Operation& operation) {
        const json::value& object = *operation.object;
        const std::string id = id_of(operation);
        nav += fmt::format(
            "<li><a href=\"#{}\">{}</a></li>\n", id, escape_html(text_in(object, "summary"))
        );
        main += fmt::format(
            "<section id=\"{}\">\n<h3>{}</h3>\n<p><code><span class=\"method\">{}</span>{}</code> "
            "<span class=\"note\">scope {}</span></p>\n{}",
            id,
            escape_html(text_in(object, "summary")),
            operation.method,
            escape_html(operation.path),
            escape_html(text_in(object, "x-scope")),
            prose(text_in(object, "description"))
        );
        parameters(operation);
        body(object);
        call(operation);
        answers(object);
        main += "</section>\n";
    }

    void parameters(const Operation& operation) {
        std::string rows;
        for (const json::value* list : {operation.shared, find(*operation.object, "parameters")}) {
            if (list == nullptr || !list->is_array()) continue;
            for (const json::value& given : list->get_array()) rows += parameter(given);
        }
        if (rows.empty()) return;
        main +=
            "<h4>Parameters</h4>\n<table><thead><tr><th>Name</th><th>In</th><th>Type</th>"
            "<th>Meaning</th></tr></thead><tbody>\n" +
            rows + "</tbody></table>\n";
    }

    std::string parameter(const json::value& given) {
        const json::value& one = resolved(openapi_, given);
        const json::value* schema = find(one, "schema");
        return fmt::format(
            "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape_html(text_in(one, "name")),
            escape_html(text_in(one, "in")),
            schema == nullptr ? "" : type_words(*schema),
            prose(text_in(one, "description"))
        );
    }

    // The schema of a body or an answer, by the first of its types.
    static const json::value* media_of(const json::value& holder, std::string& type) {
        const json::value* content = find(holder, "content");
        if (content == nullptr || !content->is_object() || content->get_object().empty()) {
            return nullptr;
        }
        type = content->get_object().begin()->key();
        return &content->get_object().begin()->value();
    }

    void body(const json::value& operation) {
        const json::value* given = find(operation, "requestBody");
        std::string type;
        const json::value* media = given == nullptr ? nullptr : media_of(*given, type);
        const json::value* schema = media == nullptr ? nullptr : find(*media, "schema");
        if (schema == nullptr) return;
        main += fmt::format(
            "<h4>Body</h4>\n<p><code>{}</code> {}</p>\n{}",
            escape_html(type),
            type_words(*schema),
            properties_table(openapi_, *schema)
        );
    }

    void call(const Operation& operation) {
        std::string line = fmt::format(
            "curl{} {}{} \\\n  -H \"Authorization: Bearer $PAWL_API_KEY\"",
            operation.method == "get" ? "" : " -X " + upper(operation.method),
            server_,
            operation.path
        );
        const json::value* given = find(*operation.object, "requestBody");
        std::string type;
        const json::value* media = given == nullptr ? nullptr : media_of(*given, type);
        if (media != nullptr && type == "application/json") {
            const json::value* example = find(*media, "example");
            const json::value* schema = find(*media, "schema");
            json::value body = example != nullptr  ? *example
                               : schema != nullptr ? example_of(openapi_, *schema)
                                                   : json::value();
            std::string text = plain_json(body);
            for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) {
                text.replace(at, 1, "'\\''");
            }
            line += " \\\n  --json '" + text + "'";
        }
        main += "<pre>" + escape_html(line) + "</pre>\n";
    }

    static std::string upper(std::string text) {
        for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
        return text;
    }

    void answers(const json::value& operation) {
        const json::value* responses = find(operation, "responses");
        if (responses == nullptr || !responses->is_object()) return;
        main +=
            "<h4>Answers</h4>\n<table><thead><tr><th>Status</th><th>Meaning</th><th>Body</th>"
            "</tr></thead><tbody>\n";
        for (const auto& [status, given] : responses->get_object()) {
            const json::value& one = resolved(openapi_, given);
            std::string type;
            const json::value* media = media_of(one, type);
            const json::value* schema = media == nullptr ? nullptr : find(*media, "schema");
            std::string_view words = text_in(given, "description");
            if (words.empty()) words = text_in(one, "description");
            main += fmt::format(
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                status == "default" ? "others" : escape_html(status),
                escape_html(words),
                schema == nullptr ? "" : type_words(*schema)
            );
        }
        main += "</tbody></table>\n";
    }

    void schemas() {
        main += "<h2>Schemas</h2>\n";
        const json::value* all = find(openapi_.at("components"), "schemas");
        if (all == nullptr) return;
        for (const auto& [name, schema] : all->as_object()) {
            main += fmt::format(
                "<section id=\"schema-{0}\">\n<h3>{0}</h3>\n{1}{2}</section>\n",
                escape_html(name),
                prose(text_in(schema, "description")),
                schema.is_object() && schema.get_object().contains("properties")
                    ? properties_table(openapi_, schema)
                    : "<p>" + type_words(schema) + "</p>\n"
            );
        }
    }

    const json::object& openapi_;
    const std::string& server_;
};

}  // namespace

std::string docs_page(
    const json::object& openapi, const std::string& server, const std::string& nonce
) {
    DocsWriter writer(openapi, server);
    writer.write();
    const json::value& info = openapi.at("info");
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>The API of Pawl</title>\n<style nonce=\"{}\">{}</style>\n</head>\n<body>\n"
        "<nav aria-label=\"Operations\">\n{}</nav>\n<main>\n<h1>The API of Pawl</h1>\n{}{}</main>\n"
        "</body>\n</html>\n",
        nonce,
        styles,
        writer.nav,
        prose(text_in(info, "description")),
        writer.main
    );
}

}  // namespace pawl::api
