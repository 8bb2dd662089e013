#include "steps/redact.hpp"

#include "base/exact_json.hpp"
#include "base/json.hpp"
#include "model/credential_root.hpp"
#include "steps/digits.hpp"
#include "steps/readings.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// Shorter ones would be found in too much that is not secret.
constexpr std::size_t hidden_length_min = 4;
// Words of a secret ("Bearer ...") count alone from this length on.
constexpr std::size_t word_length_min = 8;

// A name without what people put between its words: X-Api-Key, api_key and apiKey are one.
std::string bare(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (is_letter(c) || (c >= '0' && c <= '9')) out += lower(c);
    }
    return out;
}

// Headers that carry credentials, as an echo of a request names them.
bool names_credential_header(std::string_view name) {
    const std::string key = bare(name);
    return key == "authorization" || key == "proxyauthorization" || key == "cookie" ||
           key == "setcookie" || key == "xapikey" || key == "xauthtoken";
}

bool names_secret(std::string_view name) {
    constexpr std::string_view words[] = {
        "authorization",
        "cookie",
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "accesskey",
        "privatekey",
        "credential",
        "signature",
        "bearer"};
    const std::string key = bare(name);
    return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) {
        return key.find(word) != std::string::npos;
    });
}

std::set<std::string> with_words(const std::vector<std::string>& secrets) {
    constexpr std::string_view blanks = " \t\r\n";
    std::set<std::string> all;
    for (const std::string& secret : secrets) {
        if (!secret.empty()) all.insert(secret);
        std::string_view rest = secret;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
            if (end >= word_length_min) all.emplace(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return all;
}

std::vector<std::string> long_enough(const std::set<std::string>& secrets) {
    std::vector<std::string> out;
    for (const std::string& secret : secrets) {
        if (secret.size() >= hidden_length_min) out.push_back(secret);
    }
    return out;
}

// `text` with hidden_text in place of every span. Spans that touch become one: many short secrets
// in a row would otherwise make an answer longer than any limit has allowed.
std::string without(std::string_view text, std::vector<Span> spans) {
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return a.begin < b.begin;
    });
    std::string out;
    std::size_t done = 0;
    for (std::size_t i = 0; i < spans.size();) {
        std::size_t end = spans[i].end;
        out.append(text.substr(done, spans[i].begin - done));
        while (++i < spans.size() && spans[i].begin <= end) end = std::max(end, spans[i].end);
        out.append(hidden_text);
        done = end;
    }
    out.append(text.substr(done));
    return out;
}

void hide_all_text(json::value& value) {
    if (value.is_string()) value = hidden_text;
    if (json::array* array = value.if_array()) {
        for (json::value& item : *array) hide_all_text(item);
    }
}

}  // namespace

Redactor::Redactor(const std::vector<std::string>& secrets)
    : secrets_(with_words(secrets)), search_(long_enough(secrets_)) {}

void Redactor::hide(std::string& text) const {
    if (secrets_.contains(text)) {
        text = hidden_text;
        return;
    }
    if (search_.shortest() == 0) return;
    std::vector<Span> spans;
    each_reading(text, search_.shortest(), [&](const Reading& reading) {
        search_.find(reading, spans);
    });
    if (!spans.empty()) text = without(text, std::move(spans));
}

void Redactor::hide(json::value& value) const {
    if (json::object* object = value.if_object()) {
        json::object clean;
        clean.reserve(object->size());
        for (auto& member : *object) {
            std::string key(member.key());
            hide(key);
            if (names_credential_header(key)) hide_all_text(member.value());
            hide(member.value());
            clean.insert_or_assign(key, std::move(member.value()));
        }
        *object = std::move(clean);
    } else if (json::array* array = value.if_array()) {
        for (json::value& item : *array) hide(item);
    } else if (value.is_string()) {
        std::string text(value.get_string());
        hide(text);
        value = std::move(text);
    } else if (value.is_number()) {
        const std::string text = plain_json(value);
        if (text.size() >= hidden_length_min && secrets_.contains(text)) value = hidden_text;
    }
}

json::value without_sensitive_keys(json::value value) {
    if (json::object* object = value.if_object()) {
        for (auto& member : *object) {
            const bool secret = names_secret(member.key()) && !member.value().is_null();
            member.value() = secret ? json::value(hidden_text)
                                    : without_sensitive_keys(std::move(member.value()));
        }
    } else if (json::array* array = value.if_array()) {
        for (json::value& item : *array) item = without_sensitive_keys(std::move(item));
    }
    return value;
}

}  // namespace pawl::steps
