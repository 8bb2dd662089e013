#include "sandbox/provider.hpp"

#include "connect/form.hpp"

#include <algorithm>

namespace pawl::sandbox {

std::string_view Request::header(std::string_view name) const {
    const std::string* found = http::find_header(headers, name);
    return found == nullptr ? std::string_view() : std::string_view(*found);
}

std::string Request::asked(std::string_view field) const {
    const auto fields = connect::read_form(query);
    if (!fields) return {};
    for (const auto& [key, value] : *fields) {
        if (key == field) return value;
    }
    return {};
}

std::string_view Request::bearer() const {
    constexpr std::string_view start = "Bearer ";
    const std::string_view value = header("authorization");
    return value.starts_with(start) ? value.substr(start.size()) : std::string_view();
}

bool Request::is(std::string_view wanted_method, std::initializer_list<std::string_view> wanted)
    const {
    if (method != wanted_method || path.size() != wanted.size()) return false;
    return std::equal(wanted.begin(), wanted.end(), path.begin(), [](auto one, const auto& there) {
        return one == "*" || one == there;
    });
}

const std::vector<const Provider*>& providers() {
    static const std::vector<const Provider*> all{
        &line_provider(),
        &sms_8x8_provider(),
        &twilio_provider(),
        &sendgrid_provider(),
        &resend_provider(),
        &fcm_provider(),
        &webhook_provider(),
        &smtp_provider()};
    return all;
}

const Provider* find_provider(std::string_view name) {
    const auto& all = providers();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Provider* one) {
        return one->name() == name;
    });
    return found == all.end() ? nullptr : *found;
}

http::ServerResponse retry_after(int seconds, http::ServerResponse response) {
    response.headers.push_back({"Retry-After", std::to_string(seconds)});
    return response;
}

}  // namespace pawl::sandbox
