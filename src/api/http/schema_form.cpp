#include "api/http/schema_form.hpp"

#include "api/http/schema_field.hpp"
#include "base/exact_json.hpp"
#include "base/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pawl::api {

namespace {

class FormWriter {
public:
    FormWriter(const FormFields* filled, const FormProblems& wrong, std::string_view required)
        : filled_(filled),
          wrong_(wrong),
          star_(fmt::format(" <span class=\"note\">({})</span>", required)) {}

    void write(
        const json::object& schema, const json::value& document, const std::string& at, int depth
    ) {
        for_each_field(schema, document, at, depth, [&](const Field& field) {
            if (field.kind == FieldKind::group) {
                group(field, depth);
            } else {
                one(field);
            }
        });
    }
    std::string out;

private:
    void group(const Field& field, int depth) {
        static const json::value none = json::object();
        out += fmt::format("<fieldset>\n<legend>{}</legend>\n", escape_html(field.label));
        note(field);
        write(field.schema, field.value == nullptr ? none : *field.value, field.pointer, depth + 1);
        out += "</fieldset>\n";
    }

    void one(const Field& field) {
        const std::string id = escape_html(field.name());
        const bool many = field.kind == FieldKind::choices;
        out +=
            many ? fmt::format(
                       "<fieldset>\n<legend>{}{}</legend>\n", escape_html(field.label), star(field)
                   )
                 : fmt::format(
                       "<label for=\"{}\">{}{}</label>\n", id, escape_html(field.label), star(field)
                   );
        note(field);
        control(field, id);
        if (const std::string what = problem_of(field); !what.empty()) {
            out +=
                fmt::format("<p class=\"wrong\" id=\"{}-wrong\">{}</p>\n", id, escape_html(what));
        }
        if (many) out += "</fieldset>\n";
    }

    // What is wrong with a field, or with the first part of it that has no field of its own.
    std::string problem_of(const Field& field) const {
        if (const auto found = wrong_.find(field.pointer); found != wrong_.end())
            return found->second;
        const std::string within = field.pointer + "/";
        const auto part = wrong_.lower_bound(within);
        if (part == wrong_.end() || !part->first.starts_with(within)) return "";
        return fmt::format("{}: {}", part->first.substr(within.size()), part->second);
    }

    std::string_view star(const Field& field) const {
        return field.required ? std::string_view(star_) : "";
    }

    void note(const Field& field) {
        const std::string_view text = text_in(field.schema, "description");
        if (!text.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", escape_html(text));
    }

    // The text in the field: what was typed, else what the document has, else the default.
    std::string text_of(const Field& field) const {
        if (filled_ != nullptr) {
            const auto values = sent(*filled_, field.name());
            return values.empty() ? "" : values.front();
        }
        const json::value* value = field.value;
        if (value == nullptr) value = field.schema.if_contains("default");
        if (value == nullptr) return "";
        if (field.kind == FieldKind::json) return plain_json(*value);
        if (field.kind != FieldKind::list) return shown_value(*value);
        std::string lines;
        if (const json::array* list = value->if_array()) {
            for (const json::value& line : *list) lines += shown_value(line) + "\n";
        }
        return lines;
    }

    std::string marks(const Field& field, const std::string& id) const {
        std::string text = fmt::format("id=\"{0}\" name=\"{0}\"", id);
        if (!problem_of(field).empty()) {
            text += fmt::format(" aria-invalid=\"true\" aria-describedby=\"{}-wrong\"", id);
        }
        return text;
    }

    void control(const Field& field, const std::string& id) {
        switch (field.kind) {
            case FieldKind::choice: return choice(field, id);
            case FieldKind::choices: return choices(field, id);
            case FieldKind::flag: return flag(field, id);
            case FieldKind::text:
            case FieldKind::number: return input(field, id);
            default: break;
        }
        out += fmt::format(
            "<textarea {} rows=\"{}\">\n{}</textarea>\n",
            marks(field, id),
            field.kind == FieldKind::json ? 6 : 4,
            escape_html(text_of(field))
        );
    }

    void input(const Field& field, const std::string& id) {
        const std::string_view format = text_in(field.schema, "format");
        std::string type = "text";
        std::string more;
        if (field.kind == FieldKind::number) {
            // Not type=number: a browser would send nothing for what it cannot read.
            more = type_of(field.schema) == "integer" ? " inputmode=\"numeric\""
                                                      : " inputmode=\"decimal\"";
        } else if (format == "date" || format == "email") {
            type = format;
        } else if (format == "uri") {
            type = "url";
        }
        out += fmt::format(
            "<input type=\"{}\" {}{} value=\"{}\">\n",
            type,
            marks(field, id),
            more,
            escape_html(text_of(field))
        );
    }

    void flag(const Field& field, const std::string& id) {
        const bool on = text_of(field) == "true";
        out += fmt::format(
            "<input type=\"checkbox\" class=\"box\" {} value=\"true\"{}>\n",
            marks(field, id),
            on ? " checked" : ""
        );
    }

    // Values of choices are JSON, so that 1 and "1" stay apart.
    void choice(const Field& field, const std::string& id) {
        std::string now = text_of(field);
        if (filled_ == nullptr) {
            const json::value* value = field.value;
            if (value == nullptr) value = field.schema.if_contains("default");
            now = value == nullptr ? "" : plain_json(*value);
        }
        out += fmt::format("<select {}>\n<option value=\"\"></option>\n", marks(field, id));
        for (const json::value& one : *choices_of(field.schema)) {
            const std::string text = plain_json(one);
            out += fmt::format(
                "<option value=\"{}\"{}>{}</option>\n",
                escape_html(text),
                text == now ? " selected" : "",
                escape_html(one.is_null() ? "none" : shown_value(one))
            );
        }
        out += "</select>\n";
    }

    void choices(const Field& field, const std::string& id) {
        std::vector<std::string> now;
        if (filled_ != nullptr) {
            now = sent(*filled_, field.name());
        } else if (field.value != nullptr && field.value->is_array()) {
            for (const json::value& one : field.value->get_array()) now.push_back(plain_json(one));
        }
        for (const json::value& one : *choices_of(items_of(field.schema))) {
            const std::string text = plain_json(one);
            const bool on = std::find(now.begin(), now.end(), text) != now.end();
            out += fmt::format(
                "<label><input type=\"checkbox\" class=\"box\" name=\"{}\" value=\"{}\"{}> "
                "{}</label>\n",
                id,
                escape_html(text),
                on ? " checked" : "",
                escape_html(shown_value(one))
            );
        }
    }

    const FormFields* filled_;
    const FormProblems& wrong_;
    std::string star_;
};

}  // namespace

std::string form_html(
    const json::value& schema,
    const json::value& document,
    const FormFields* filled,
    const FormProblems& wrong,
    std::string_view required
) {
    FormWriter writer(filled, wrong, required);
    writer.write(schema.as_object(), document, "", 0);
    return std::move(writer.out);
}

}  // namespace pawl::api
