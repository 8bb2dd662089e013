#include "api/http/schema_field.hpp"

#include "base/exact_json.hpp"
#include "model/json_pointer.hpp"

#include <algorithm>

namespace pawl::api {

namespace {

constexpr int depth_max = 4;
constexpr std::size_t short_text = 200;

bool is_scalar(const json::value& value) {
    return !value.is_object() && !value.is_array();
}

bool is_long(const json::object& schema, const json::value* value) {
    const json::value* most = schema.if_contains("maxLength");
    if (most != nullptr && most->is_number()) {
        return most->to_number<double>() > static_cast<double>(short_text);
    }
    if (value == nullptr || !value->is_string()) return false;
    const std::string_view text = value->get_string();
    return text.size() > short_text / 2 || text.find('\n') != text.npos;
}

FieldKind kind_of(const json::object& schema, const json::value* value, int depth) {
    if (choices_of(schema) != nullptr) return FieldKind::choice;
    const std::string_view type = type_of(schema);
    if (type == "string") return is_long(schema, value) ? FieldKind::lines : FieldKind::text;
    if (type == "integer" || type == "number") return FieldKind::number;
    if (type == "boolean") return FieldKind::flag;
    if (type == "array" && choices_of(items_of(schema)) != nullptr) return FieldKind::choices;
    if (type == "array" && type_of(items_of(schema)) == "string") return FieldKind::list;
    if (type == "object" && schema.contains("properties") && depth < depth_max)
        return FieldKind::group;
    return FieldKind::json;
}

// Its place in a list of names; as many as these are: it is none of them.
std::ptrdiff_t rank_of(const json::array& names, std::string_view key) {
    const auto found = std::find_if(names.begin(), names.end(), [key](const auto& one) {
        return one.is_string() && one.get_string() == key;
    });
    return found - names.begin();
}

// As the inbox says a name: "first_name" is "First name".
std::string as_words(std::string_view key) {
    std::string words(key);
    std::replace(words.begin(), words.end(), '_', ' ');
    if (!words.empty() && words.front() >= 'a' && words.front() <= 'z') words.front() -= 'a' - 'A';
    return words;
}

json::array list_in(const json::object& schema, std::string_view key) {
    const json::value* list = schema.if_contains(key);
    return list != nullptr && list->is_array() ? list->get_array() : json::array();
}

}  // namespace

std::string_view type_of(const json::object& schema) {
    const json::value* type = schema.if_contains("type");
    if (type == nullptr) return schema.contains("properties") ? "object" : "";
    if (type->is_string()) return type->get_string();
    if (!type->is_array()) return "";
    for (const json::value& one : type->get_array()) {
        if (one.is_string() && one.get_string() != "null") return one.get_string();
    }
    return "";
}

const json::array* choices_of(const json::object& schema) {
    const json::value* choices = schema.if_contains("enum");
    if (choices == nullptr || !choices->is_array()) return nullptr;
    const json::array& list = choices->get_array();
    return std::all_of(list.begin(), list.end(), is_scalar) ? &list : nullptr;
}

const json::object& items_of(const json::object& schema) {
    static const json::object none;
    const json::value* items = schema.if_contains("items");
    return items != nullptr && items->is_object() ? items->get_object() : none;
}

void for_each_field(
    const json::object& schema,
    const json::value& document,
    const std::string& pointer,
    int depth,
    const std::function<void(const Field&)>& each
) {
    const json::value* properties = schema.if_contains("properties");
    if (properties == nullptr || !properties->is_object()) return;
    static const json::object none;
    const json::array required = list_in(schema, "required");
    // The database keeps no order of members, only that of lists.
    json::array listed = list_in(schema, "x-order");
    listed.insert(listed.end(), required.begin(), required.end());
    std::vector<const json::key_value_pair*> fields;
    for (const auto& one : properties->get_object()) fields.push_back(&one);
    std::stable_sort(fields.begin(), fields.end(), [&](const auto* a, const auto* b) {
        return rank_of(listed, a->key()) < rank_of(listed, b->key());
    });
    for (const auto* field : fields) {
        const std::string_view key = field->key();
        const json::object& own = field->value().is_object() ? field->value().get_object() : none;
        const json::value* value = find(document, key);
        const std::string_view title = text_in(own, "title");
        each(Field{
            own,
            value,
            std::string(key),
            pointer + "/" + escaped(key),
            title.empty() ? as_words(key) : std::string(title),
            rank_of(required, key) < std::ssize(required),
            kind_of(own, value, depth)});
    }
}

std::vector<std::string> sent(const FormFields& fields, const std::string& name) {
    std::vector<std::string> values;
    for (const auto& [key, value] : fields) {
        if (key == name) values.push_back(value);
    }
    return values;
}

std::string shown_value(const json::value& value) {
    if (value.is_null()) return "";
    return value.is_string() ? std::string(value.get_string()) : plain_json(value);
}

bool has_fields(const json::value& schema) {
    const json::object* object = schema.if_object();
    if (object == nullptr) return false;
    const json::value* properties = object->if_contains("properties");
    return type_of(*object) == "object" && properties != nullptr && properties->is_object() &&
           !properties->get_object().empty();
}

}  // namespace pawl::api
