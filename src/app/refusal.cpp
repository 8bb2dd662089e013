#include "app/refusal.hpp"

#include "model/label.hpp"

#include <fmt/core.h>

namespace pawl::app {

Error refusal(Errc code, std::string_view reason, std::string message) {
    return {code, std::move(message), {{std::string(reason_key), std::string(reason)}}};
}

Error not_found(std::string message) {
    return refusal(Errc::not_found, "not_found", std::move(message));
}

Error wrong_at(std::string message, std::string pointer, std::string detail) {
    return refusal(Errc::invalid, "validation_failed", std::move(message))
        .with(std::move(pointer), std::move(detail));
}

Error wrong_places(std::vector<WrongPlace> places, std::string prefix) {
    const WrongPlace& first = places.at(0);
    prefix += fmt::format("{} {}", first.pointer, first.detail);
    if (places.size() > 1) prefix += fmt::format(" (and {} more)", places.size() - 1);
    Error error = refusal(Errc::invalid, "validation_failed", std::move(prefix));
    for (WrongPlace& one : places) {
        error.context.emplace_back(std::move(one.pointer), std::move(one.detail));
    }
    return error;
}

std::optional<Error> wrong_label(std::string_view member, std::string_view text) {
    std::string detail = label_problem(text);
    if (detail.empty()) return std::nullopt;
    std::string message = fmt::format("{} {}", member, detail);
    return wrong_at(std::move(message), fmt::format("/{}", member), std::move(detail));
}

std::string_view reason_of(const Error& error) {
    for (const auto& [key, value] : error.context) {
        if (key == reason_key) return value;
    }
    return {};
}

}  // namespace pawl::app
