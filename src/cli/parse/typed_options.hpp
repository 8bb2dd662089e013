#pragma once

#include "cli/parse/command_line.hpp"
#include "model/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Options whose text is checked and becomes a value of some type.
namespace pawl::cli {

template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <class T>
Option* add_choice(
    App& app, const std::string& names, T& target, Choices<T> choices, std::string what
) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    const std::string type = fmt::format("{}", fmt::join(words, "|"));
    const auto set = [&target, choices, type, names](const std::string& text) {
        for (const auto& [word, value] : choices) {
            if (word != text) continue;
            target = value;
            return;
        }
        throw WrongUse(fmt::format("{} must be one of {}, not '{}'", names, type, text));
    };
    return app.add_option_function(names, set, what)->type_name(type);
}

// One of some words, kept as it is written.
inline Option* add_word(
    App& app,
    const std::string& names,
    std::string& target,
    const std::vector<std::string>& words,
    const std::string& what
) {
    Choices<std::string> choices;
    for (const std::string& word : words) choices.emplace_back(word, word);
    return add_choice(app, names, target, std::move(choices), what);
}

// An option whose text is read by a function that returns a Result.
template <class T, class Read>
Option* add_parsed(
    App& app, const std::string& name, T& target, Read read, const std::string& what
) {
    const auto set = [&target, read, name](const std::string& text) {
        auto value = read(text);
        if (!value) throw WrongUse(name + ": " + value.error().message);
        target = *value;
    };
    return app.add_option_function(name, set, what);
}

template <class T>
Option* add_number(
    App& app,
    const std::string& name,
    T& target,
    long long low,
    long long high,
    const std::string& what
) {
    const auto set = [&target, name, low, high](const std::string& text) {
        long long value = 0;
        const char* end = text.data() + text.size();
        const auto [read, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || read != end || value < low || value > high) {
            throw WrongUse(fmt::format(
                "{} must be a whole number from {} to {}, not '{}'", name, low, high, text
            ));
        }
        target = static_cast<T>(value);
    };
    return app.add_option_function(name, set, what)->type_name("N");
}

// A text that means something different from none.
inline Result<std::string> some_text(const std::string& text) {
    if (text.empty()) return Error{Errc::invalid, "must not be empty", {}};
    return text;
}

inline Result<std::optional<Duration>> some_duration(const std::string& text) {
    const auto parsed = parse_duration(text);
    if (!parsed) return parsed.error();
    return std::optional<Duration>(*parsed);
}

}  // namespace pawl::cli
