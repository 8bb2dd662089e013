#include "connect/links.hpp"

#include "base/html.hpp"
#include "base/json.hpp"

#include <boost/json/value.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <optional>

namespace pawl::connect {

namespace {

constexpr std::size_t url_bytes_max = 2000;
// As LINE has it for the URI of an action.
constexpr std::size_t line_uri_max = 1000;

char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_with(std::string_view text, std::string_view beginning) {
    return text.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), text.begin(), [](char a, char b) {
               return a == small(b);
           });
}

bool equals(std::string_view text, std::string_view word) {
    return text.size() == word.size() && starts_with(text, word);
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

// What can be in a URL that is written in a text: no other alphabet, which may follow it directly.
bool is_url_char(char c) {
    return c > ' ' && c < 0x7f && c != '<' && c != '>' && c != '"' && c != '\\' && c != '`';
}

std::size_t scheme_length(std::string_view text) {
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (starts_with(text, scheme)) return scheme.size();
    }
    return 0;
}

// "(see https://a.example/b)." ends before the parenthesis that was opened outside.
std::string_view without_punctuation(std::string_view url) {
    for (;;) {
        const char last = url.back();
        const bool closes = last == ')' || last == ']' || last == '}';
        const char opening = last == ')' ? '(' : last == ']' ? '[' : '{';
        const bool unbalanced = closes && std::count(url.begin(), url.end(), opening) <
                                              std::count(url.begin(), url.end(), last);
        if (!unbalanced && std::string_view(".,;:!?'*").find(last) == std::string_view::npos)
            return url;
        url.remove_suffix(1);
    }
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0 | code >> 6);
        byte(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        byte(0xe0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    } else {
        byte(0xf0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3f));
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    }
}

// The character of "amp", "#38" or "#x26"; nothing: of none that a URL needs.
std::optional<std::uint32_t> character_of(std::string_view name) {
    constexpr std::pair<std::string_view, std::uint32_t> names[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [one, code] : names) {
        if (name == one) return code;
    }
    if (name.size() < 2 || name[0] != '#') return std::nullopt;
    const bool hex = small(name[1]) == 'x';
    std::uint32_t code = 0;
    for (const char c : name.substr(hex ? 2 : 1)) {
        const char d = small(c);
        const bool digit = d >= '0' && d <= '9';
        if (!digit && !(hex && d >= 'a' && d <= 'f')) return std::nullopt;
        code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(digit ? d - '0' : d - 'a' + 10);
        if (code > 0x10ffff) return std::nullopt;
    }
    return code;
}

std::string unescape_html(std::string_view text) {
    constexpr std::size_t entity_max = 10;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = text[i] == '&' ? text.substr(i, entity_max).find(';') : 0;
        const auto code = end > 1 && end != std::string_view::npos
                              ? character_of(text.substr(i + 1, end - 1))
                              : std::nullopt;
        if (code) {
            append_utf8(out, *code);
            i += end;
        } else {
            out += text[i];
        }
    }
    return out;
}

struct Attribute {
    std::string_view name;
    std::string_view value;  // as it is written
    std::size_t begin = 0;   // of the value with its quotes, in the text
    std::size_t end = 0;
};

// Copies a document and replaces what links in it lead to.
class HtmlWalk {
public:
    HtmlWalk(std::string_view html, const LinkFor& link) : html_(html), link_(link) {}

    std::string run() {
        while (at_ < html_.size()) {
            const std::size_t tag = std::min(html_.find('<', at_), html_.size());
            at_ = tag;
            if (tag == html_.size()) break;
            if (html_.substr(tag).starts_with("<!--")) {
                skip_behind("-->");
            } else {
                element();
            }
        }
        out_ += html_.substr(copied_);
        return std::move(out_);
    }

private:
    void skip_behind(std::string_view mark) {
        const std::size_t found = html_.find(mark, at_);
        at_ = found == std::string_view::npos ? html_.size() : found + mark.size();
    }

    std::string_view take_name(std::string_view ends) {
        const std::size_t begin = at_;
        while (at_ < html_.size() && !is_space(html_[at_]) &&
               ends.find(html_[at_]) == std::string_view::npos)
            ++at_;
        return html_.substr(begin, at_ - begin);
    }

    void skip_spaces() {
        while (at_ < html_.size() && is_space(html_[at_])) ++at_;
    }

    void element() {
        ++at_;
        const std::string_view name = take_name(">/");
        const bool leads = equals(name, "a") || equals(name, "area");
        std::optional<Attribute> href;
        bool tracked = true;
        while (at_ < html_.size() && html_[at_] != '>') {
            const auto one = attribute();
            if (!one) continue;
            if (equals(one->name, "href") && !href) href = *one;
            if (equals(one->name, "data-track") && equals(one->value, "false")) tracked = false;
        }
        const bool whole = at_ < html_.size();
        if (whole) ++at_;
        if (whole && leads && tracked && href) replace(*href);
        for (const std::string_view raw : {"script", "style", "textarea", "title"}) {
            if (equals(name, raw)) skip_to_end_of(raw);
        }
    }

    std::optional<Attribute> attribute() {
        if (is_space(html_[at_]) || html_[at_] == '/') {
            ++at_;
            return std::nullopt;
        }
        Attribute one;
        const std::size_t begin = at_;
        one.name = take_name(">/=");
        if (at_ == begin) ++at_;  // a lone sign of equality
        skip_spaces();
        if (at_ >= html_.size() || html_[at_] != '=') return one;
        ++at_;
        skip_spaces();
        if (at_ >= html_.size()) return one;
        one.begin = at_;
        const char quote = html_[at_];
        if (quote == '"' || quote == '\'') {
            const std::size_t close = std::min(html_.find(quote, at_ + 1), html_.size());
            one.value = html_.substr(at_ + 1, close - at_ - 1);
            at_ = std::min(close + 1, html_.size());
        } else {
            one.value = take_name(">");
        }
        one.end = at_;
        return one;
    }

    void replace(const Attribute& href) {
        std::string url = unescape_html(href.value);
        while (!url.empty() && is_space(url.back())) url.pop_back();
        url.erase(0, std::min(url.find_first_not_of(" \t\r\n\f"), url.size()));
        if (!is_plain_url(url)) return;
        const std::string better = link_(url);
        if (better.empty()) return;
        out_ += html_.substr(copied_, href.begin - copied_);
        out_ += fmt::format("\"{}\"", escape_html(better));
        copied_ = href.end;
    }

    void skip_to_end_of(std::string_view name) {
        while (at_ < html_.size()) {
            skip_behind("</");
            if (starts_with(html_.substr(at_), name)) return;
        }
    }

    std::string_view html_;
    const LinkFor& link_;
    std::string out_;
    std::size_t at_ = 0;
    std::size_t copied_ = 0;
};

std::string with_pixel(std::string html, std::string_view pixel) {
    const std::string image = fmt::format(
        "<img src=\"{}\" width=\"1\" height=\"1\" alt=\"\" style=\"border:0\">", escape_html(pixel)
    );
    std::size_t place = html.size();
    for (std::size_t at = html.size(); at-- > 0;) {
        if (html[at] == '<' && starts_with(std::string_view(html).substr(at), "</body")) {
            place = at;
            break;
        }
    }
    return html.insert(place, image);
}

void replace_in_text(json::object& object, std::string_view key, const LinkFor& link) {
    json::value* value = object.if_contains(key);
    if (value != nullptr && value->is_string())
        *value = replace_links(std::string_view(value->get_string()), link);
}

void replace_uri(json::object& action, std::string_view key, const LinkFor& link) {
    json::value* value = action.if_contains(key);
    if (value == nullptr || !value->is_string() || !is_plain_url(value->get_string())) return;
    const std::string better = link(value->get_string());
    if (!better.empty() && better.size() <= line_uri_max) *value = better;
}

// Actions are anywhere in a template or a flex message.
void replace_actions(json::value& value, const LinkFor& link) {
    if (json::array* list = value.if_array()) {
        for (json::value& one : *list) replace_actions(one, link);
    } else if (json::object* object = value.if_object()) {
        if (text_in(*object, "type") == "uri") {
            replace_uri(*object, "uri", link);
            replace_uri(*object, "linkUri", link);
        }
        for (auto& member : *object) replace_actions(member.value(), link);
    }
}

}  // namespace

bool is_plain_url(std::string_view url) {
    const std::size_t scheme = scheme_length(url);
    return scheme > 0 && url.size() > scheme && url.size() <= url_bytes_max && url[scheme] != '/' &&
           std::all_of(url.begin(), url.end(), is_url_char);
}

std::string replace_links(std::string_view text, const LinkFor& link) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (small(text[at]) != 'h' || scheme_length(text.substr(at)) == 0) continue;
        const auto* end = std::find_if_not(
            text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_url_char
        );
        std::string_view url = text.substr(at, static_cast<std::size_t>(end - text.begin()) - at);
        url = without_punctuation(url);
        const std::string better = is_plain_url(url) ? link(url) : std::string();
        if (!better.empty()) {
            out += text.substr(copied, at - copied);
            out += better;
            copied = at + url.size();
        }
        at += url.size() - 1;
    }
    out += text.substr(copied);
    return out;
}

std::string replace_html_links(std::string_view html, const LinkFor& link) {
    return HtmlWalk(html, link).run();
}

json::object track_content(json::object content, const LinkFor& link, std::string_view pixel) {
    replace_in_text(content, "text", link);
    json::value* html = content.if_contains("html");
    if (html != nullptr && html->is_string()) {
        std::string better = replace_html_links(std::string_view(html->get_string()), link);
        if (!pixel.empty()) better = with_pixel(std::move(better), pixel);
        *html = better;
    }
    json::value* messages = content.if_contains("messages");
    if (messages != nullptr && messages->is_array()) {
        for (json::value& message : messages->get_array()) {
            if (!message.is_object()) continue;
            if (text_in(message, "type").starts_with("text"))
                replace_in_text(message.get_object(), "text", link);
            replace_actions(message, link);
        }
    }
    return content;
}

}  // namespace pawl::connect
