#include "api/http/request_target.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>

namespace pawl::api {

namespace {

namespace urls = boost::urls;

bool is_clean(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
}

Error not_a_target() {
    return {Errc::invalid, "the request target is not a path with an optional query", {}};
}

Error has_control() {
    return {
        Errc::invalid,
        "the URL holds a control character, such as %00 or %0A: no name or value here has one, so "
        "leave it out",
        {}};
}

}  // namespace

const std::string* Target::find(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) return &value;
    }
    return nullptr;
}

Result<Target> parse_target(std::string_view text) {
    const auto url = urls::parse_origin_form(text);
    if (!url) return not_a_target();
    Target target;
    for (const auto segment : url->segments()) {
        std::string decoded(segment);
        if (!is_clean(decoded)) return has_control();
        target.segments.push_back(std::move(decoded));
    }
    urls::encoding_opts form;
    form.space_as_plus = true;
    for (const auto param : url->params(form)) {
        std::string key(param.key);
        std::string value(param.value);
        if (!is_clean(key) || !is_clean(value)) return has_control();
        target.query.emplace_back(std::move(key), std::move(value));
    }
    return target;
}

}  // namespace pawl::api
