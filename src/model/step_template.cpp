#include "model/step_template.hpp"

#include "base/json.hpp"
#include "model/url_template.hpp"

namespace pawl {

namespace {

// A text that is one placeholder is the whole URL.
Result<void> encode_in_url(
    NodeType type, const json::object& written, json::object& config, const PathLookup& lookup
) {
    if (type != NodeType::http && type != NodeType::function) return {};
    const json::value* url = written.if_contains("url");
    if (url == nullptr || !url->is_string()) return {};
    const std::string_view text = url->get_string();
    if (text.find("{{") == text.npos || is_whole_placeholder(text)) return {};
    auto rendered = render_url(text, lookup);
    if (!rendered) return Error{Errc::invalid, "url: " + rendered.error().message, {}};
    config["url"] = std::move(*rendered);
    return {};
}

}  // namespace

Result<json::object> render_step(
    NodeType type, const json::object& written, const PathLookup& lookup
) {
    auto rendered = render(json::value(written), lookup);
    if (!rendered) return std::move(rendered).error();
    json::object& config = rendered->get_object();
    if (auto done = encode_in_url(type, written, config, lookup); !done) return done.error();
    return std::move(config);
}

}  // namespace pawl
