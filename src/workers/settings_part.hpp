#pragma once

#include "base/error.hpp"
#include "model/document.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace pawl::workers {

// One part of a file of settings: its texts by key, and the first thing that is wrong.
class SettingsPart {
public:
    SettingsPart(const Document& map, std::string path, const std::set<std::string_view>& known);

    // Empty when it is not there.
    std::string text(std::string_view key) const;
    void text(std::string_view key, std::string& into) const;
    // A secret, which may be in a variable: KEY_env names it.
    void secret(std::string_view key, std::string& into);
    void on_off(std::string_view key, bool& into);
    void need(std::string_view key);

    template <class Number>
    void number(std::string_view key, Number& into) {
        const auto found = texts_.find(key);
        if (found == texts_.end()) return;
        const std::string& text = found->second.text;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
        const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
        if (!whole || into < 0) wrong(key, "must be a number, 0 or more");
    }
    // What the text of `key` stands for; the first of them when it stands for nothing.
    template <class Choice>
    Choice one_of(std::string_view key, const std::map<std::string, Choice>& choices) {
        const auto found = choices.find(text(key));
        if (found != choices.end()) return found->second;
        std::string names;
        for (const auto& [name, choice] : choices) names += (names.empty() ? "" : " or ") + name;
        wrong(key, "must be " + names);
        return choices.begin()->second;
    }

    const std::optional<Error>& problem() const { return problem_; }

private:
    struct Written {
        std::string text;
        int line = 0;
    };
    // At the line of the key, or of the part when that is not there.
    void wrong(std::string_view key, std::string_view what);
    void wrong_at(int line, std::string_view key, std::string_view what);

    int line_;
    std::string path_;
    std::map<std::string, Written, std::less<>> texts_;
    std::optional<Error> problem_;
};

}  // namespace pawl::workers
