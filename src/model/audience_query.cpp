#include "model/audience_query.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace pawl {

namespace {

constexpr std::size_t query_bytes_max = 20'000;
constexpr std::string_view blanks = " \t\r\n\f\v";

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_word(char c) {
    return is_letter(c) || is_digit(c);
}

// Walks over a text of SQL: quotes, comments and dollar quotes are passed as a whole.
class Walk {
public:
    explicit Walk(std::string_view text) : text_(text) {}

    bool over() const { return at_ >= text_.size(); }
    std::size_t at() const { return at_; }

    // The next character that stands by itself, or the first of a word; 0 at the end.
    char next() {
        while (!over()) {
            const char c = text_[at_];
            if (two("--")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (two("/*")) {
                skip_comment();
            } else if (c == '\'' || c == '"') {
                skip_quoted(c, c == '\'' && escapes());
            } else if (c == '$' && (at_ == 0 || !is_word(text_[at_ - 1])) && skip_dollar()) {
                continue;
            } else if (blanks.find(c) != blanks.npos) {
                ++at_;
            } else {
                ++at_;
                return c;
            }
        }
        return 0;
    }

    std::string_view word() {
        const std::size_t begin = at_ - 1;
        while (!over() && is_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

private:
    bool two(std::string_view what) const { return text_.substr(at_, 2) == what; }

    // E'...' knows backslashes.
    bool escapes() const {
        if (at_ == 0 || (text_[at_ - 1] != 'e' && text_[at_ - 1] != 'E')) return false;
        return at_ == 1 || !is_word(text_[at_ - 2]);
    }

    void skip_quoted(char quote, bool backslashes) {
        for (++at_; at_ < text_.size(); ++at_) {
            if (backslashes && text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == quote) {
                break;
            }
        }
        at_ = std::min(at_ + 1, text_.size());
    }

    void skip_comment() {
        int depth = 0;  // they nest
        do {
            if (two("/*")) ++depth;
            if (two("*/")) --depth;
            at_ += two("/*") || two("*/") ? 2 : 1;
        } while (depth > 0 && !over());
        at_ = std::min(at_, text_.size());
    }

    bool skip_dollar() {
        std::size_t end = at_ + 1;
        if (end < text_.size() && is_digit(text_[end])) return false;
        while (end < text_.size() && is_word(text_[end])) ++end;
        if (end >= text_.size() || text_[end] != '$') return false;
        const std::string_view tag = text_.substr(at_, end + 1 - at_);
        const std::size_t close = text_.find(tag, end + 1);
        at_ = close == text_.npos ? text_.size() : close + tag.size();
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string lower(std::string_view word) {
    std::string made(word);
    std::transform(made.begin(), made.end(), made.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return made;
}

}  // namespace

std::string_view trimmed_query(std::string_view query) {
    while (!query.empty() && (query.back() == ';' || blanks.find(query.back()) != blanks.npos)) {
        query.remove_suffix(1);
    }
    return query;
}

std::string audience_problem(std::string_view query) {
    query = trimmed_query(query);
    if (query.empty()) return "must be a query that has a column subject";
    if (query.size() > query_bytes_max) {
        return fmt::format("has more than {} bytes", query_bytes_max);
    }
    if (query.find('\0') != query.npos) return "has a character that no query can have";
    if (query.find("{{") != query.npos) {
        return "cannot have templates: the query is the same for each slot";
    }
    Walk walk(query);
    char c = walk.next();
    while (c == '(') c = walk.next();
    const std::string first = is_letter(c) ? lower(walk.word()) : std::string(c == 0 ? 0 : 1, c);
    constexpr std::array<std::string_view, 4> known{"select", "with", "values", "table"};
    if (std::find(known.begin(), known.end(), first) == known.end()) {
        return fmt::format("must be a SELECT; it begins with '{}'", first);
    }
    while ((c = walk.next()) != 0) {
        if (c == ';') return "must be one statement: there is something behind a semicolon";
        if (c == '$') return "has no parameters: write the values into the query";
        if (is_letter(c)) walk.word();
    }
    return {};
}

std::string local_time_problem(std::string_view text) {
    const bool shaped = text.size() == 5 && text[2] == ':' && is_digit(text[0]) &&
                        is_digit(text[1]) && is_digit(text[3]) && is_digit(text[4]);
    if (shaped && text.substr(0, 2) < "24" && text.substr(3) < "60") return {};
    return "must be a time of the day from 00:00 to 23:59, such as \"09:00\"";
}

}  // namespace pawl
