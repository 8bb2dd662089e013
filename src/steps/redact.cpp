#include "steps/redact.hpp"

#include "base/base64url.hpp"
#include "base/json.hpp"
#include "model/credentials.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace pawl::steps {

namespace {

// Shorter ones would be found in too much that is not secret.
constexpr std::size_t hidden_length_min = 4;
// Words of a secret ("Bearer ...") count alone from this length on.
constexpr std::size_t word_length_min = 8;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char small = lower(c);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

// The number of `digits` hexadecimal digits at the start of `text`, or -1.
int hex_number(std::string_view text, std::size_t digits) {
    if (text.size() < digits) return -1;
    int number = 0;
    for (std::size_t i = 0; i < digits; ++i) {
        const int digit = hex_digit(text[i]);
        if (digit < 0) return -1;
        number = number * 16 + digit;
    }
    return number;
}

// A text with its escapes undone, and where each of its bytes stands in the text it was made of.
struct Decoded {
    std::string text;
    std::vector<std::size_t> at;  // one more than bytes: the last is the end

    void put(char byte, std::size_t from) {
        text += byte;
        at.push_back(from);
    }
    void put_code(unsigned code, std::size_t from) {
        const auto byte = [&](unsigned value) { put(static_cast<char>(value), from); };
        if (code < 0x80) return byte(code);
        if (code < 0x800) {
            byte(0xc0 | code >> 6);
        } else if (code < 0x10000) {
            byte(0xe0 | code >> 12);
            byte(0x80 | (code >> 6 & 0x3f));
        } else {
            byte(0xf0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3f));
            byte(0x80 | (code >> 6 & 0x3f));
        }
        byte(0x80 | (code & 0x3f));
    }
};

Decoded undo_percent(std::string_view text, bool plus_is_space) {
    Decoded out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int byte = text[i] == '%' ? hex_number(text.substr(i + 1), 2) : -1;
        if (byte >= 0) {
            out.put(static_cast<char>(byte), i);
            i += 2;
        } else {
            out.put(plus_is_space && text[i] == '+' ? ' ' : text[i], i);
        }
    }
    out.at.push_back(text.size());
    return out;
}

// How many bytes an escape of JSON at the start of `text` takes; what it means goes to `out`.
std::size_t take_escape(std::string_view text, std::size_t at, Decoded& out) {
    constexpr std::string_view names = "bfnrt\"\\/";
    constexpr std::string_view means = "\b\f\n\r\t\"\\/";
    if (text.size() < 2) return 0;
    if (const auto named = names.find(text[1]); named != names.npos) {
        out.put(means[named], at);
        return 2;
    }
    const int first = text[1] == 'u' ? hex_number(text.substr(2), 4) : -1;
    if (first < 0) return 0;
    auto code = static_cast<unsigned>(first);
    std::size_t taken = 6;
    if (code >= 0xd800 && code < 0xdc00 && text.substr(6).starts_with("\\u")) {
        const int second = hex_number(text.substr(8), 4);
        if (second >= 0xdc00 && second < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (static_cast<unsigned>(second) - 0xdc00);
            taken = 12;
        }
    }
    out.put_code(code, at);
    return taken;
}

Decoded undo_json(std::string_view text) {
    Decoded out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t taken = text[i] == '\\' ? take_escape(text.substr(i), i, out) : 0;
        if (taken == 0) out.put(text[i], i);
        i += std::max<std::size_t>(taken, 1);
    }
    out.at.push_back(text.size());
    return out;
}

// Replaces every secret that is in `text` once its escapes are undone.
template <class Undo>
void hide_under(std::string& text, const std::vector<std::string>& secrets, const Undo& undo) {
    for (const std::string& secret : secrets) {
        const Decoded seen = undo(text);
        if (seen.text.size() == text.size() && seen.text == text) return;  // nothing is escaped
        std::size_t at = seen.text.rfind(secret);
        for (; at != std::string::npos; at = seen.text.rfind(secret, at - secret.size())) {
            const std::size_t begin = seen.at[at];
            text.replace(begin, seen.at[at + secret.size()] - begin, hidden_text);
            if (at < secret.size()) break;
        }
    }
}

void hide_plain(std::string& text, const std::vector<std::string>& secrets) {
    for (const std::string& secret : secrets) {
        for (std::size_t at = text.find(secret); at != std::string::npos;
             at = text.find(secret, at + hidden_text.size())) {
            text.replace(at, secret.size(), hidden_text);
        }
    }
}

bool is_base64(char c) {
    return hex_digit(c) >= 0 || (lower(c) >= 'a' && lower(c) <= 'z') || c == '+' || c == '/' ||
           c == '-' || c == '_';
}

std::string hex_of(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<unsigned char>(c));
    }
    return out;
}

// A name without what people put between its words: X-Api-Key, api_key and apiKey are one.
std::string bare(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (hex_digit(c) >= 0 || (lower(c) >= 'a' && lower(c) <= 'z')) out += lower(c);
    }
    return out;
}

// Headers that carry credentials, as an echo of a request names them.
bool names_credential_header(std::string_view name) {
    const std::string key = bare(name);
    return key == "authorization" || key == "proxyauthorization" || key == "cookie" ||
           key == "xapikey" || key == "xauthtoken";
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

}  // namespace

Redactor::Redactor(const std::vector<std::string>& secrets) {
    const auto add = [this](std::string_view secret) {
        auto& to = secret.size() < hidden_length_min ? short_ : plain_;
        if (!secret.empty() && std::find(to.begin(), to.end(), secret) == to.end()) {
            to.emplace_back(secret);
        }
    };
    for (const std::string& secret : secrets) {
        add(secret);
        constexpr std::string_view blanks = " \t\r\n";
        std::string_view rest = secret;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
            if (end >= word_length_min) add(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    std::stable_sort(plain_.begin(), plain_.end(), [](const auto& a, const auto& b) {
        return a.size() > b.size();
    });
    for (const std::string& secret : plain_) {
        encoded_.push_back({hex_of(secret), true});
        for (std::size_t before = 0; before < 3; ++before) {
            // What the bytes before and behind decide is left out; of a character that they share
            // with the secret, hide_encoded() takes the rest.
            const std::string whole = to_base64url(std::string(before, '\0') + secret);
            const std::size_t bits = (before + secret.size()) * 8;
            const std::size_t skipped = before == 0 ? 0 : before + 1;
            std::string url = whole.substr(skipped, bits / 6 - skipped);
            std::string usual = url;
            std::replace(usual.begin(), usual.end(), '-', '+');
            std::replace(usual.begin(), usual.end(), '_', '/');
            if (usual != url) encoded_.push_back({usual, false, before > 0, bits % 6 != 0});
            encoded_.push_back({std::move(url), false, before > 0, bits % 6 != 0});
        }
    }
}

bool Redactor::is_short_secret(std::string_view text) const {
    return std::find(short_.begin(), short_.end(), text) != short_.end();
}

void Redactor::hide_encoded(std::string& text) const {
    for (const Form& form : encoded_) {
        const auto same = [&](char a, char b) {
            return form.any_case ? lower(a) == lower(b) : a == b;
        };
        for (std::size_t from = 0; from < text.size();) {
            const auto found = std::search(
                text.begin() + static_cast<std::ptrdiff_t>(from),
                text.end(),
                form.text.begin(),
                form.text.end(),
                same
            );
            if (found == text.end()) break;
            auto begin = static_cast<std::size_t>(found - text.begin());
            std::size_t end = begin + form.text.size();
            if (form.bits_left && begin > from && is_base64(text[begin - 1])) --begin;
            if (form.bits_right && end < text.size() && is_base64(text[end])) ++end;
            text.replace(begin, end - begin, hidden_text);
            from = begin + hidden_text.size();
        }
    }
}

void Redactor::hide(std::string& text) const {
    if (is_short_secret(text)) {
        text = hidden_text;
        return;
    }
    if (plain_.empty()) return;
    hide_plain(text, plain_);
    hide_encoded(text);
    const auto json = [](std::string_view escaped) { return undo_json(escaped); };
    const auto percent = [](std::string_view escaped) { return undo_percent(escaped, false); };
    const auto form = [](std::string_view escaped) { return undo_percent(escaped, true); };
    const auto twice = [](const auto& first, const auto& second) {
        return [&first, &second](std::string_view escaped) {
            const Decoded outer = first(escaped);
            Decoded inner = second(std::string_view(outer.text));
            for (std::size_t& at : inner.at) at = outer.at[at];
            return inner;
        };
    };
    if (text.find('\\') != std::string::npos) {
        hide_under(text, plain_, json);
        hide_under(text, plain_, twice(json, json));
        hide_under(text, plain_, twice(json, percent));
    }
    if (text.find_first_of("%+") != std::string::npos) {
        hide_under(text, plain_, percent);
        hide_under(text, plain_, form);
        hide_under(text, plain_, twice(percent, percent));
        hide_under(text, plain_, twice(percent, json));
    }
}

void Redactor::hide(json::value& value) const {
    if (json::object* object = value.if_object()) {
        json::object clean;
        clean.reserve(object->size());
        for (auto& member : *object) {
            std::string key(member.key());
            hide(key);
            if (names_credential_header(key) && member.value().is_string()) {
                member.value() = hidden_text;
            } else {
                hide(member.value());
            }
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
        const std::string text = json::serialize(value);
        if (std::find(plain_.begin(), plain_.end(), text) != plain_.end()) value = hidden_text;
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
