#include "steps/message_content.hpp"

#include "base/html.hpp"
#include "base/json.hpp"
#include "model/journey_reader.hpp"
#include "steps/fill_person.hpp"

#include <fmt/core.h>

#include <forward_list>

namespace pawl::steps {

namespace {

constexpr std::string_view with_root = "with";

// Fills one member of the content at a time.
class Filler {
public:
    Filler(const StepRequest& request, const json::value& person) : scope_(person, request.known) {}

    // Rendered itself: what the template sees as `with`.
    Result<void> take_with(const json::object& written) {
        const json::value* with = written.if_contains(with_root);
        if (with == nullptr) return {};
        auto rendered = render(*with, [this](const Path& path) { return scope_.find(path); });
        if (!rendered) return std::move(rendered).error();
        with_ = std::move(*rendered);
        return {};
    }

    bool has_revealed() const { return scope_.has_revealed(); }

    Result<json::value> fill(const json::value& written, bool html) {
        return render(written, [this, html](const Path& path) -> const json::value* {
            const json::value* value = find(path);
            if (value == nullptr || value->is_null() || !html) return value;
            std::string text;
            append_text(text, *value);
            return &made_.emplace_front(escape_html(text));
        });
    }

private:
    const json::value* find(const Path& path) const {
        if (path[0].key == with_root && !with_.is_null()) return walk(&with_, path, 1);
        const json::value* value = scope_.find(path);
        // Nothing is known: no message begins with "Hi null". A default may stand for it.
        return value != nullptr && value->is_null() ? nullptr : value;
    }

    PersonScope scope_;
    json::value with_;
    std::forward_list<json::value> made_;
};

}  // namespace

Result<FilledContent> render_content(
    const StepRequest& request, const json::value& person, const json::value& stored
) {
    Filler filler(request, person);
    if (auto done = filler.take_with(*request.templates); !done) return done.error();
    const json::object* source = stored.if_object();
    if (source == nullptr) source = request.templates;
    json::object content;
    for (const std::string_view key : message_content_keys) {
        const json::value* written = source->if_contains(key);
        if (written == nullptr || written->is_null()) continue;
        auto filled = filler.fill(*written, key == "html");
        if (!filled) {
            return Error{Errc::invalid, fmt::format("{}: {}", key, filled.error().message), {}};
        }
        content.emplace(key, std::move(*filled));
    }
    return FilledContent{std::move(content), filler.has_revealed()};
}

Result<std::string> render_address(const StepRequest& request, const json::value& person) {
    const json::value* written = request.templates->if_contains("to");
    if (written == nullptr || written->is_null()) return std::string();
    Filler filler(request, person);
    auto filled = filler.fill(*written, false);
    if (!filled) return Error{Errc::invalid, "to: " + filled.error().message, {}};
    std::string address;
    append_text(address, *filled);
    return address;
}

}  // namespace pawl::steps
