#include "api/http/schema_field.hpp"
#include "api/http/schema_form.hpp"
#include "base/exact_json.hpp"

#include <algorithm>
#include <optional>

namespace pawl::api {

namespace {

class FormReader {
public:
    FormReader(const FormFields& fields, FormProblems& wrong) : fields_(fields), wrong_(wrong) {}

    json::value read(
        const json::object& schema, const json::value& document, const std::string& at, int depth
    ) {
        json::object object = document.is_object() ? document.get_object() : json::object();
        for_each_field(schema, document, at, depth, [&](const Field& field) {
            if (field.kind == FieldKind::group) {
                static const json::value none = json::object();
                const json::value& before = field.value == nullptr ? none : *field.value;
                json::value part = read(field.schema, before, field.pointer, depth + 1);
                const bool empty = part.is_object() && part.get_object().empty();
                if (!empty || field.required || field.value != nullptr)
                    object[field.key] = std::move(part);
                return;
            }
            const auto value = value_of(field);
            if (value) {
                object[field.key] = *value;
            } else {
                object.erase(field.key);
            }
        });
        return object;
    }

private:
    // Nothing: the member is left out.
    std::optional<json::value> value_of(const Field& field) {
        const auto values = sent(fields_, field.name());
        if (field.kind == FieldKind::flag) {
            const bool on = !values.empty();
            // Shown ticked, and unticked by the person: that says no.
            const json::value* usual = field.schema.if_contains("default");
            const bool was_on = usual != nullptr && usual->is_bool() && usual->get_bool();
            if (!on && field.value == nullptr && !field.required && !was_on) return std::nullopt;
            return json::value(on);
        }
        if (field.kind == FieldKind::choices) return list_of(field, values, true);
        const std::string text = values.empty() ? "" : without_returns(values.front());
        if (field.kind == FieldKind::list) return list_of(field, lines_of(text), false);
        if (text.empty()) {
            const bool was_null = field.value != nullptr && field.value->is_null();
            if (was_null) return json::value();
            const bool was_empty = field.value != nullptr && shown_value(*field.value).empty();
            const bool is_text = field.kind == FieldKind::text || field.kind == FieldKind::lines;
            if (is_text && was_empty) return json::value("");
            return std::nullopt;
        }
        return parsed(field, text);
    }

    std::optional<json::value> parsed(const Field& field, const std::string& text) {
        if (field.kind == FieldKind::text || field.kind == FieldKind::lines)
            return json::value(text);
        auto value = parse_exact_json(text);
        if (field.kind == FieldKind::number) {
            if (value && value->is_number()) return std::move(*value);
            return json::value(text);  // the schema says that it must be a number
        }
        if (value) return std::move(*value);
        wrong_[field.pointer] = "this is not JSON: " + value.error().message;
        return json::value(text);
    }

    static std::optional<json::value> list_of(
        const Field& field, const std::vector<std::string>& values, bool as_json
    ) {
        if (values.empty() && field.value == nullptr && !field.required) return std::nullopt;
        json::array list;
        for (const std::string& text : values) {
            auto value = as_json ? parse_exact_json(text) : Result<json::value>(json::value(text));
            list.push_back(value ? std::move(*value) : json::value(text));
        }
        return json::value(std::move(list));
    }

    // A browser ends the lines of a text area with both.
    static std::string without_returns(std::string text) {
        std::erase(text, '\r');
        return text;
    }

    static std::vector<std::string> lines_of(std::string_view text) {
        std::vector<std::string> lines;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (end > 0) lines.emplace_back(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return lines;
    }

    const FormFields& fields_;
    FormProblems& wrong_;
};

}  // namespace

json::value read_fields(
    const json::value& schema,
    const json::value& document,
    const FormFields& fields,
    FormProblems& wrong
) {
    FormReader reader(fields, wrong);
    return reader.read(schema.as_object(), document, "", 0);
}

}  // namespace pawl::api
