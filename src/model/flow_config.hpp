#pragma once

#include "base/json.hpp"
#include "model/duration.hpp"
#include "model/flow_reader.hpp"
#include "model/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace pawl {

inline bool is_template(const json::value& value) {
    const auto* text = value.if_string();
    return text != nullptr && std::string_view(*text).find("{{") != std::string_view::npos;
}

// The fields of one item of a list that stands under `key`.
inline Fields item_fields(
    Fields& around, std::string_view key, const Document& list, std::size_t i
) {
    return Fields(list.items[i], fmt::format("{}[{}]", around.path_of(key), i), around.problems());
}

// Reads the members of one config into a JSON object, complaining about what is wrong.
class FlowConfig {
public:
    explicit FlowConfig(Fields& fields) : fields_(fields) {}

    json::object take() && { return std::move(config_); }
    bool has(std::string_view key) const { return fields_.has(key); }

    void any(std::string_view key) {
        if (auto value = fields_.any(key)) config_.insert_or_assign(key, std::move(*value));
    }
    void needed(std::string_view key, std::string_view why) {
        auto value = fields_.any(key);
        if (!value || value->is_null()) {
            fields_.wrong(key, why);
        } else {
            config_.insert_or_assign(key, std::move(*value));
        }
    }
    void text(std::string_view key) {
        if (auto value = fields_.template_text(key)) {
            config_.insert_or_assign(key, json::value(std::move(*value)));
        }
    }
    void needed_text(std::string_view key, std::string_view why) {
        auto value = fields_.template_text(key);
        if (!value || value->empty()) {
            fields_.wrong(key, why);
        } else {
            config_.insert_or_assign(key, json::value(std::move(*value)));
        }
    }
    // Part of the definition, never of the data.
    void fixed_text(std::string_view key, std::string_view why) {
        auto value = fields_.text(key);
        if (!value || value->empty()) {
            fields_.wrong(key, why);
        } else {
            config_.insert_or_assign(key, json::value(std::move(*value)));
        }
    }
    void name(std::string_view key, std::string_view why) {
        fixed_text(key, why);
        const auto* written = config_.if_contains(key);
        if (written != nullptr && is_template(*written)) {
            fields_.wrong(key, "may not be a template");
        }
    }
    void word(std::string_view key, std::initializer_list<std::string_view> words) {
        const auto value = fields_.text(key);
        if (!value) return;
        if (std::find(words.begin(), words.end(), *value) == words.end()) {
            fields_.wrong(
                key,
                fmt::format(
                    "'{}' is not known{}: use one of {}",
                    *value,
                    suggest(*value, words),
                    fmt::join(words, ", ")
                )
            );
        }
        config_.insert_or_assign(key, json::value(*value));
    }
    void whole(std::string_view key, WholeRange range) {
        if (const auto value = fields_.whole(key, range)) config_.insert_or_assign(key, *value);
    }
    void whole_or_template(std::string_view key, WholeRange range) {
        auto written = fields_.any(key);
        if (!written || !is_template(*written)) return whole(key, range);
        config_.insert_or_assign(key, std::move(*written));
    }
    void flag(std::string_view key) {
        auto value = fields_.any(key);
        if (!value || value->is_null()) return;
        if (!value->is_bool()) fields_.wrong(key, "must be true or false");
        config_.insert_or_assign(key, std::move(*value));
    }
    // Kept as written: it may be a template.
    void duration(std::string_view key) {
        auto value = fields_.any(key);
        if (!value || value->is_null()) return;
        if (!is_template(*value)) {
            std::string_view text;
            if (const auto* written = value->if_string()) text = *written;
            const bool back = text.starts_with("-");
            const auto parsed =
                back ? duration_from_json(json::value(text.substr(1))) : duration_from_json(*value);
            if (!parsed) {
                fields_.wrong(key, parsed.error().message);
            } else if (back && key != "offset") {
                fields_.wrong(key, "may not be negative");
            }
        }
        config_.insert_or_assign(key, std::move(*value));
    }
    void condition(std::string_view key) {
        json::value value = read_condition(fields_, key);
        if (!value.is_null()) config_.insert_or_assign(key, std::move(value));
    }
    void event_filter(std::string_view key) {
        json::value value = read_event_filter(fields_, key);
        if (!value.is_null()) config_.insert_or_assign(key, std::move(value));
    }
    void names(std::string_view key, std::string_view why) {
        any(key);
        const json::value* value = config_.if_contains(key);
        const json::array* list = value == nullptr ? nullptr : value->if_array();
        const bool valid = list != nullptr && !list->empty() &&
                           std::all_of(list->begin(), list->end(), [](const json::value& item) {
                               return item.is_string();
                           });
        if (!valid) fields_.wrong(key, why);
    }
    Fields& fields() { return fields_; }
    json::object& object() { return config_; }

private:
    Fields& fields_;
    json::object config_;
};

}  // namespace pawl
