#include "connect/form.hpp"

#include <fmt/core.h>

#include <charconv>

namespace pawl::connect {

namespace {

std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i] == '+' ? ' ' : text[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view hex = text.substr(i + 1, 2);
        const auto [end, failed] = std::from_chars(hex.data(), hex.data() + hex.size(), byte, 16);
        if (hex.size() != 2 || failed != std::errc{} || end != hex.data() + 2) return std::nullopt;
        out += static_cast<char>(byte);
        i += 2;
    }
    return out;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
        if (plain) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

std::string write_form(const Form& form) {
    std::string out;
    for (const auto& [key, value] : form) {
        if (!out.empty()) out += '&';
        out += percent_encoded(key) + '=' + percent_encoded(value);
    }
    return out;
}

std::optional<Form> read_form(std::string_view text) {
    Form form;
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(pair.size() + 1, text.size()));
        if (pair.empty()) continue;
        const std::size_t equals = pair.find('=');
        auto key = decoded(pair.substr(0, equals));
        auto value = decoded(equals == pair.npos ? std::string_view() : pair.substr(equals + 1));
        if (!key || !value) return std::nullopt;
        form.emplace_back(std::move(*key), std::move(*value));
    }
    return form;
}

}  // namespace pawl::connect
