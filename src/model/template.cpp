#include "model/template.hpp"

#include "base/json.hpp"
#include "model/missing_names.hpp"
#include "model/template_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pawl {

namespace {

constexpr std::size_t depth_max = 32;
constexpr std::size_t output_max = 1 << 20;

Error too_deep() {
    return {Errc::too_large, fmt::format("templates may be nested {} levels deep", depth_max), {}};
}

// A lower bound of the size as text: enough to stop output that grows out of hand.
std::size_t weight(const json::value& value) {
    switch (value.kind()) {
        case json::kind::string: return value.get_string().size() + 2;
        case json::kind::array: {
            std::size_t sum = 2;
            for (const json::value& item : value.get_array()) sum += weight(item) + 1;
            return sum;
        }
        case json::kind::object: {
            std::size_t sum = 2;
            for (const auto& [key, item] : value.get_object()) {
                sum += key.size() + weight(item) + 4;
            }
            return sum;
        }
        default: return 4;
    }
}

Result<void> collect(const json::value& value, std::size_t depth, std::vector<Placeholder>& found) {
    if (depth > depth_max) return too_deep();
    if (const auto* text = value.if_string()) {
        std::string_view rest = *text;
        for (std::size_t at = rest.find("{{"); at != rest.npos; at = rest.find("{{")) {
            rest.remove_prefix(at);
            auto expression = take_expression(rest);
            if (!expression) return expression.error();
            if (expression->placeholder.path.empty()) continue;
            found.push_back(std::move(expression->placeholder));
        }
    } else if (const auto* array = value.if_array()) {
        for (const json::value& item : *array) {
            if (auto done = collect(item, depth + 1, found); !done) return done;
        }
    } else if (const auto* object = value.if_object()) {
        for (const auto& [key, item] : *object) {
            if (auto done = collect(item, depth + 1, found); !done) return done;
        }
    }
    return {};
}

class Renderer {
public:
    explicit Renderer(const PathLookup& lookup) : lookup_(lookup) {}

    json::value render(const json::value& value, std::size_t depth) {
        if (depth > depth_max) fail(too_deep());
        if (error_) return nullptr;
        if (const auto* text = value.if_string()) return render_text(*text);
        if (const auto* array = value.if_array()) {
            json::array out;
            out.reserve(array->size());
            for (const json::value& item : *array) out.push_back(render(item, depth + 1));
            return out;
        }
        if (const auto* object = value.if_object()) {
            json::object out;
            out.reserve(object->size());
            for (const auto& [key, item] : *object) {
                spend(key.size());
                out.emplace(key, render(item, depth + 1));
            }
            return out;
        }
        return value;
    }

    std::optional<Error> outcome() {
        if (error_ || missing_.empty()) return std::move(error_);
        return Error{Errc::invalid, "undefined: " + missing_.text(), {}};
    }

private:
    json::value render_text(std::string_view text) {
        const std::size_t at = text.find("{{");
        if (at == text.npos) {
            spend(text.size());
            return json::value(text);
        }
        if (at == 0) {
            std::string_view rest = text;
            auto expression = take_expression(rest);
            if (expression && rest.empty()) {
                const json::value* value = resolve(*expression);
                if (value == nullptr) return nullptr;
                spend(weight(*value));
                return error_ ? json::value() : *value;
            }
        }
        return json::value(render_mixed(text));
    }

    std::string render_mixed(std::string_view text) {
        std::string out;
        for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{")) {
            out.append(text.substr(0, at));
            text.remove_prefix(at);
            auto expression = take_expression(text);
            if (!expression) {
                fail(std::move(expression).error());
                return {};
            }
            const json::value* value = resolve(*expression);
            if (value != nullptr) spend(weight(*value));
            if (error_) return {};
            if (value != nullptr) append_text(out, *value);
        }
        out.append(text);
        spend(text.size());
        return out;
    }

    const json::value* resolve(const TemplateExpression& expression) {
        const Placeholder& placeholder = expression.placeholder;
        const json::value* value = placeholder.path.empty() ? nullptr : lookup_(placeholder.path);
        if (value != nullptr && !(value->is_null() && expression.fallback)) return value;
        if (expression.fallback) return &*expression.fallback;
        missing_.add(placeholder.text);
        return nullptr;
    }

    void spend(std::size_t bytes) {
        spent_ += bytes;
        if (spent_ > output_max) {
            fail({Errc::too_large, "the rendered template is larger than 1 MiB", {}});
        }
    }
    void fail(Error error) {
        if (!error_) error_ = std::move(error);
    }

    const PathLookup& lookup_;
    MissingNames missing_;
    std::optional<Error> error_;
    std::size_t spent_ = 0;
};

}  // namespace

std::string text_of(const Path& path) {
    std::string text;
    for (const PathSegment& segment : path) {
        if (segment.is_index) {
            text += fmt::format("[{}]", segment.index);
        } else {
            text += fmt::format("{}.", segment.key);
        }
    }
    return text;
}

bool has_placeholder(const json::value& value) {
    if (const auto* text = value.if_string()) {
        return std::string_view(*text).find("{{") != std::string_view::npos;
    }
    if (const auto* array = value.if_array()) {
        return std::any_of(array->begin(), array->end(), has_placeholder);
    }
    if (const auto* object = value.if_object()) {
        return std::any_of(object->begin(), object->end(), [](const auto& member) {
            return has_placeholder(member.value());
        });
    }
    return false;
}

Result<std::vector<Placeholder>> placeholders(const json::value& value) {
    std::vector<Placeholder> found;
    if (auto done = collect(value, 0, found); !done) return done.error();
    return found;
}

const json::value* walk(const json::value* value, const Path& path, std::size_t from) {
    for (std::size_t i = from; i < path.size() && value != nullptr; ++i) {
        const PathSegment& segment = path[i];
        if (segment.is_index) {
            const auto* array = value->if_array();
            value = array == nullptr || segment.index >= array->size() ? nullptr
                                                                       : &(*array)[segment.index];
        } else {
            const auto* object = value->if_object();
            value = object == nullptr ? nullptr : object->if_contains(segment.key);
        }
    }
    return value;
}

Result<json::value> render(const json::value& value, const PathLookup& lookup) {
    Renderer renderer(lookup);
    json::value out = renderer.render(value, 0);
    if (auto error = renderer.outcome()) return std::move(*error);
    return out;
}

}  // namespace pawl
