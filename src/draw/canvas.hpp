#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::draw {

// How a character looks on a terminal with colours.
enum class Ink : unsigned char { plain, bold, dim, red, green, yellow, blue, magenta, cyan };

// How many columns a terminal gives to UTF-8 text.
int columns_of(std::string_view text);
// At most `limit` columns, with an ellipsis in place of the rest. Control characters, which could
// move the cursor, become '?'.
std::string fit(std::string_view text, int limit);

// A sheet of characters that grows as it is written on.
class Canvas {
public:
    void put(int x, int y, char32_t what, Ink ink = Ink::plain);
    void write(int x, int y, std::string_view text, Ink ink = Ink::plain);
    // Lines of arrows. Where two cross, the vertical one is on top; they never join.
    void across(int x1, int x2, int y, bool dashed, Ink ink);
    void down(int x, int y1, int y2, bool dashed, Ink ink);

    int width() const;  // without blanks at the end of lines
    char32_t at(int x, int y) const;
    // Lines without blanks at their ends, each with a line feed.
    std::string text(bool color) const;

private:
    struct Square {
        char32_t what = U' ';  // 0: the right half of a wide one
        Ink ink = Ink::plain;
    };
    std::vector<std::vector<Square>> rows_;
};

}  // namespace pawl::draw
