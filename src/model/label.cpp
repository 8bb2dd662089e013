#include "model/label.hpp"

#include "base/terminal.hpp"
#include "base/utf8.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace pawl {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

// Blanks, and what is drawn as nothing: joiners, fillers, selectors of variants, tags.
constexpr std::array<Range, 22> unseen = {
    {{0x20, 0x20},       {0xa0, 0xa0},      {0xad, 0xad},     {0x34f, 0x34f},   {0x115f, 0x1160},
     {0x1680, 0x1680},   {0x17b4, 0x17b5},  {0x180b, 0x180f}, {0x2000, 0x200d}, {0x202f, 0x202f},
     {0x205f, 0x2065},   {0x206a, 0x206f},  {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
     {0xfe00, 0xfe0f},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0x1bca0, 0x1bca3},
     {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}}};

bool can_be_seen(char32_t character) {
    return std::none_of(unseen.begin(), unseen.end(), [character](Range range) {
        return character >= range.first && character <= range.last;
    });
}

}  // namespace

std::string label_problem(std::string_view text) {
    if (!is_utf8(text)) return "must be text in UTF-8";
    bool seen = false;
    while (!text.empty()) {
        const char32_t character = take_character(text);
        // The joiners are none of them: emoji and Persian need them.
        if (is_terminal_control(character)) {
            return fmt::format(
                "must not have U+{:04X}: leave out what controls the text and is not seen",
                static_cast<unsigned>(character)
            );
        }
        seen = seen || can_be_seen(character);
    }
    return seen ? "" : "must have a character that can be seen";
}

}  // namespace pawl
