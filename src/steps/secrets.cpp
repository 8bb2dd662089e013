#include "steps/secrets.hpp"

#include "base/json.hpp"
#include "model/template.hpp"

#include <algorithm>

namespace pawl::steps {

namespace {

// Shorter ones would be found in too much that is not secret.
constexpr std::size_t hidden_length_min = 4;

bool is_credential(const Placeholder& placeholder) {
    return placeholder.path[0].key == credentials_root && placeholder.path.size() == 2;
}

std::vector<std::string> names_in(const json::object& templates) {
    std::vector<std::string> names;
    const auto found = placeholders(json::value(templates));
    if (!found) return names;
    for (const Placeholder& placeholder : *found) {
        if (!is_credential(placeholder)) continue;
        const std::string& name = placeholder.path[1].key;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

// Goes through the config as it was written and as it was rendered, side by side.
void fill(const json::value& written, json::value& rendered, const json::value& roots) {
    if (const json::object* object = written.if_object()) {
        if (!rendered.is_object()) return;
        for (const auto& [key, value] : *object) {
            if (json::value* at = rendered.get_object().if_contains(key)) fill(value, *at, roots);
        }
    } else if (const json::array* array = written.if_array()) {
        if (!rendered.is_array() || rendered.get_array().size() != array->size()) return;
        for (std::size_t i = 0; i < array->size(); ++i) {
            fill((*array)[i], rendered.get_array()[i], roots);
        }
    } else if (written.is_string()) {
        const auto found = placeholders(written);
        if (!found || !std::any_of(found->begin(), found->end(), is_credential)) return;
        // Such a text has no other placeholders (definition_graph.cpp), so no data comes in here.
        auto filled = render(written, [&roots](const Path& path) { return walk(&roots, path); });
        if (filled) rendered = std::move(*filled);
    }
}

void hide(std::string& text, const std::vector<std::string>& secrets) {
    for (const std::string& secret : secrets) {
        if (secret.size() < hidden_length_min) continue;
        for (std::size_t at = text.find(secret); at != std::string::npos;
             at = text.find(secret, at + hidden_text.size())) {
            text.replace(at, secret.size(), hidden_text);
        }
    }
}

void hide(json::value& value, const std::vector<std::string>& secrets) {
    if (json::object* object = value.if_object()) {
        for (auto& member : *object) hide(member.value(), secrets);
    } else if (json::array* array = value.if_array()) {
        for (json::value& item : *array) hide(item, secrets);
    } else if (value.is_string()) {
        std::string text(value.get_string());
        hide(text, secrets);
        value = std::move(text);
    }
}

}  // namespace

bool asks_for_credentials(const json::object& templates) {
    return !names_in(templates).empty();
}

asio::awaitable<Result<Revealed>> reveal(ReadCredential read, StepRequest request) {
    if (!read) {
        co_return Error{Errc::conflict, "this worker cannot read credentials", {}};
    }
    Revealed revealed;
    json::object values;
    for (const std::string& name : names_in(*request.templates)) {
        auto secret = co_await read(request.tenant, name);
        if (!secret) co_return secret.error();
        values[name] = *secret;
        revealed.secrets.push_back(std::move(*secret));
    }
    const json::value roots = json::object{{credentials_root, std::move(values)}};
    json::value config(std::move(request.config));
    fill(json::value(*request.templates), config, roots);
    request.config = std::move(config.get_object());
    revealed.request = std::move(request);
    co_return revealed;
}

StepOutcome without_secrets(StepOutcome outcome, const std::vector<std::string>& secrets) {
    hide(outcome.result, secrets);
    hide(outcome.pending, secrets);
    if (outcome.error) hide(outcome.error->message, secrets);
    return outcome;
}

}  // namespace pawl::steps
