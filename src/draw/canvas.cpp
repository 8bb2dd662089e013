#include "draw/canvas.hpp"

#include <algorithm>

namespace pawl::draw {

namespace {

// Takes one character off the front; a broken byte counts as one.
char32_t take(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xc0) || size > text.size()) size = 1;
    auto code = static_cast<char32_t>(size == 1 ? lead : lead & (0xffU >> (size + 1)));
    for (std::size_t i = 1; i < size; ++i) {
        code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    }
    text.remove_prefix(size);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    // Marks that turn the direction of writing would turn the drawing.
    const bool turns = (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
                       (code >= 0x2066 && code <= 0x2069);
    if (code == U'\n' || code == U'\t') return U' ';
    return control || turns || (size == 1 && code > 0x7f) ? U'?' : code;
}

void append(std::string& out, char32_t code) {
    const auto tail = [&](int shift) {
        out += static_cast<char>(0x80U | ((code >> shift) & 0x3fU));
    };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0U | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0U | (code >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0U | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

// East Asian wide characters and emoji; good enough for labels.
int columns_of_code(char32_t code) {
    const bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                      (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                      (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                      (code >= 0x1f300 && code <= 0x1faff) || (code >= 0x20000 && code <= 0x3fffd);
    return wide ? 2 : 1;
}

const char* code_of(Ink ink) {
    switch (ink) {
        case Ink::plain: return "0";
        case Ink::bold: return "1";
        case Ink::dim: return "2";
        case Ink::red: return "31";
        case Ink::green: return "32";
        case Ink::yellow: return "33";
        case Ink::blue: return "34";
        case Ink::magenta: return "35";
        case Ink::cyan: return "36";
    }
    return "0";
}

constexpr char32_t solid_across = U'─';
constexpr char32_t dashed_across = U'╌';

}  // namespace

int columns_of(std::string_view text) {
    int columns = 0;
    while (!text.empty()) columns += columns_of_code(take(text));
    return columns;
}

std::string fit(std::string_view text, int limit) {
    const bool whole = columns_of(text) <= limit;
    int left = whole ? limit : limit - 1;
    std::string out;
    while (!text.empty()) {
        const char32_t code = take(text);
        left -= columns_of_code(code);
        if (left < 0) break;
        append(out, code);
    }
    return whole || limit <= 0 ? out : out + "…";
}

void Canvas::put(int x, int y, char32_t what, Ink ink) {
    if (x < 0 || y < 0) return;
    const auto row = static_cast<std::size_t>(y);
    const auto column = static_cast<std::size_t>(x);
    if (rows_.size() <= row) rows_.resize(row + 1);
    if (rows_[row].size() <= column) rows_[row].resize(column + 1);
    rows_[row][column] = {what, ink};
}

void Canvas::write(int x, int y, std::string_view text, Ink ink) {
    while (!text.empty()) {
        const char32_t code = take(text);
        put(x++, y, code, ink);
        if (columns_of_code(code) == 2) put(x++, y, 0, ink);
    }
}

void Canvas::across(int x1, int x2, int y, bool dashed, Ink ink) {
    for (int x = std::min(x1, x2); x <= std::max(x1, x2); ++x) {
        if (at(x, y) == U' ') put(x, y, dashed ? dashed_across : solid_across, ink);
    }
}

void Canvas::down(int x, int y1, int y2, bool dashed, Ink ink) {
    for (int y = std::min(y1, y2); y <= std::max(y1, y2); ++y) {
        put(x, y, dashed ? U'╎' : U'│', ink);
    }
}

int Canvas::width() const {
    std::size_t width = 0;
    for (const auto& row : rows_) {
        std::size_t end = row.size();
        while (end > 0 && row[end - 1].what == U' ') --end;
        width = std::max(width, end);
    }
    return static_cast<int>(width);
}

char32_t Canvas::at(int x, int y) const {
    const auto row = static_cast<std::size_t>(y);
    const auto column = static_cast<std::size_t>(x);
    if (x < 0 || y < 0 || row >= rows_.size() || column >= rows_[row].size()) return U' ';
    return rows_[row][column].what;
}

std::string Canvas::text(bool color) const {
    std::string out;
    for (const auto& row : rows_) {
        std::size_t end = row.size();
        while (end > 0 && row[end - 1].what == U' ') --end;
        Ink ink = Ink::plain;
        for (std::size_t i = 0; i < end; ++i) {
            if (row[i].what == 0) continue;
            const Ink wanted = row[i].what == U' ' ? ink : row[i].ink;
            if (color && wanted != ink) {
                out += "\x1b[0m";
                if (wanted != Ink::plain) out.append("\x1b[").append(code_of(wanted)).append("m");
            }
            ink = wanted;
            append(out, row[i].what);
        }
        if (color && ink != Ink::plain) out += "\x1b[0m";
        out += '\n';
    }
    return out;
}

}  // namespace pawl::draw
