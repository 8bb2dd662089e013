#include "steps/readings.hpp"

#include "steps/digits.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pawl::steps {

namespace {

using See = std::function<void(const Reading& reading)>;

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

// What an escape at the start of a text means, and how many bytes it takes; 0: it is none.
struct Escape {
    std::size_t taken = 0;
    std::uint32_t code = 0;
    bool is_byte = false;  // not a character, which may have several bytes
};

Escape take_json(std::string_view text) {
    constexpr std::string_view names = "bfnrt\"\\/";
    constexpr std::string_view means = "\b\f\n\r\t\"\\/";
    if (text.size() < 2 || text[0] != '\\') return {};
    if (const auto named = names.find(text[1]); named != names.npos) {
        return {2, static_cast<std::uint32_t>(means[named])};
    }
    const int first = text[1] == 'u' ? hex_number(text.substr(2), 4) : -1;
    if (first < 0) return {};
    const auto code = static_cast<std::uint32_t>(first);
    if (code >= 0xd800 && code < 0xdc00 && text.substr(6).starts_with("\\u")) {
        const int second = hex_number(text.substr(8), 4);
        if (second >= 0xdc00 && second < 0xe000) {
            const auto low = static_cast<std::uint32_t>(second) - 0xdc00;
            return {12, 0x10000 + ((code - 0xd800) << 10) + low};
        }
    }
    return {6, code};
}

Escape take_percent(std::string_view text) {
    const int byte = text[0] == '%' ? hex_number(text.substr(1), 2) : -1;
    if (byte < 0) return {};
    return {3, static_cast<std::uint32_t>(byte), true};
}

Escape take_form(std::string_view text) {
    if (text[0] == '+') return {1, ' '};
    return take_percent(text);
}

// &amp; &#38; &#x26;
Escape take_html(std::string_view text) {
    constexpr std::size_t length_max = 10;
    constexpr std::pair<std::string_view, char> names[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    if (text[0] != '&') return {};
    const std::size_t end = text.substr(0, length_max).find(';');
    if (end == text.npos) return {};
    std::string_view name = text.substr(1, end - 1);
    for (const auto& [known, means] : names) {
        if (name == known) return {end + 1, static_cast<std::uint32_t>(means)};
    }
    if (!name.starts_with('#')) return {};
    name.remove_prefix(1);
    const bool hex = name.starts_with('x') || name.starts_with('X');
    if (hex) name.remove_prefix(1);
    std::uint32_t code = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    const bool whole = read.ec == std::errc{} && read.ptr == name.data() + name.size();
    if (!whole || code > 0x10ffff) return {};
    return {end + 1, code};
}

void put_character(Reading& out, std::uint32_t code, std::size_t begin, std::size_t end) {
    const auto byte = [&](std::uint32_t value) { out.put(static_cast<char>(value), begin, end); };
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

struct Encoding {
    std::string_view marks;  // none of them in a text: nothing in it is escaped
    Escape (*take)(std::string_view text);

    bool used_in(const Reading& from) const {
        return from.text.find_first_of(marks) != std::string::npos;
    }
    Reading undo(const Reading& from) const {
        Reading out;
        for (std::size_t i = 0; i < from.text.size();) {
            const Escape escape = take(std::string_view(from.text).substr(i));
            const std::size_t taken = std::max<std::size_t>(escape.taken, 1);
            const std::size_t begin = from.begin_of(i);
            const std::size_t end = from.end_of(i + taken - 1);
            if (escape.taken == 0) {
                out.put(from.text[i], begin, end);
            } else if (escape.is_byte) {
                out.put(static_cast<char>(escape.code), begin, end);
            } else {
                put_character(out, escape.code, begin, end);
            }
            i += taken;
        }
        return out;
    }
};

constexpr Encoding json_text{"\\", take_json};
constexpr Encoding percent{"%", take_percent};
constexpr Encoding form{"+", take_form};
constexpr Encoding html{"&", take_html};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Digits of some base that stand for bytes, and where they stand.
struct Digits {
    static constexpr std::uint8_t gap = 0xff;  // something else is here: no byte goes across it

    std::vector<std::uint8_t> values;
    std::vector<std::uint32_t> places;
};

template <class DigitOf, class IsSkipped>
Digits digits_in(const Reading& from, const DigitOf& digit_of, const IsSkipped& is_skipped) {
    Digits out;
    for (std::size_t i = 0; i < from.text.size(); ++i) {
        const int digit = digit_of(from.text[i]);
        if (digit < 0 && is_skipped(from.text[i])) continue;
        if (digit < 0 && (out.values.empty() || out.values.back() == Digits::gap)) continue;
        out.values.push_back(digit < 0 ? Digits::gap : static_cast<std::uint8_t>(digit));
        out.places.push_back(static_cast<std::uint32_t>(i));
    }
    return out;
}

// The bytes that digits of `bits` bits stand for when the first begins `phase` bits into them.
// A byte has bits of two digits, for 4 as for 6 bits a digit and an even phase.
Reading bytes_of(const Reading& from, const Digits& digits, std::size_t bits, std::size_t phase) {
    Reading out;
    std::size_t bit = phase;  // counted from the digit `run`
    std::size_t run = 0;
    for (std::size_t i = phase / bits; i + 1 < digits.values.size(); i = run + bit / bits) {
        const std::uint8_t left = digits.values[i];
        const std::uint8_t right = digits.values[i + 1];
        if (left == Digits::gap || right == Digits::gap) {
            run = left == Digits::gap ? i + 1 : i + 2;
            bit = phase;
            // No UTF-8 has this byte, so no secret goes across it.
            const std::size_t place = digits.places[run - 1];
            out.put('\xff', from.begin_of(place), from.end_of(place));
            continue;
        }
        const unsigned both = static_cast<unsigned>(left) << bits | right;
        const auto byte = static_cast<char>(both >> (2 * bits - 8 - bit % bits) & 0xff);
        out.put(byte, from.begin_of(digits.places[i]), from.end_of(digits.places[i + 1]));
        bit += 8;
    }
    return out;
}

void see_digits(const Reading& from, std::size_t bytes_min, const See& see) {
    const auto show = [&](const Digits& digits, std::size_t bits, std::size_t phases) {
        if (digits.values.size() * bits < bytes_min * 8) return;
        for (std::size_t phase = 0; phase < phases; phase += bits == 4 ? 4 : 2) {
            see(bytes_of(from, digits, bits, phase));
        }
    };
    show(digits_in(from, base64_digit, is_blank), 6, 8);
    const auto between_pairs = [](char c) { return is_blank(c) || c == ':' || c == '-'; };
    show(digits_in(from, hex_digit, between_pairs), 4, 8);
}

}  // namespace

void each_reading(std::string_view text, std::size_t bytes_min, const See& see) {
    if (text.size() < bytes_min) return;
    const Reading plain{std::string(text), {}, {}};
    see(plain);
    see_digits(plain, bytes_min, see);
    if (html.used_in(plain)) see(html.undo(plain));
    if (form.used_in(plain)) see(form.undo(plain));
    for (const Encoding& outer : {json_text, percent}) {
        if (!outer.used_in(plain)) continue;
        const Reading once = outer.undo(plain);
        see(once);
        see_digits(once, bytes_min, see);
        for (const Encoding& inner : {json_text, percent}) {
            if (inner.used_in(once)) see(inner.undo(once));
        }
    }
}

}  // namespace pawl::steps
