#include "app/messages/partials.hpp"

#include "app/messages/template_check.hpp"
#include "model/json_pointer.hpp"

#include <fmt/core.h>

namespace pawl::app {

namespace {

constexpr std::string_view opening = "{{>";
constexpr std::string_view closing = "}}";

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// The text with each partial replaced by what `part` says for its name.
template <class Part>
std::string replaced(std::string_view text, Part part) {
    std::string out;
    while (true) {
        const auto begin = text.find(opening);
        const auto end = begin == std::string_view::npos ? begin : text.find(closing, begin);
        if (end == std::string_view::npos) return out.append(text);
        const auto after = begin + opening.size();
        out.append(text.substr(0, begin));
        out.append(part(std::string(trimmed(text.substr(after, end - after)))));
        text.remove_prefix(end + closing.size());
    }
}

template <class Part>
json::value replaced_in(const json::value& value, Part part) {
    if (const json::string* text = value.if_string()) {
        return json::value(replaced(std::string_view(*text), part));
    }
    json::value out = value;
    if (json::array* list = out.if_array()) {
        for (json::value& one : *list) one = replaced_in(one, part);
    } else if (json::object* object = out.if_object()) {
        for (auto& member : *object) member.value() = replaced_in(member.value(), part);
    }
    return out;
}

// LINE messages and data are made of texts.
std::string_view member_for(std::string_view key) {
    return key == "messages" || key == "data" ? "text" : key;
}

class Includer {
public:
    explicit Includer(const std::map<std::string, json::object>& parts) : parts_(parts) {}

    json::value content(const std::string& language, const json::value& written) {
        json::value out = written;
        json::object* members = out.if_object();
        if (members == nullptr) return out;
        for (auto& member : *members) {
            const std::string_view key = member.key();
            const std::string place = "/languages/" + escaped(language) + "/" + escaped(key);
            member.value() = replaced_in(member.value(), [&](const std::string& name) {
                return part(name, language, std::string(member_for(key)), place);
            });
        }
        return out;
    }

    std::vector<WrongPlace> problems;

private:
    std::string part(
        const std::string& name,
        const std::string& language,
        const std::string& key,
        const std::string& place
    ) {
        const auto found = parts_.find(name);
        if (found == parts_.end()) {
            problems.push_back(
                {place, fmt::format("includes the template '{}', and there is none", name)}
            );
            return {};
        }
        const std::string read = language_for(found->second, language);
        const json::value* content = found->second.if_contains(read);
        const json::value* text = content == nullptr ? nullptr : find(*content, key);
        if (text == nullptr || !text->is_string()) {
            problems.push_back(
                {place,
                 fmt::format(
                     "includes the template '{}', which has no {} in {}: add it there",
                     name,
                     key,
                     read.empty() ? language : read
                 )}
            );
            return {};
        }
        return std::string(text->get_string());
    }

    const std::map<std::string, json::object>& parts_;
};

}  // namespace

std::set<std::string> partials_in(const json::value& contents) {
    std::set<std::string> names;
    replaced_in(contents, [&](std::string name) {
        names.insert(std::move(name));
        return std::string();
    });
    return names;
}

Included include_partials(
    const json::object& languages, const std::map<std::string, json::object>& parts
) {
    Includer includer(parts);
    Included out;
    for (const auto& [language, content] : languages) {
        out.languages[language] = includer.content(std::string(language), content);
    }
    out.problems = std::move(includer.problems);
    return out;
}

json::object as_written(json::object languages) {
    for (auto& one : languages) {
        json::object* content = one.value().if_object();
        const json::value* kept = content == nullptr ? nullptr : content->if_contains(written_key);
        if (kept == nullptr) continue;
        const json::value written = *kept;
        content->erase(written_key);
        if (!written.is_object()) continue;
        for (const auto& [key, value] : written.get_object()) (*content)[key] = value;
    }
    return languages;
}

json::object with_written(json::object filled, const json::object& languages) {
    for (auto& one : filled) {
        json::object* content = one.value().if_object();
        const json::value* before = languages.if_contains(one.key());
        if (content == nullptr || before == nullptr || !before->is_object()) continue;
        json::object written;
        for (const auto& [key, value] : before->get_object()) {
            if (const json::value* now = content->if_contains(key); now && *now != value) {
                written[key] = value;
            }
        }
        if (!written.empty()) (*content)[written_key] = std::move(written);
    }
    return filled;
}

}  // namespace pawl::app
