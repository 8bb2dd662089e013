#include "cli/commands/hide_secrets.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace pawl::cli {

namespace {

constexpr char shown = 'x';
constexpr std::array<std::string_view, 3> flags{"--api-key", "--database-url", "--sql-url"};

void cover(char* begin, std::size_t length) {
    std::memset(begin, shown, length);
}

// "scheme://user:secret@host", also within a longer text such as ORIGIN=LIMIT or JSON.
void cover_passwords_of_urls(char* word) {
    const std::string_view text(word);
    constexpr std::string_view border = "://";
    for (auto at = text.find(border); at != std::string_view::npos; at = text.find(border, at)) {
        at += border.size();
        const std::size_t end = std::min(text.find_first_of("/?# \"'", at), text.size());
        const std::string_view authority = text.substr(at, end - at);
        const std::size_t host = authority.rfind('@');
        const std::size_t colon = authority.find(':');
        if (host == std::string_view::npos || colon > host) continue;
        cover(word + at + colon + 1, host - colon - 1);
    }
}

// "host=db password=secret": to the end of the word, because it may be quoted in many ways.
void cover_password_settings(char* word) {
    const std::string_view text(word);
    for (const std::string_view key : {"password=", "password ="}) {
        const std::size_t at = text.find(key);
        if (at != std::string_view::npos) {
            cover(word + at + key.size(), text.size() - at - key.size());
        }
    }
}

}  // namespace

void hide_secrets(int argc, char** argv) {
    bool is_value = false;  // of one of the flags
    for (int i = 1; i < argc; ++i) {
        const std::string_view word(argv[i]);
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(0, equals);
        const bool is_flag = std::find(flags.begin(), flags.end(), name) != flags.end();
        if (is_value) {
            cover(argv[i], word.size());
        } else if (is_flag && equals != std::string_view::npos) {
            cover(argv[i] + equals + 1, word.size() - equals - 1);
        } else {
            cover_passwords_of_urls(argv[i]);
            cover_password_settings(argv[i]);
        }
        is_value = !is_value && is_flag && equals == std::string_view::npos;
    }
}

}  // namespace pawl::cli
