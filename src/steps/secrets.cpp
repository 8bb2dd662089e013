#include "steps/secrets.hpp"

#include "base/json.hpp"
#include "model/template.hpp"
#include "model/url_template.hpp"
#include "steps/redact.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace pawl::steps {

namespace {

bool is_credential(const Placeholder& placeholder) {
    return placeholder.path[0].key == credentials_root && placeholder.path.size() == 2;
}

// What a step may ask for: all of it is looked for in all of the answer.
constexpr std::size_t names_max = 50;
constexpr std::size_t bytes_max = 128 << 10;

Error too_much(std::string_view what) {
    return {Errc::too_large, fmt::format("the step asks for more than {}", what), {}};
}

std::set<std::string> names_in(const json::object& templates) {
    std::set<std::string> names;
    const auto found = placeholders(json::value(templates));
    if (!found) return names;
    for (const Placeholder& placeholder : *found) {
        if (is_credential(placeholder)) names.insert(placeholder.path[1].key);
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

// A secret in a URL is one piece of it, as data is, and goes where the definition says: data may
// choose what a step asks for, not which host gets a credential. Only a URL that is one placeholder
// is all data: its author has said so.
Result<void> fill_url(
    const json::object& templates, json::object& config, const json::value& roots
) {
    const json::value* written = templates.if_contains("url");
    if (written == nullptr || !written->is_string()) return {};
    const std::string_view text = written->get_string();
    if (data_in_host(text)) {
        return Error{
            Errc::invalid,
            "data of the run stands in the host of its url, and the step sends a credential: write "
            "the host into the definition, or give the whole url as one placeholder",
            {}};
    }
    const auto found = placeholders(*written);
    if (!found || !std::any_of(found->begin(), found->end(), is_credential)) return {};
    if (is_whole_placeholder(text)) return {};
    auto url = render_url(text, [&roots](const Path& path) { return walk(&roots, path); });
    if (!url) return url.error();
    config["url"] = std::move(*url);
    return {};
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
    const std::set<std::string> names = names_in(*request.templates);
    if (names.size() > names_max) co_return too_much(fmt::format("{} credentials", names_max));
    std::size_t bytes = 0;
    for (const std::string& name : names) {
        auto secret = co_await read(request.tenant, name);
        if (!secret) co_return secret.error();
        bytes += secret->size();
        if (bytes > bytes_max) co_return too_much("128 KiB of credentials");
        values[name] = *secret;
        revealed.secrets.push_back(std::move(*secret));
    }
    const json::value roots = json::object{{credentials_root, std::move(values)}};
    json::value config(std::move(request.config));
    fill(json::value(*request.templates), config, roots);
    request.config = std::move(config.get_object());
    if (auto done = fill_url(*request.templates, request.config, roots); !done) {
        co_return done.error();
    }
    revealed.request = std::move(request);
    co_return revealed;
}

StepOutcome without_secrets(StepOutcome outcome, const std::vector<std::string>& secrets) {
    const Redactor redactor(secrets);
    redactor.hide(outcome.result);
    redactor.hide(outcome.pending);
    if (outcome.error) redactor.hide(outcome.error->message);
    return outcome;
}

}  // namespace pawl::steps
