#include "app/messages/template_check.hpp"

#include "model/journey_reader.hpp"
#include "model/json_pointer.hpp"
#include "model/person_root.hpp"
#include "model/suggest.hpp"
#include "model/template.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

namespace pawl::app {

namespace {

constexpr std::size_t languages_max = 100;
constexpr std::size_t bytes_max = 256 << 10;  // of one language
constexpr std::array<std::string_view, 6> roots = {
    person_root, trigger_root, "with", "unsubscribe_url", "preferences_url", "message"};

// What a template may say: the content of a message, and whether its links are tracked.
std::vector<std::string_view> template_keys() {
    std::vector<std::string_view> keys(
        std::begin(message_content_keys), std::end(message_content_keys)
    );
    keys.push_back("track");
    return keys;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "th", "th-TH", "zh-Hant-TW".
bool is_language(std::string_view text) {
    constexpr std::size_t part_max = 8;
    if (text.size() > 35) return false;
    bool first = true;
    while (true) {
        const std::string_view part = text.substr(0, text.find('-'));
        const bool fine = std::all_of(part.begin(), part.end(), [&](char c) {
            return is_letter(c) || (!first && c >= '0' && c <= '9');
        });
        if (!fine || part.size() < (first ? 2U : 1U) || part.size() > part_max) return false;
        if (part.size() == text.size()) return true;
        text.remove_prefix(part.size() + 1);
        first = false;
    }
}

std::string small(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == '_') c = '-';
    }
    return out;
}

std::string_view bare(std::string_view language) {
    return language.substr(0, language.find('-'));
}

// A list of messages and data may hold anything; the rest is text.
const char* wrong_kind(std::string_view key, const json::value& value) {
    if (key == "messages") return value.is_array() ? nullptr : "must be a list";
    if (key == "track") return value.is_bool() ? nullptr : "must be true or false";
    if (key == "data") return value.is_object() ? nullptr : "must be an object";
    return value.is_string() ? nullptr : "must be text";
}

class Checker {
public:
    std::vector<WrongPlace> found;

    void content(const std::string& pointer, const json::value& value) {
        const json::object* content = value.if_object();
        if (content == nullptr || content->empty()) {
            return add(pointer, "must be an object such as {\"text\": \"Hello\"}");
        }
        if (json::serialize(*content).size() > bytes_max) {
            return add(pointer, "must have at most 256 KiB");
        }
        for (const auto& [key, part] : *content) {
            const std::string place = pointer + "/" + escaped(key);
            const auto keys = template_keys();
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
                add(place, "is unknown" + suggest(key, keys));
                continue;
            }
            if (const char* wrong = wrong_kind(key, part)) {
                add(place, wrong);
                continue;
            }
            placeholders_of(place, part);
        }
    }

    void add(std::string pointer, std::string detail) {
        found.push_back({std::move(pointer), std::move(detail)});
    }

private:
    void placeholders_of(const std::string& place, const json::value& part) {
        const auto all = placeholders(part);
        if (!all) return add(place, all.error().message);
        for (const Placeholder& one : *all) {
            const std::string& root = one.path[0].key;
            if (std::find(roots.begin(), roots.end(), root) != roots.end()) continue;
            add(place,
                fmt::format(
                    "{{{{ {} }}}} is unknown: a template sees user, trigger, with, "
                    "unsubscribe_url, preferences_url and message{}",
                    one.text,
                    suggest(root, {roots.begin(), roots.end()})
                ));
        }
    }
};

}  // namespace

std::vector<WrongPlace> template_problems(const json::object& languages) {
    Checker checker;
    if (languages.empty() || languages.size() > languages_max) {
        checker.add("/languages", "must have 1 to 100 languages, such as {\"en\": {...}}");
        return checker.found;
    }
    std::map<std::string, int> seen;
    for (const auto& [language, content] : languages) {
        const std::string pointer = "/languages/" + escaped(language);
        if (!is_language(language)) {
            checker.add(pointer, "must be a language such as en, th or pt-BR");
        } else if (++seen[small(language)] > 1) {
            checker.add(pointer, "is there twice, in another spelling");
        }
        checker.content(pointer, content);
    }
    return checker.found;
}

std::string language_for(const json::object& languages, std::string_view locale) {
    const std::string wanted = small(locale);
    const auto rank = [&](std::string_view written) {
        const std::string language = small(written);
        if (language == wanted) return 1;
        if (language == bare(wanted)) return 2;
        if (bare(language) == bare(wanted)) return 3;
        return language == "en" ? 4 : 5;
    };
    std::string best;
    for (const auto& [language, content] : languages) {
        const std::string_view one = language;
        if (best.empty() ||
            std::pair(rank(one), one) < std::pair(rank(best), std::string_view(best)))
            best = one;
    }
    return best;
}

}  // namespace pawl::app
